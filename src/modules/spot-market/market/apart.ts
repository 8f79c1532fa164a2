import { baseLimit } from '../../../market/comparable.ts';
import type { MarketRow } from '../../../market/view.ts';
import { commonQuote, type QuoteRates } from '../../../products/rows/quote-rates.ts';

/**
 * Distance of a spot price from the index of a perpetual, as a fraction, beyond which they are not held against each other: they may
 * be two assets.
 */
export const APART_LIMIT = baseLimit('crypto');

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
 * Price of spot against the index of a perpetual, its mark where it has none: spot / index - 1, in one currency where a rate is
 * known, else as they are. Undefined without either.
 */
export function apartFrom(
  price: number,
  { indexPrice, markPrice }: Pick<MarketRow, 'indexPrice' | 'markPrice'>,
  tie: QuoteTie | undefined,
): number | undefined {
  const reference = indexPrice ?? markPrice;
  if (reference === undefined || !(reference > 0)) return undefined;
  const { spot, perp } = tie ?? { spot: 1, perp: 1 };
  return (price * spot) / (reference * perp) - 1;
}
