import { frameOf } from '../../../test/books/frame-of.ts';
import type { BookWriter } from '../../collect/ports.ts';
import type { BookLevel } from '../../domain/book.ts';
import type { Clock } from '../../domain/clock.ts';
import type { BookSource } from '../../domain/depth-quote.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type BookStore, createBookStore } from './book-store.ts';

/** One book of a test. */
export interface BookSketch {
  readonly venue: string;
  readonly symbol: string;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly ageMs?: number;
  readonly source?: BookSource;
}

/** The real store with some books in it, at a time that stands still where no clock is given. */
export function makeBooks(
  now: UnixMs,
  sketches: readonly BookSketch[],
  clock: Clock = { now: () => now },
): BookStore & { write(sketch: BookSketch): BookWriter } {
  const store = createBookStore({ clock });
  const write = (sketch: BookSketch): BookWriter => {
    const { venue, symbol, bids, asks, ageMs = 0, source = 'stream' } = sketch;
    const names = { base: symbol, ticker: symbol, quote: 'USDT', settle: 'USDT' };
    const writer = store.bookSink.open(
      { venue, symbol, ...names, multiplier: 1, contractSize: 1 },
      { uncrosses: false },
    );
    writer.replace(frameOf({ symbol, kind: 'snapshot', bids, asks }), asMs(clock.now() - ageMs), { source });
    return writer;
  };
  for (const sketch of sketches) write(sketch);
  return { ...store, write };
}

/** Levels of equal size, `step` apart from the touch on. */
export function ladder(touch: number, step: number, size: number, count: number): readonly BookLevel[] {
  return Array.from({ length: count }, (_, i) => [touch + i * step, size] as const);
}
