import { expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { createBookStore } from '../../market/books/book-store.ts';
import { makeInstrument } from '../../market/market-fixture.ts';
import { TokenBucket } from '../../runtime/token-bucket.ts';
import { VENUES } from '../../venues/registry.ts';
import { BookSubscription } from './book-subscription.ts';
import { SnapshotScheduler } from './snapshot-scheduler.ts';

it('a clock set back behind the last snapshot: the book is asked for again', () => {
  const feed = VENUES.find(({ id }) => id === 'binance')?.books;
  if (feed?.rest === undefined) throw new Error('no books over REST');
  const START = 1_700_000_000_000;
  const { bookSink } = createBookStore({ clock: { now: () => asMs(START) } });
  const book = new BookSubscription(makeInstrument({ venue: 'binance', base: 'BTC' }), feed, bookSink);
  const bucket = new TokenBucket(1_000_000, 1000);
  const asked: BookSubscription[] = [];
  const scheduler = new SnapshotScheduler({
    bucket,
    rest: feed.rest,
    compares: false,
    rotates: () => true,
    fetch: (request) => asked.push(request),
  });
  const askedAt = (now: number): number => {
    scheduler.tick([book], now);
    return asked.length;
  };
  expect(askedAt(START)).toBe(1);
  scheduler.done(book, START, true);
  expect(askedAt(START + 1000)).toBe(1);
  expect(askedAt(START - 3_600_000)).toBe(2);
  scheduler.done(book, START, false);
  expect(askedAt(START + 1000)).toBe(2);
  expect(askedAt(START - 7_200_000)).toBe(3);
  scheduler.done(book, START - 7_200_000, true);
  book.follow(true, START);
  expect(askedAt(START + 1000)).toBe(3);
  expect(askedAt(START - 3_600_000)).toBe(4);
});

it('a shallow book that a reader asks for: all levels at once', () => {
  const feed = VENUES.find(({ id }) => id === 'gate')?.books;
  if (feed?.rest?.shallow === undefined) throw new Error('no shallow books over REST');
  const { rest } = feed;
  const START = 1_700_000_000_000;
  const { bookSink } = createBookStore({ clock: { now: () => asMs(START) } });
  const book = new BookSubscription(makeInstrument({ venue: 'gate', base: 'XYZ' }), feed, bookSink);
  const levels: (number | undefined)[] = [];
  const scheduler = new SnapshotScheduler({
    bucket: new TokenBucket(1_000_000, 1000),
    rest,
    compares: false,
    rotates: () => true,
    fetch: (_, request) => levels.push(request.levels),
  });
  for (const [now, wantedAt] of [
    [START, undefined],
    [START + 1000, undefined],
    [START + 1100, START + 1100],
    [START + 1200, START + 1200],
  ] as const) {
    book.wantedAt = wantedAt ?? book.wantedAt;
    scheduler.tick([book], now);
    if (book.isFetching) scheduler.done(book, now, true);
  }
  expect(levels).toEqual([rest.shallow?.levels, rest.levels]);
});
