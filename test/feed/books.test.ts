import { describe, expect, it } from 'vitest';
import type { BookWriter } from '../../src/collect/ports.ts';
import { frameOf } from '../books/frame-of.ts';
import { BTC, CONTRACTS, type Seller, SIDES, VENUE, Wire } from './wire.ts';

/** A holder with a book that nothing was written to yet. */
function scene() {
  const wire = new Wire();
  const holder = wire.collector();
  const book = holder.sinks.books.open(BTC, { uncrosses: false });
  return { wire, holder, book };
}

function fill(book: BookWriter, { clock }: Wire): void {
  const frame = frameOf({ symbol: BTC.symbol, kind: 'snapshot', ...SIDES });
  book.replace(frame, clock.now(), { source: 'stream' });
}

const bestBid = ({ books }: Seller): number | undefined => books.view.quote(VENUE, BTC.symbol)?.bestBid;

describe('the books of a venue in the feed', () => {
  it('a silent holder: not served, and served again once heard', () => {
    const { wire, holder, book } = scene();
    holder.take(5);
    fill(book, wire);
    wire.pass(2000);
    wire.pass(1000, () => true);
    expect(bestBid(wire.seller)).toBe(59_999);
    wire.pass(3100, () => true);
    expect(bestBid(wire.seller)).toBeUndefined();
    wire.pass(2000);
    expect(bestBid(wire.seller)).toBe(59_999);
    expect(wire.statusOf()).toBe('live');
  });

  it('are kept over a pause of the seller itself in which nothing was lost', () => {
    const { wire, holder, book } = scene();
    holder.take(5);
    fill(book, wire);
    wire.pass(2000);
    wire.pause(5000);
    wire.follower.tick();
    wire.pass(25);
    expect(bestBid(wire.seller)).toBe(59_999);
    expect(wire.statusOf()).toBe('live');
  });

  it('count into the lag of a message with the oldest change that it brings', () => {
    const { wire, holder, book } = scene();
    holder.take(5);
    fill(book, wire);
    wire.pass(200);
    fill(book, wire);
    wire.pass(25);
    // Sent just now, it waits its turn; a mark that comes meanwhile leaves with it.
    fill(book, wire);
    wire.pass(75);
    const { sum } = wire.counts.lag;
    holder.mark(BTC.symbol, 60_000);
    wire.pass(25);
    expect(wire.counts.lag.sum - sum).toBeCloseTo(0.1);
  });

  it('a break just before another seller joins: all are told', () => {
    const { wire, holder, book } = scene();
    holder.take(5);
    wire.pass(500);
    fill(book, wire);
    wire.pass(25);
    expect(bestBid(wire.seller)).toBe(59_999);
    // It was sent just now: its next change waits its turn, and the whole state goes out first.
    book.invalidate();
    const second = wire.join();
    wire.pass(200);
    expect(second.followed.health.of(VENUE)?.status).toBe('live');
    expect([wire.seller, second].map(bestBid)).toEqual([undefined, undefined]);
  });

  it('are told once as a holder begins', () => {
    const { wire, holder, book } = scene();
    fill(book, wire);
    holder.take(5);
    wire.pass(1000);
    expect(wire.books).toBe(CONTRACTS.length);
    expect(bestBid(wire.seller)).toBe(59_999);
  });

  it('are told ten times a second at most each, and in their last state', () => {
    const { wire, holder, book } = scene();
    holder.take(5);
    wire.pass(100);
    const before = wire.books;
    for (let i = 0; i < 400; i++) {
      const sides = { bids: [[59_000 + i, 1]], asks: [[60_001, 1]] } as const;
      const frame = frameOf({ symbol: BTC.symbol, kind: 'snapshot', ...sides });
      book.replace(frame, wire.clock.now(), { source: 'stream' });
      wire.pass(25);
    }
    const told = wire.books - before;
    expect(told).toBeLessThanOrEqual(101);
    expect(told).toBeGreaterThan(90);
    wire.pass(100);
    expect(bestBid(wire.seller)).toBe(59_399);
  });
});
