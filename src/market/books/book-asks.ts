import type { VenueId } from '../../domain/venue.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';

/** A collector has asked a venue for a book, and been answered, within this time. */
export const BOOK_FETCH_MS = 2000;
/** Asks further apart than this are two rows of asks: the collector no longer follows what nobody reads. */
const ROW_ENDS_MS = 5 * MINUTE_MS;

interface RowOfAsks {
  since: number;
  lastAt: number;
}

/** Since when readers have asked for books in vain. Bounded by the contracts that are listed. */
export class BookAsks {
  readonly #rows = new Map<VenueId, Map<string, RowOfAsks>>();

  /** A reader found no fresh book. */
  unmet(venue: VenueId, symbol: string, now: number): void {
    const rows = this.#rows.get(venue) ?? new Map<string, RowOfAsks>();
    this.#rows.set(venue, rows);
    const row = rows.get(symbol);
    // A clock that was set back ends a row, too.
    if (row === undefined || Math.abs(now - row.lastAt) > ROW_ENDS_MS) {
      rows.set(symbol, { since: now, lastAt: now });
    } else row.lastAt = now;
  }

  /** A reader found the book. */
  met(venue: VenueId, symbol: string): void {
    this.#rows.get(venue)?.delete(symbol);
  }

  /** The first of the requests that no book has answered yet; undefined where none waits. */
  since(venue: VenueId, symbol: string): number | undefined {
    return this.#rows.get(venue)?.get(symbol)?.since;
  }

  /** True if the book was asked for, has not come, and may still be on its way. */
  isPending(venue: VenueId, symbol: string, now: number): boolean {
    const row = this.#rows.get(venue)?.get(symbol);
    return row !== undefined && Math.abs(now - row.since) < BOOK_FETCH_MS;
  }
}
