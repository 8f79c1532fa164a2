import { beforeEach, describe, expect, it } from 'vitest';
import { frameOf } from '../../../test/books/frame-of.ts';
import type { BookWriter } from '../../collect/ports.ts';
import type { BookLevel } from '../../domain/book.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import { type BookStore, createBookStore } from './book-store.ts';

const STREAM = { source: 'stream' } as const;
const REST = { source: 'rest' } as const;
const START = 1_700_000_000_000;

function contract(symbol: string, multiplier = 1): Instrument {
  const names = { base: symbol, ticker: symbol, quote: 'USDT', settle: 'USDT' };
  return { venue: 'v', symbol, ...names, multiplier, contractSize: 1 };
}

function book(bids: BookLevel[], asks: BookLevel[], kind: 'snapshot' | 'delta' = 'snapshot') {
  return frameOf({ symbol: 'A', kind, bids, asks });
}

const levels = (...all: BookLevel[]): BookLevel[] => all;

describe('book store', () => {
  let now = START;
  let wanted: string[];
  let store: BookStore;
  let writer: BookWriter;
  beforeEach(() => {
    now = START;
    wanted = [];
    store = createBookStore({
      clock: { now: () => asMs(now) },
      wanted: (venue, symbol) => wanted.push(`${venue} ${symbol}`),
    });
    writer = store.bookSink.open(contract('A'), { uncrosses: false });
  });

  it('a book: served with source and age, fresh for a minute', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), REST);
    expect(store.view.top('v', 'A')).toMatchObject({
      bestBid: 99,
      bidSize: 2,
      bestAsk: 101,
      askSize: 3,
      source: 'rest',
      confirmedAt: START,
      ageMs: 0,
      isFresh: true,
    });
    now += 60_000;
    expect(store.view.quote('v', 'A')?.isFresh).toBe(true);
    now += 1;
    expect(store.view.quote('v', 'A')).toMatchObject({ isFresh: false, ageMs: 60_001 });
    expect(store.view.liveBooks('v')).toBe(0);
    writer.confirm(asMs(now));
    expect(store.view.quote('v', 'A')).toMatchObject({ isFresh: true, source: 'rest' });
    writer.apply(book([[100, 1]], [], 'delta'), asMs(now));
    expect(store.view.quote('v', 'A')).toMatchObject({ source: 'stream', bestBid: 100, bidSize: 1 });
    expect(store.view.liveBooks('v')).toBe(1);
  });

  it('a clock set back, then a confirmation: the book is fresh again', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), REST);
    now -= 3_600_000;
    expect(store.view.quote('v', 'A')?.isFresh).toBe(false);
    expect(store.view.liveBooks('v')).toBe(0);
    writer.confirm(asMs(now));
    expect(store.view.quote('v', 'A')).toMatchObject({ isFresh: true, ageMs: 0 });
  });

  it('serves nothing that is invalid, crossed, or closed', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), STREAM);
    writer.invalidate();
    expect(store.view.top('v', 'A')).toBeUndefined();
    expect(store.view.levels('v', 'A', 5)).toBeUndefined();
    writer.confirm(asMs(now));
    expect(store.view.top('v', 'A'), 'a confirmation mends nothing').toBeUndefined();
    expect(writer.replace(book([[99, 2]], [[98, 3]]), asMs(now), STREAM)).toBe('crossed');
    expect(store.view.top('v', 'A')).toBeUndefined();
    expect(
      writer.apply(
        book(
          [],
          [
            [98, 0],
            [100, 1],
          ],
          'delta',
        ),
        asMs(now),
      ),
    ).toBe('good');
    expect(store.view.top('v', 'A')?.bestAsk).toBe(100);
    writer.close();
    expect(store.view.top('v', 'A')).toBeUndefined();
    expect(store.memory().books).toBe(0);
  });

  it('returns the top of a one-sided book, and no quote', () => {
    writer.replace(book([[99, 2]], []), asMs(now), STREAM);
    expect(store.view.top('v', 'A')).toMatchObject({ bestBid: 99, bestAsk: undefined, askSize: undefined });
    expect(store.view.quote('v', 'A')).toBeUndefined();
  });

  it('returns since when both sides are empty, while that is recent', () => {
    writer.replace(book([], []), asMs(now), STREAM);
    now += 100_000;
    writer.confirm(asMs(now));
    expect(store.view.emptySince('v', 'A')).toBe(START);
    now += 300_001;
    expect(store.view.emptySince('v', 'A')).toBeUndefined();
    writer.apply(book([[99, 2]], [], 'delta'), asMs(now));
    expect(store.view.emptySince('v', 'A')).toBeUndefined();
    writer.apply(book([[99, 0]], [], 'delta'), asMs(now));
    expect(store.view.emptySince('v', 'A')).toBe(now);
    writer.invalidate();
    expect(store.view.emptySince('v', 'A'), 'unknown is not empty').toBeUndefined();
    expect(store.view.emptySince('v', 'B')).toBeUndefined();
  });

  it('reports which books are read, and that a book changed', () => {
    store.view.quote('v', 'A');
    store.view.top('v', 'B');
    expect(wanted).toEqual(['v A', 'v B']);
    store.view.passive.quote('v', 'C');
    store.view.passive.fillPrice('v', 'C', 'buy', 1000);
    expect(wanted, 'not what is only looked at').toEqual(['v A', 'v B']);
    const before = store.view.version;
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), STREAM);
    expect(store.view.version).toBeGreaterThan(before);
  });

  it('gives levels best first, in ticker units, however they came', () => {
    const thousands = store.bookSink.open(contract('K', 1000), { uncrosses: false });
    const raw = book(
      [
        [2, 5],
        [3, 6],
      ],
      [
        [5, 1],
        [4, 2],
      ],
    );
    raw.scaled = false;
    thousands.replace(raw, asMs(now), STREAM);
    expect(store.view.levels('v', 'K', 1)).toEqual({ bids: [[0.003, 6000]], asks: [[0.004, 2000]] });
    expect(store.view.levels('v', 'K', 9)?.bids).toHaveLength(2);
  });

  it('compares with a snapshot by its best levels', () => {
    const bids = levels([99, 2], [98, 1]);
    const asks = levels([101, 3], [102, 1]);
    writer.replace(book(bids, asks), asMs(now), STREAM);
    expect(writer.compare(book(bids, asks))).toEqual({ equal: 1, touchBps: 0 });
    expect(writer.compare(book(levels([99, 2], [98, 7]), asks)).equal).toBe(0.75);
    expect(writer.compare(book([[90, 2]], [[101, 3]]))).toMatchObject({ equal: 0.25 });
    expect(writer.compare(book([[90, 2]], [[101, 3]])).touchBps).toBeCloseTo((9 / 99) * 10_000, 6);
    expect(writer.compare(book([], [])).touchBps).toBe(Number.POSITIVE_INFINITY);
    writer.replace(book([], []), asMs(now), STREAM);
    expect(writer.compare(book([], []))).toEqual({ equal: 1, touchBps: 0 });
  });

  it('closes the book that a contract had when it begins another', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), STREAM);
    const second = store.bookSink.open(contract('A', 10), { uncrosses: false });
    expect(store.view.top('v', 'A')).toBeUndefined();
    second.replace(book([[99, 2]], [[101, 3]]), asMs(now), STREAM);
    writer.close();
    expect(store.view.top('v', 'A')).toBeDefined();
  });

  it('a snapshot that shows too little: pending until the next one', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), REST);
    const isPending = (usd?: number) => store.view.isPending('v', 'A', usd);
    expect([isPending(), isPending(190), isPending(250)]).toEqual([false, false, true]);
    now += 1000;
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), REST);
    expect(isPending(250)).toBe(false);
  });

  it('a stream that shows too little: nothing more is waited for', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), STREAM);
    expect(store.view.isPending('v', 'A', 250)).toBe(false);
  });

  it('no deeper snapshot within two seconds: waited for no more', () => {
    writer.replace(book([[99, 2]], [[101, 3]]), asMs(now), REST);
    expect(store.view.isPending('v', 'A', 250)).toBe(true);
    now += 2000;
    expect(store.view.isPending('v', 'A', 250)).toBe(false);
  });
});
