import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { BookStore } from '../../src/market/books/book-store.ts';
import { BookFrame } from '../../src/venues/book-frame.ts';
import type { WorldMarket } from './world-market.ts';

/** Levels a side of the books that are kept. */
export const BOOK_DEPTH = 40;

/**
 * Puts the world's own books into a store, without a decoder in between.
 *
 * @param at the time at which a venue was read; the present by default
 */
export function fillBooks(
  store: BookStore,
  { pairings, world, clock }: WorldMarket,
  at: (venue: string) => UnixMs = () => asMs(clock.now()),
): void {
  for (const { adapter, sim } of pairings) {
    const time = at(adapter.id);
    for (const one of world.contracts(sim.listing)) {
      if (one.kind !== 'perp' || one.status !== 'live') continue;
      const { symbol, base, multiplier, quote, settle } = one;
      const { ticker } = one.asset;
      const contract = {
        venue: adapter.id,
        symbol,
        base,
        ticker,
        multiplier,
        contractSize: 1,
        quote,
        settle,
      };
      const frame = new BookFrame();
      frame.symbol = symbol;
      frame.isSnapshot = true;
      frame.scaled = true;
      const { bids, asks } = world.book(one, time, BOOK_DEPTH);
      frame.bids.load(bids);
      frame.asks.load(asks);
      store.bookSink.open(contract, { uncrosses: false }).replace(frame, time, { source: 'rest' });
    }
  }
}
