import type { Price } from '../../../domain/units.ts';
import { baseLimit } from '../../../market/comparable.ts';
import type { MarketRow } from '../../../market/view.ts';
import { commonQuote, type QuoteRates } from '../../../products/rows/quote-rates.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';

/**
 * Distance of a spot price from the index of a perpetual, as a fraction, beyond which they are not held against each other: they may
 * be two assets.
 */
export const APART_LIMIT = baseLimit('crypto');

/** An index that is older than the mark by more than this is of another time: some venues state it in a call of its own. */
const INDEX_LAG_MS = MINUTE_MS;

/** A perpetual, as far as prices of spot are held against it. */
type PricedPerp = Pick<MarketRow, 'indexPrice' | 'indexUpdatedAt' | 'markPrice' | 'updatedAt'>;

/** The index of a perpetual that is of the time of its mark; undefined where it is older, or not known. */
export const presentIndex = ({ indexPrice, indexUpdatedAt, updatedAt }: PricedPerp): Price | undefined =>
  indexUpdatedAt !== undefined && updatedAt - indexUpdatedAt > INDEX_LAG_MS ? undefined : indexPrice;

/** Worth of two quote currencies in one. */
export interface QuoteTie {
  readonly quote: string;
  readonly spot: number;
  readonly perp: number;
}

/** Worth of both quotes in one currency; undefined where no rate ties them together. */
export function quoteTie(spot: string, perp: string, rates: QuoteRates): QuoteTie | undefined {
  const { quote, factor } = commonQuote([spot, perp], rates);
  return quote === null ? undefined : { quote, spot: factor(spot), perp: factor(perp) };
}

/**
 * Price of spot against the index of a perpetual, its mark where it has none of this time: spot / index - 1, in one currency where a rate is
 * known, else as they are. Undefined without either.
 */
export function apartFrom(price: number, perp: PricedPerp, tie: QuoteTie | undefined): number | undefined {
  const reference = presentIndex(perp) ?? perp.markPrice;
  if (reference === undefined || !(reference > 0)) return undefined;
  const worth = tie ?? { spot: 1, perp: 1 };
  return (price * worth.spot) / (reference * worth.perp) - 1;
}
