import type { BookLevel, BookUpdate } from '../domain/book.ts';
import type { Decoded } from '../domain/decoded.ts';
import { readMs, readNumber, readPrice } from '../domain/read.ts';
import type { Scale } from './scale.ts';

/** What a book message says besides its levels. */
export type BookStamps = Pick<
  BookUpdate,
  'sequence' | 'firstSequence' | 'previousSequence' | 'checksum' | 'venueTime'
>;

/**
 * Reads the sequence and stamp of a message under the names that the venue uses.
 *
 * @param timeScale of `time` to milliseconds
 */
export function bookStamps(last: unknown, first?: unknown, time?: unknown, timeScale = 1): BookStamps {
  const sequence = readNumber(last);
  const firstSequence = readNumber(first);
  const venueTime = readMs(time, timeScale);
  return {
    ...(sequence === undefined ? {} : { sequence }),
    ...(firstSequence === undefined ? {} : { firstSequence }),
    ...(venueTime === undefined ? {} : { venueTime }),
  };
}

/**
 * Adds a book message of a venue that counts contracts. Without the contract's size the amounts are unknown, and
 * of a whole book only the best prices remain.
 */
export function addBook(
  out: Decoded,
  symbol: string,
  kind: BookUpdate['kind'],
  scale: Scale,
  sides: { readonly bids: BookLevel[] | undefined; readonly asks: BookLevel[] | undefined },
  stamps: BookStamps,
): void {
  const { bids, asks } = sides;
  if (bids === undefined || asks === undefined) {
    out.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
  } else if (scale.perContract === undefined) {
    out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'sizes: contract size unknown' });
    if (kind === 'snapshot') addBestPrices(out, symbol, bids, asks);
  } else out.books.push({ symbol, kind, bids, asks, ...stamps });
}

function addBestPrices(out: Decoded, symbol: string, bids: BookLevel[], asks: BookLevel[]): void {
  const bestBid = readPrice(Math.max(...bids.map(([price]) => price)));
  const bestAsk = readPrice(Math.min(...asks.map(([price]) => price)));
  if (bestBid === undefined && bestAsk === undefined) return;
  out.quotes.push({
    symbol,
    ...(bestBid === undefined ? {} : { bestBid }),
    ...(bestAsk === undefined ? {} : { bestAsk }),
  });
}
