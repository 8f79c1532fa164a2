import type { BookLevel, BookUpdate } from '../domain/book.ts';
import type { Decoded } from '../domain/decoded.ts';
import { readMs, readNumber } from '../domain/read.ts';
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
 * Adds a book message of a venue that counts contracts. Before any list of contracts is known the sizes stay in
 * contracts and the book is marked `unknown_unit`.
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
    return;
  }
  if (scale.perContract === undefined) {
    out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'sizes count contracts' });
  }
  out.books.push({ symbol, kind, bids, asks, ...stamps });
}
