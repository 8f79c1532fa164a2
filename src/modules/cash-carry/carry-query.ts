import Type, { type Static } from 'typebox';
import { ok, type Result } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketView } from '../../market/view.ts';
import { listParameter } from '../../products/answer/list-parameter.ts';
import { number, oneOf, venueName } from '../../products/answer/schema.ts';
import { type AskedFees, feesQuery, readFeeList, readFees } from '../../products/rows/asked-fees.ts';
import { DIRECTIONS, type Direction } from './carry-figures.ts';
import type { SpotFees } from './spot-leg.ts';

const WAYS = ['both', ...DIRECTIONS] as const;

/** Parameters of both products. */
export const carryQuery = {
  direction: oneOf(WAYS, {
    default: 'both',
    description: 'long_spot: buy the coin, sell the perpetual; short_spot: borrow and sell it, buy that',
  }),
  holding_days: Type.Number({
    minimum: 0.25,
    maximum: 365,
    default: 7,
    description: 'Days to hold, over which the cost of entry and exit is spread',
  }),
  fees: feesQuery.fees,
  spot_fees: Type.Optional(
    listParameter('My taker fees on spot, bps by venue, in place of the public ones: bybit:8,kraken:20'),
  ),
};

/** The directions that are asked for. */
export const directionsOf = (asked: (typeof WAYS)[number]): readonly Direction[] =>
  asked === 'both' ? DIRECTIONS : [asked];

/** Fees of a request. */
export interface CarryFees {
  readonly perp: AskedFees;
  readonly spot: SpotFees;
}

/** Failures as of `readFees`. */
export function readCarryFees(
  asked: { readonly fees?: string | undefined; readonly spot_fees?: string | undefined },
  view: MarketView,
): Result<CarryFees> {
  const perp = readFees({ fees: asked.fees }, view);
  if (!perp.ok) return perp;
  const spot = readFeeList('spot_fees', asked.spot_fees, view);
  return spot.ok ? ok({ perp: perp.value, spot: spot.value }) : spot;
}

const spotFeesPart = Type.Object({
  spot_fees: Type.Optional(
    Type.Array(
      Type.Object({
        venue: venueName,
        taker_fee_bps: number('Counts in place of the public taker fee, bps'),
      }),
      { description: 'The fees of spot that the request names; only where it names some' },
    ),
  ),
});
export const spotFeesField = spotFeesPart.properties;

export function statedSpotFees(fees: ReadonlyMap<VenueId, number>): Static<typeof spotFeesPart> {
  if (fees.size === 0) return {};
  return { spot_fees: [...fees].map(([venue, bps]) => ({ venue, taker_fee_bps: bps })) };
}
