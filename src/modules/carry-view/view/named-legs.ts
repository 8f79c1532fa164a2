/** The name of a spot leg of which the venue is not named; with it, `spot:binance`. */
export const SPOT = 'spot';

/** Both legs of a pair; undefined for any venue. */
export interface CarryLegs {
  readonly direction: 'long_spot' | 'short_spot';
  readonly spot: string | undefined;
  readonly perp: string | undefined;
}

export const spotLeg = (venue: string): string => `${SPOT}:${venue}`;

const isSpot = (leg: string): boolean => leg === SPOT || leg.startsWith(spotLeg(''));

/** The venue of a leg; undefined where none is named. */
const venueOf = (leg: string): string | undefined =>
  (isSpot(leg) ? leg.slice(spotLeg('').length) : leg) || undefined;

/** The legs of a pair of a spot market and a perpetual; undefined where both are spot markets, or neither is. */
export function legsNamed(short: string, long: string): CarryLegs | undefined {
  if (isSpot(short) === isSpot(long)) return undefined;
  return isSpot(long)
    ? { direction: 'long_spot', spot: venueOf(long), perp: venueOf(short) }
    : { direction: 'short_spot', spot: venueOf(short), perp: venueOf(long) };
}

/**
 * Says that there is no pair of chosen legs.
 *
 * @param best how many of all pairs were looked through; undefined where that is all of them
 */
export function noPairText(
  ticker: string,
  { spot, perp }: Pick<CarryLegs, 'spot' | 'perp'>,
  best: number | undefined,
): string {
  const on = (venue: string | undefined): string => (venue === undefined ? '' : ` on ${venue}`);
  const legs = `a spot market${on(spot)} and a perpetual${on(perp)}`;
  if (best === undefined) return `There is no pair of ${ticker} of ${legs}.`;
  const advice = spot === undefined || perp === undefined ? ' Name the venues of both legs.' : '';
  return `None of the ${best} best pairs of ${ticker} is of ${legs}.${advice}`;
}
