import type { BookLevel, BookUpdate } from '../../src/domain/book.ts';

/** A book under test: levels by price. */
export interface ReplayedBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

type Side = Map<number, number>;

function apply(side: Side, levels: readonly BookLevel[]): void {
  for (const [price, size] of levels) {
    if (size === 0) side.delete(price);
    else side.set(price, size);
  }
}

function sorted(side: Side, sign: 1 | -1): BookLevel[] {
  return [...side].map(([price, size]) => [price, size] as const).sort((a, b) => sign * (a[0] - b[0]));
}

/** The book after all messages in order; a snapshot replaces what was there. Continuity is the caller's. */
export function replay(updates: readonly BookUpdate[]): ReplayedBook {
  const bids: Side = new Map();
  const asks: Side = new Map();
  for (const update of updates) {
    if (update.kind === 'snapshot') {
      bids.clear();
      asks.clear();
    }
    apply(bids, update.bids);
    apply(asks, update.asks);
  }
  return { bids: sorted(bids, -1), asks: sorted(asks, 1) };
}
