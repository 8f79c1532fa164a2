import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { type AskedFees, takerFeeOf } from '../rows/asked-fees.ts';
import { type AskedAsset, selectPair } from '../rows/select.ts';

/** Two contracts of one asset: the one sold, the other bought. */
export interface SpreadLegs {
  readonly short: MarketRow;
  readonly long: MarketRow;
  readonly ticker: string;
  readonly canonicalId: string;
}

/** The contracts of an asset on two venues. Failures as of `selectPair`; 400 where both are one contract. */
export function namedLegs(
  market: MarketView,
  { short, long, ...asked }: AskedAsset & { readonly short: string; readonly long: string },
): Result<SpreadLegs> {
  const sold = selectPair(market, { ...asked, venue: short });
  if (!sold.ok) return sold;
  const { ticker, canonicalId, row } = sold.value;
  const bought = selectPair(market, { ticker: canonicalId, venue: long });
  if (!bought.ok) return bought;
  if (bought.value.row === row) return fail(badParameter('long', 'must be another venue than short'));
  return ok({ ticker, canonicalId, short: row, long: bought.value.row });
}

/** Taker fees of both legs, bps, as `takerFeeOf` has them. Undefined = not published. */
export function takerFees(
  market: MarketView,
  { short, long }: SpreadLegs,
  fees: AskedFees,
): readonly [short: number | undefined, long: number | undefined] {
  const feeOf = (row: MarketRow) => takerFeeOf(row, market.venue(row.venue), fees);
  return [feeOf(short), feeOf(long)];
}
