import { describe, expect, it } from 'vitest';
import { BookSync } from '../../src/collect/books/book-sync.ts';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { contract } from './book-rig.ts';
import { frameOf } from './frame-of.ts';

const NOW = asMs(Date.UTC(2026, 10, 28, 12));
const feeds = KNOWN_VENUES.flatMap(({ id, books }) =>
  books?.stream === undefined
    ? []
    : [{ id, books, isSnapshotOnly: books.continuity.isSnapshotOnly === true }],
);
const numbered = feeds.filter(({ books }) => books.continuity.checkDelta(100, stampsOf(100)) !== 'apply');

function stampsOf(sequence: number) {
  return { sequence, firstSequence: sequence, previousSequence: sequence - 1, venueTime: Number.NaN };
}

interface Message {
  readonly sequence: number;
  /** ms after the snapshot; absent where the venue stamps none. */
  readonly time?: number;
  readonly bid: number;
}

/** A book whose snapshot has number 1000, followed by the change 1001. */
function open(books: BookFeed) {
  const store = createBookStore({ clock: { now: () => NOW } });
  const sync = new BookSync(books, store.bookSink.open(contract('v', 'A'), { uncrosses: false }));
  const message = (kind: 'snapshot' | 'delta', { sequence, time, bid }: Message) =>
    frameOf({
      symbol: 'A',
      kind,
      sequence,
      previousSequence: sequence - 1,
      firstSequence: sequence,
      bids: [[bid, 1]],
      asks: kind === 'snapshot' ? [[200, 1]] : [],
      ...(time !== undefined && { venueTime: asMs(NOW + time) }),
    });
  const whole = (it: Message) => sync.frame(message('snapshot', it), NOW);
  const change = (it: Message) => sync.frame(message('delta', it), NOW);
  return { whole, change, sync, bids: () => store.view.levels('v', 'A', 1)?.bids };
}

/** One whose first messages were taken. */
function live(books: BookFeed, isStamped = true) {
  const book = open(books);
  const timed = (ms: number) => (isStamped ? { time: ms } : {});
  expect(book.whole({ sequence: 1000, bid: 100, ...timed(0) })).toBeUndefined();
  expect(book.change({ sequence: 1001, bid: 101, ...timed(100) })).toBeUndefined();
  return book;
}

describe('a venue that counts again without a snapshot', () => {
  const changing = numbered.filter(({ isSnapshotOnly }) => !isSnapshotOnly);

  it('is asked of most venues that stream changes', () => expect(changing.length).toBeGreaterThan(15));

  it.each(changing)('is noticed at its first change, which is later: $id', ({ books }) => {
    const book = live(books);
    expect(book.change({ sequence: 7, time: 200, bid: 150 })).toBe('gap');
    expect(book.bids()).toBeUndefined();
  });

  it.each(changing)('is followed by its next snapshot at once: $id', ({ books }) => {
    const book = live(books);
    book.change({ sequence: 7, time: 200, bid: 150 });
    expect(book.whole({ sequence: 8, time: 300, bid: 151 })).toBeUndefined();
    expect(book.bids()).toEqual([[151, 1]]);
  });

  it.each(changing)('is noticed at the second change where none is stamped: $id', ({ books }) => {
    const book = live(books, false);
    const faults = [7, 8].map((sequence) => book.change({ sequence, bid: 150 }));
    expect(faults).toContain('gap');
    expect(book.bids()).toBeUndefined();
  });

  it.each(numbered.filter(({ isSnapshotOnly }) => isSnapshotOnly))(
    'is taken where every message is the whole book: $id',
    ({ books }) => {
      const book = open(books);
      book.whole({ sequence: 1000, time: 0, bid: 100 });
      expect(book.whole({ sequence: 7, time: 200, bid: 150 })).toBeUndefined();
      expect(book.bids()).toEqual([[150, 1]]);
    },
  );
});

describe('a message that comes late or twice', () => {
  const passing = numbered.filter(
    ({ books, isSnapshotOnly }) =>
      !isSnapshotOnly && books.continuity.checkDelta(1001, stampsOf(1001)) === 'stale',
  );

  it.each(passing)('is passed over: $id', ({ books }) => {
    const book = live(books);
    expect(book.change({ sequence: 1001, time: 100, bid: 150 })).toBeUndefined();
    expect(book.bids()).toEqual([[101, 1]]);
  });

  it.each(passing)('is passed over behind the snapshot that holds it: $id', ({ books }) => {
    const book = open(books);
    book.whole({ sequence: 1000, time: 0, bid: 100 });
    const behind = book.change({ sequence: 1000, time: 300, bid: 150 });
    expect([undefined, 'gap']).toContain(behind);
    if (behind === undefined) expect(book.bids()).toEqual([[100, 1]]);
  });
});
