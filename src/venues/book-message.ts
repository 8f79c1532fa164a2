import type { BookLevel, BookUpdate } from '../domain/book.ts';
import type { Decoded } from '../domain/decoded.ts';
import { readMs, readNumber } from '../domain/read.ts';
import type { ContractUnits } from './contract-units.ts';

/** What a book message says besides its levels. */
export type BookStamps = Pick<BookUpdate, 'sequence' | 'firstSequence' | 'previousSequence' | 'venueTime'>;

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

/** The number that a change follows, where the venue says it. */
export function previousStamp(previous: unknown): Pick<BookUpdate, 'previousSequence'> {
  const previousSequence = readNumber(previous);
  return previousSequence === undefined ? {} : { previousSequence };
}

/** Levels of both sides, as far as they could be read. */
interface Sides {
  readonly bids: readonly BookLevel[] | undefined;
  readonly asks: readonly BookLevel[] | undefined;
}

/** Adds a book message whose sizes are in base units; a side that could not be read makes it a reject. */
export function addUnitBook(
  out: Decoded,
  symbol: string,
  kind: BookUpdate['kind'],
  { bids, asks }: Sides,
  stamps: BookStamps = {},
): void {
  if (bids === undefined || asks === undefined)
    out.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
  else out.books.push({ symbol, kind, bids, asks, ...stamps });
}

/**
 * Adds a book message of a venue that counts contracts. Before any list of contracts is known the sizes stay in
 * contracts and the book is marked `unknown_unit`.
 */
export function addBook(
  out: Decoded,
  symbol: string,
  kind: BookUpdate['kind'],
  units: ContractUnits,
  sides: Sides,
  stamps: BookStamps,
): void {
  const isRead = sides.bids !== undefined && sides.asks !== undefined;
  if (isRead && units.perContract === undefined) {
    out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'sizes count contracts' });
  }
  addUnitBook(out, symbol, kind, sides, stamps);
}
