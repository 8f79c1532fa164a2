import Type, { type Static } from 'typebox';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { nullable, number } from '../../products/answer/schema.ts';
import { type AskedFees, readFees } from '../../products/rows/asked-fees.ts';
import { type SpreadLegs, takerFees } from '../../products/statistics/spread-legs.ts';

/** The fees that the fills of a pair are charged, basis points. */
export interface LegFees {
  /** Charged where no fee was noted, or always where the request names it. */
  readonly shortFeeBps: number;
  readonly longFeeBps: number;
  /** True where the request names the fee of a leg. */
  readonly isAsked: (leg: MarketRow) => boolean;
  readonly named: AskedFees;
}

interface FeesAsked {
  readonly fee_bps?: number | undefined;
  readonly fees?: string | undefined;
  readonly maker?: string | undefined;
}

/** Fees by venue count before `fee_bps`, and that before the public ones. 400 where none is known; failures as of `readFees`. */
export function legFees(market: MarketView, legs: SpreadLegs, asked: FeesAsked): Result<LegFees> {
  const read = readFees(asked, market);
  if (!read.ok) return read;
  const named = read.value;
  const [ofShort, ofLong] = takerFees(market, legs, named);
  const feeOf = ({ venue }: MarketRow, known: number | undefined): number | undefined =>
    named.taker.get(venue) ?? asked.fee_bps ?? known;
  const shortFeeBps = feeOf(legs.short, ofShort);
  const longFeeBps = feeOf(legs.long, ofLong);
  if (shortFeeBps === undefined || longFeeBps === undefined) {
    return fail(badParameter('fee_bps', 'a venue publishes no taker fee: name one'));
  }
  const isAsked = ({ venue }: MarketRow): boolean => asked.fee_bps !== undefined || named.taker.has(venue);
  return ok({ shortFeeBps, longFeeBps, isAsked, named });
}

const makerSums = Type.Object({
  maker_fees_usd: Type.Optional(
    number('Where maker names both venues: the fees of the same fills if every order had rested, US dollars'),
  ),
  maker_net_usd: Type.Optional(
    nullable(number('net_usd with these in place of fees_usd, slippage as it is, US dollars')),
  ),
});
export const makerSumFields = makerSums.properties;

/**
 * The fees of so many trades, entry and exit of both legs, at the maker fees of the request: 2 x (short + long) x size x
 * trades / 10,000, below 0 for a cost. Nothing where it does not name both.
 */
export function makerMoney(
  { short, long }: SpreadLegs,
  { maker }: AskedFees,
  sizeUsd: number,
  trades: number,
  { net_usd: net, fees_usd: fees }: { readonly net_usd: number | null; readonly fees_usd: number },
): Static<typeof makerSums> {
  const ofShort = maker.get(short.venue);
  const ofLong = maker.get(long.venue);
  if (ofShort === undefined || ofLong === undefined) return {};
  // Without trades the sum is 0, and not -0.
  const made = trades === 0 ? 0 : (-2 * (ofShort + ofLong) * sizeUsd * trades) / 10_000;
  return { maker_fees_usd: made, maker_net_usd: net === null ? null : net - fees + made };
}
