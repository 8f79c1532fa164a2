import type { PriceLevels } from './price-levels.ts';

/**
 * When each level was last set, for venues whose rule is to drop the older level of a crossed touch. Messages are
 * counted; a level that no message has set since the snapshot counts as old as that.
 */
class LevelAges {
  readonly #setAt = new Map<number, number>();
  #message = 0;
  #wholeAt = 0;

  /** A message begins; a snapshot makes all levels the same age. */
  begin(isSnapshot: boolean): void {
    this.#message++;
    if (!isSnapshot) return;
    this.#setAt.clear();
    this.#wholeAt = this.#message;
  }

  note(key: number, size: number): void {
    if (size === 0) this.#setAt.delete(key);
    else this.#setAt.set(key, this.#message);
  }

  /** Number of the message that set the level last. */
  of(key: number): number {
    return this.#setAt.get(key) ?? this.#wholeAt;
  }
}

/** Levels that a cross hides, with their sizes as the venue states them. */
type Hidden = Map<number, number>;

/**
 * dYdX's rule for its own books: while the best bid is not below the best ask, the older of the two levels does not
 * count; of two of the same age the smaller does not, and the larger counts for what it has more. The venue goes on
 * holding what is hidden and tells no more of it, so it is back once the level that hid it is gone.
 */
export class Uncrossing {
  readonly #bids: PriceLevels;
  readonly #asks: PriceLevels;
  readonly #bidAges = new LevelAges();
  readonly #askAges = new LevelAges();
  readonly #hiddenBids: Hidden = new Map();
  readonly #hiddenAsks: Hidden = new Map();

  constructor(bids: PriceLevels, asks: PriceLevels) {
    this.#bids = bids;
    this.#asks = asks;
  }

  /** A message begins: a change finds the venue's levels, a snapshot none. */
  begin(isSnapshot: boolean): void {
    this.#bidAges.begin(isSnapshot);
    this.#askAges.begin(isSnapshot);
    if (!isSnapshot) {
      restore(this.#bids, this.#hiddenBids);
      restore(this.#asks, this.#hiddenAsks);
    }
    this.#hiddenBids.clear();
    this.#hiddenAsks.clear();
  }

  /** A message sets a level. */
  note(side: PriceLevels, key: number, size: number): void {
    (side === this.#bids ? this.#bidAges : this.#askAges).note(key, size);
  }

  /** Hides levels until nothing is crossed. */
  settle(): void {
    const bids = this.#bids;
    const asks = this.#asks;
    while (bids.count > 0 && asks.count > 0 && bids.bestKey >= -asks.bestKey) {
      const bidAt = this.#bidAges.of(bids.bestKey);
      const askAt = this.#askAges.of(asks.bestKey);
      const left = bidAt === askAt ? bids.bestSize - asks.bestSize : 0;
      if (bidAt <= askAt) hide(bids, this.#hiddenBids, left);
      if (bidAt >= askAt) hide(asks, this.#hiddenAsks, -left);
    }
  }
}

function restore(side: PriceLevels, hidden: Hidden): void {
  for (const [key, size] of hidden) side.set(key, size);
}

/** Hides the best level of a side, or what is more of it than `left`. */
function hide(side: PriceLevels, hidden: Hidden, left: number): void {
  if (!hidden.has(side.bestKey)) hidden.set(side.bestKey, side.bestSize);
  if (left > 0) side.resizeBest(left);
  else side.dropBest();
}
