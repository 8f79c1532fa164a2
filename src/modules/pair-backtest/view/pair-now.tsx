import type { JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../../packages/client/src/routes.ts';
import type { SnapshotVenue } from '../../../../web/data/asset.ts';
import { Figures, withUnit } from '../../../../web/parts/figures.tsx';
import { sideOf } from '../../../../web/parts/rate.tsx';
import { bps, cost, percent } from '../../../../web/text/number.ts';
import type { SpreadLeg } from './spread-series.ts';

/** A venue of the pair, with what its side costs now. */
export interface Leg extends SpreadLeg {
  readonly takerFeeBps: number | null;
  /** Of the chosen size, the worse side, now; null where the book does not fill it or is not followed. */
  readonly slippageBps: number | null;
}

/** Both legs in and out at market, bps of one leg's notional. */
const roundTrip = (short: number | null, long: number | null): number | null =>
  short === null || long === null ? null : 2 * (short + long);

/** The pair at present rates. */
export function Now({
  snapshot,
  short,
  long,
}: {
  snapshot: PerpSnapshotAnswer;
  short: Leg;
  long: Leg;
}): JSX.Element {
  const rowOf = ({ venue }: Leg): SnapshotVenue | undefined =>
    snapshot.venues.find((answer) => answer.venue === venue);
  const a = rowOf(short);
  const b = rowOf(long);
  const spread = a?.rate_8h == null || b?.rate_8h == null ? null : a.rate_8h - b.rate_8h;
  const gap =
    a?.mark_price == null || b?.mark_price == null ? null : (a.mark_price / b.mark_price - 1) * 10_000;
  return (
    <Figures
      figures={[
        [`${short.venue}, short`, withUnit(percent(a?.rate_8h), '% per 8 h')],
        [`${long.venue}, long`, withUnit(percent(b?.rate_8h), '% per 8 h')],
        ['Spread now', withUnit(percent(spread), '% per 8 h'), { look: sideOf(spread) }],
        ['Fees, in and out', withUnit(cost(roundTrip(short.takerFeeBps, long.takerFeeBps)), 'bps')],
        ['Slippage, in and out', withUnit(cost(roundTrip(short.slippageBps, long.slippageBps)), 'bps')],
        ['Mark, short over long', withUnit(bps(gap), 'bps')],
      ]}
    />
  );
}
