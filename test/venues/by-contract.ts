import { describe, expect, it } from 'vitest';
import type { BookUpdate } from '../../src/domain/book.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { type AskedVenue, AT, ask, connect, contractOf, pairingOf, runOf, world } from './asked-venue.ts';
import { replay } from './replay.ts';
import { callFor, contextOf } from './samples.ts';
import { renderRequest } from './sim-run.ts';

const TICKERS = ['BTC', 'PEPE'];

/**
 * Checks beyond the acceptance checks of a simulated venue: calls by contract, histories, books that move,
 * refusals.
 */
export function describeByContract(venue: AskedVenue): void {
  const { adapter, sim } = venue;

  describe(`simulated ${adapter.id}, asked by contract`, () => {
    it.each(TICKERS)('reads the rates that were charged on %s', (ticker) => {
      const contract = contractOf(venue, ticker);
      const { funding } = ask(venue, venue.funding, contract);
      expect(funding).toHaveLength(48);
      for (const { time, rate, intervalHours } of funding) {
        expect(time % (contract.intervalHours * HOUR_MS)).toBe(0);
        expect(time).toBeLessThanOrEqual(AT);
        expect(rate).toBeCloseTo(world.settledRate(contract, time), 7);
        expect(intervalHours).toBe(contract.intervalHours);
      }
    });

    it.each(TICKERS)('reads the book of %s in single coins, best first', (ticker) => {
      const contract = contractOf(venue, ticker);
      const [book] = ask(venue, venue.book, contract).books;
      const truth = world.book(contract, AT, 20);
      for (const side of ['bids', 'asks'] as const) {
        truth[side].forEach(([price, size], i) => {
          const [gotPrice = 0, gotSize = 0] = book?.[side][i] ?? [];
          expect(gotPrice / price).toBeCloseTo(1, 6);
          expect(gotSize / size).toBeCloseTo(1, 5);
        });
      }
    });

    it.each(TICKERS)('%s asked for alone says what the bulk calls say', (ticker) => {
      const contract = contractOf(venue, ticker);
      const all = venue.single.flatMap((address) => ask(venue, address, contract).quotes);
      const quotes = all.filter(({ symbol }) => symbol === contract.symbol);
      const bulk = runOf(venue).quotes.get(contract.symbol);
      expect(Object.assign({}, ...quotes)).toEqual(bulk);
    });

    it.each(TICKERS)('follows the moving book of %s without a gap', (ticker) => {
      const contract = contractOf(venue, ticker);
      const { say, tick, frames, closed } = connect(sim, venue.socket);
      const decode = callFor(adapter, 'a channel')?.decode;
      if (decode === undefined) throw new Error('no frames');
      say(venue.follow(contract.symbol));
      for (let i = 1; i <= 8; i++) tick(AT + i * 1000);
      const context = contextOf([...runOf(venue).instruments.values()]);
      const decoded = frames().map((frame) => decode(frame, context));
      expect(decoded.flatMap(({ rejects }) => rejects)).toEqual([]);
      const pushed = decoded.flatMap(({ books }) => books);
      // Backpack's stream has no beginning: the REST book is one.
      const books =
        pushed[0]?.kind === 'snapshot' ? pushed : [...ask(venue, venue.book, contract).books, ...pushed];
      expect(books.length).toBeGreaterThan(4);
      expectChain(books);
      const truth = world.book(contract, AT + 8000, 10);
      const { bids, asks } = replay(books);
      for (const [got, expected] of [
        [bids, truth.bids],
        [asks, truth.asks],
      ] as const) {
        expected.forEach(([price, size], i) => {
          expect((got[i]?.[0] ?? 0) / price).toBeCloseTo(1, 6);
          expect((got[i]?.[1] ?? 0) / size).toBeCloseTo(1, 5);
        });
      }
      expect(closed()).toBeUndefined();
    });

    it.each(venue.refused)('%s is an error body to every decoder', (path, status) => {
      const answer = renderRequest(pairingOf(venue), world, { method: 'GET', path }, AT);
      expect(answer?.status).toBe(status);
      const call = callFor(venue.adapter, path) ?? callFor(venue.adapter, 'a channel');
      const decoded = call?.decode(JSON.parse(answer?.body ?? ''), contextOf());
      expect(decoded?.rejects).toMatchObject([{ symbol: null, reason: 'error_body' }]);
      expect(decoded?.quotes).toEqual([]);
    });

    // No rows where a venue refuses in JSON alone.
    if (venue.refusedInText.length > 0) {
      it.each(venue.refusedInText)('%s is no JSON', (path, status) => {
        const answer = renderRequest(pairingOf(venue), world, { method: 'GET', path }, AT);
        expect(answer?.status).toBe(status);
        expect(() => JSON.parse(answer?.body ?? '')).toThrow();
      });
    }
  });
}

/** Each message follows the one before, by whichever number the venue ties them with. */
function expectChain(books: readonly BookUpdate[]): void {
  books.slice(1).forEach((book, i) => {
    const last = books[i]?.sequence ?? 0;
    if (book.previousSequence !== undefined) expect(book.previousSequence).toBe(last);
    if (book.firstSequence !== undefined) expect(book.firstSequence).toBe(last + 1);
    expect(book.sequence).toBeGreaterThanOrEqual(last);
  });
}
