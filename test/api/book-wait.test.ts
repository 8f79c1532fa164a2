import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ladder, makeBooks } from '../../src/market/books/book-fixture.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { until } from '../until.ts';
import { EXAMPLE_NOW, exampleRows } from './example-market.ts';
import { openSocket, PAYMENT, start, useExample } from './started-example.ts';

useExample();

const EXECUTION = '/v1/orderbook/best-execution?ticker=BTC&size_usd=1000';
const OF_ONE_VENUE = ['/v1/orderbook/binance/BTC/top', '/v1/orderbook/depth/binance/BTC?size_usd=1000'];
const OVER_VENUES = [
  EXECUTION,
  '/v1/orderbook/aggregate/BTC',
  '/v1/orderbook/multi-venue-slippage?ticker=BTC',
  '/v1/orderbook/multi-venue-execution?ticker=BTC',
  '/v1/orderbook/multi-venue-execution?ticker=BTC&split=true',
];

/** Venues with a row of the asset that may be compared. */
const VENUES = exampleRows()
  .filter(({ canonicalId, fresh, comparable }) => canonicalId === 'crypto:BTC' && fresh && comparable)
  .map(({ venue }) => venue);

const bookOf = (venue: string) => ({
  venue,
  symbol: 'BTCUSDT',
  bids: ladder(91_250, -1, 1, 20),
  asks: ladder(91_251, 1, 1, 20),
});

/** The service without a book, in time that only the test moves. */
async function withoutBooks(mode?: 'off') {
  const time = new ManualTime(EXAMPLE_NOW);
  const books = makeBooks(EXAMPLE_NOW, [], time.clock);
  const options = { clock: time.clock, timer: time.timer, books: books.view, ...(mode && { mode }) };
  const [example, base] = await start(options);
  const isWaiting = () => until(() => expect(time.pending).toBe(1));
  return { time, books, base, isWaiting, ...example };
}

/** A connection on which an answer is awaited. */
function asked(base: string, path: string): Socket {
  const socket = openSocket(base);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-PAYMENT: e30=\r\n\r\n`);
  return socket;
}

describe('the first question about an asset', () => {
  it.each(OVER_VENUES)('%s: answered once the books have come', async (path) => {
    const { time, books, base, isWaiting } = await withoutBooks();
    const answering = fetch(base + path, { headers: PAYMENT });
    await isWaiting();
    for (const venue of VENUES) books.write(bookOf(venue));
    await time.advance(50);
    const response = await answering;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ venues_considered: VENUES.length, books_pending: 0 });
    expect(time.now).toBe(EXAMPLE_NOW + 50);
  });

  it.each(OF_ONE_VENUE)('%s: answered once the book has come', async (path) => {
    const { time, books, base, isWaiting } = await withoutBooks();
    const answering = fetch(base + path, { headers: PAYMENT });
    await isWaiting();
    books.write(bookOf('binance'));
    await time.advance(50);
    expect((await answering).status).toBe(200);
  });

  it('books of some venues are late: two seconds, then they are named', async () => {
    const { time, books, base, isWaiting } = await withoutBooks();
    const answering = fetch(base + EXECUTION, { headers: PAYMENT });
    await isWaiting();
    for (const venue of VENUES.filter((id) => id !== 'okx')) books.write(bookOf(venue));
    await time.advance(1999);
    expect(time.pending).toBe(1);
    await time.advance(1);
    const body: unknown = await (await answering).json();
    expect(body).toMatchObject({ venues_considered: VENUES.length - 1, books_pending: 1 });
    expect(body).toMatchObject({ venues_missing: expect.arrayContaining(['okx']) });
  });

  it('no book comes: 503 with Retry-After, and the next does not wait', async () => {
    const { time, base, isWaiting, paywall } = await withoutBooks();
    const answering = fetch(base + EXECUTION, { headers: PAYMENT });
    await isWaiting();
    await time.advance(2000);
    const response = await answering;
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect((await fetch(base + EXECUTION, { headers: PAYMENT })).status).toBe(503);
    expect(paywall.deliveries).toEqual([]);
  });

  it('nothing is pending: no wait', async () => {
    const { time, books, base } = await withoutBooks();
    for (const venue of VENUES) books.write(bookOf(venue));
    for (const path of [...OVER_VENUES, ...OF_ONE_VENUE]) {
      expect((await fetch(base + path, { headers: PAYMENT })).status).toBe(200);
    }
    expect(time.now).toBe(EXAMPLE_NOW);
  });

  it('the payment is verified: the books are fetched meanwhile', async () => {
    const { time, base, paywall } = await withoutBooks();
    let verified = (): void => undefined;
    paywall.hold = new Promise((resolve) => {
      verified = resolve;
    });
    const answering = fetch(base + EXECUTION, { headers: PAYMENT });
    await until(() => expect(paywall.taken).toHaveLength(1));
    await time.advance(2000);
    verified();
    // They have had their two seconds: there is nothing to wait for.
    expect((await answering).status).toBe(503);
    expect(time.pending).toBe(0);
  });

  it('two ask at once: both wait, neither cuts the other short', async () => {
    const { time, books, base, paywall } = await withoutBooks();
    const gone = asked(base, EXECUTION);
    const stays = fetch(base + EXECUTION, { headers: PAYMENT });
    await until(() => expect(time.pending).toBe(2));
    gone.destroy();
    await until(() => expect(time.pending).toBe(1));
    for (const venue of VENUES) books.write(bookOf(venue));
    await time.advance(2000);
    expect((await stays).status).toBe(200);
    // A fake of the paywall notes what it would have charged for.
    await until(() => expect(paywall.deliveries).toEqual([true]));
  });

  it('the client goes: the wait ends, and nothing is sold', async () => {
    const { time, base, isWaiting, paywall } = await withoutBooks();
    const gone = asked(base, EXECUTION);
    await isWaiting();
    gone.destroy();
    await until(() => expect(time.pending).toBe(0));
    expect(paywall.deliveries).toEqual([]);
  });

  it('the service stops: the wait ends with a 503', async () => {
    const { base, isWaiting, time, api } = await withoutBooks();
    const answering = fetch(base + EXECUTION, { headers: PAYMENT });
    await isWaiting();
    const closed = api.close();
    const response = await answering;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'not_ready' });
    await closed;
    expect(time.pending).toBe(0);
  });

  it('free of charge: it waits alike', async () => {
    const { time, books, base, isWaiting } = await withoutBooks('off');
    const answering = fetch(base + EXECUTION);
    await isWaiting();
    for (const venue of VENUES) books.write(bookOf(venue));
    await time.advance(50);
    expect((await answering).status).toBe(200);
  });
});
