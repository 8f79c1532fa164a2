import { asBps, asPrice, asUsd, type Bps } from '../domain/units.ts';
import type { BookQuote } from '../market/books/book-view.ts';
import type { SampledBook } from './sample.ts';

const bps = (x: number | undefined): Bps | undefined => (x === undefined ? undefined : asBps(x));

/**
 * The sampled part of a book, all of it from that one book; undefined for one that was not confirmed within a
 * minute.
 */
export function sampledBook(quote: BookQuote | undefined): SampledBook | undefined {
  if (quote === undefined || !quote.isFresh) return undefined;
  return {
    bestBid: asPrice(quote.bestBid),
    bestAsk: asPrice(quote.bestAsk),
    bidDepthUsd: asUsd(quote.bidDepthUsd),
    askDepthUsd: asUsd(quote.askDepthUsd),
    slippage1kBps: bps(quote.slippage1kBps),
    slippage5kBps: bps(quote.slippage5kBps),
    slippage10kBps: bps(quote.slippage10kBps),
  };
}
