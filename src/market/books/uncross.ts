import type { PriceLevels } from './price-levels.ts';

/**
 * When each level was last set, for venues whose rule is to drop the older level of a crossed touch. Messages are
 * counted; a level that no message has set since the whole book counts as old as that.
 */
export class LevelAges {
  readonly #setAt = new Map<number, number>();
  #message = 0;
  #wholeAt = 0;

  /** A message begins; a whole book makes all levels the same age. */
  begin(whole: boolean): void {
    this.#message++;
    if (!whole) return;
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

/**
 * Ends a cross: while the best bid is not below the best ask, the older of the two levels goes; of two of the same
 * age the smaller goes and the larger is reduced by it. This is dYdX's rule for its own books.
 */
export function uncross(bids: PriceLevels, asks: PriceLevels, bidAges: LevelAges, askAges: LevelAges): void {
  while (bids.count > 0 && asks.count > 0 && bids.bestKey >= -asks.bestKey) {
    const bidAt = bidAges.of(bids.bestKey);
    const askAt = askAges.of(asks.bestKey);
    if (bidAt < askAt) bids.dropBest();
    else if (bidAt > askAt) asks.dropBest();
    else offset(bids, asks);
  }
}

function offset(bids: PriceLevels, asks: PriceLevels): void {
  const left = bids.bestSize - asks.bestSize;
  if (left > 0) bids.resizeBest(left);
  else bids.dropBest();
  if (left < 0) asks.resizeBest(-left);
  else asks.dropBest();
}
