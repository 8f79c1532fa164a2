import type { BookLevel, BookUpdate } from '../domain/book.ts';
import type { Decoded } from '../domain/decoded.ts';
import type { UnixMs } from '../domain/units.ts';

type Levels = readonly BookLevel[] | undefined;

/** What a message says of itself besides its levels, as far as it does. */
interface BookStamps {
  readonly sequence?: number | undefined;
  readonly previousSequence?: number | undefined;
  readonly venueTime?: UnixMs | undefined;
}

/** Adds a book or a change of one; a side that could not be read makes it a reject. */
export function addBook(
  out: Decoded,
  symbol: string,
  kind: BookUpdate['kind'],
  [bids, asks]: readonly [bids: Levels, asks: Levels],
  { sequence, previousSequence, venueTime }: BookStamps = {},
): void {
  if (bids === undefined || asks === undefined) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'levels' });
    return;
  }
  out.books.push({
    ...{ symbol, kind, bids, asks },
    ...(sequence !== undefined && { sequence }),
    ...(previousSequence !== undefined && { previousSequence }),
    ...(venueTime !== undefined && { venueTime }),
  });
}
