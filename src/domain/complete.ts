import type { QuotePatch } from './quote.ts';
import { asBase, asUsd } from './units.ts';

/**
 * Fills what follows from a quote's own values: open interest and volume in USD from base x mark, and base from
 * USD / mark. Nothing that the venue stated is replaced.
 */
export function completeQuote(quote: QuotePatch): QuotePatch {
  const mark = quote.markPrice;
  if (mark === undefined) return quote;
  const full: QuotePatch = { ...quote };
  if (full.openInterestUsd === undefined && full.openInterestBase !== undefined) {
    full.openInterestUsd = asUsd(full.openInterestBase * mark);
  } else if (full.openInterestBase === undefined && full.openInterestUsd !== undefined) {
    full.openInterestBase = asBase(full.openInterestUsd / mark);
  }
  if (full.volume24hUsd === undefined && full.volume24hBase !== undefined) {
    full.volume24hUsd = asUsd(full.volume24hBase * mark);
  } else if (full.volume24hBase === undefined && full.volume24hUsd !== undefined) {
    full.volume24hBase = asBase(full.volume24hUsd / mark);
  }
  return full;
}
