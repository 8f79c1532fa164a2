import type { LevelList } from '../../venues/book-frame.ts';

/** Levels looked at one by one from the best before the search halves: most changes are near the touch. */
const NEAR = 2;
/** Below this many numbers to move, a loop is quicker than a call. */
const SHORT_MOVE = 32;
const MIN_LEVELS = 16;

/**
 * One side of a book: price and size in turn in one array, the best price last, so that changes near the touch move
 * little. Prices are held as keys that grow towards the best: the price itself for bids, its negative for asks.
 * Numbers in `cells` below `2 * count` are always there, which is what the assertions on reads say.
 */
export class PriceLevels {
  readonly sign: 1 | -1;
  #cells = new Float64Array(2 * MIN_LEVELS);
  #count = 0;

  /** @param sign 1 for bids, -1 for asks */
  constructor(sign: 1 | -1) {
    this.sign = sign;
  }

  get count(): number {
    return this.#count;
  }

  /** `[key, size, key, size, …]`, worst first; only the first `2 * count` numbers count. */
  get cells(): Float64Array {
    return this.#cells;
  }

  /** Key of the best level; -Infinity on an empty side. */
  get bestKey(): number {
    return this.#count === 0 ? Number.NEGATIVE_INFINITY : (this.#cells[2 * this.#count - 2] as number);
  }

  /** Size of the best level; 0 on an empty side. */
  get bestSize(): number {
    return this.#count === 0 ? 0 : (this.#cells[2 * this.#count - 1] as number);
  }

  /** Key of the worst level; Infinity on an empty side. */
  get worstKey(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : (this.#cells[0] as number);
  }

  /** Key of the level at this rank, the best at 0; NaN beyond the worst. */
  keyAt(rank: number): number {
    return rank < this.#count ? (this.#cells[2 * (this.#count - 1 - rank)] as number) : Number.NaN;
  }

  /** Size of the level at this rank. */
  sizeAt(rank: number): number {
    return rank < this.#count ? (this.#cells[2 * (this.#count - 1 - rank) + 1] as number) : Number.NaN;
  }

  /** Bytes held for levels. */
  get bytes(): number {
    return this.#cells.byteLength;
  }

  /** Sets the size of a level; 0 removes it, whether it is there or not. */
  set(key: number, size: number): void {
    const cells = this.#cells;
    let at = 2 * this.#count - 2;
    const near = at - 2 * NEAR;
    while (at >= 0 && at > near && (cells[at] as number) > key) at -= 2;
    if (at >= 0 && at <= near && (cells[at] as number) > key) at = this.#search(key, at);
    if (at >= 0 && cells[at] === key) {
      if (size === 0) this.#remove(at);
      else cells[at + 1] = size;
    } else if (size !== 0) this.#insert(at + 2, key, size);
  }

  /** Takes over a whole side, in whatever order it comes; levels of size 0 are left out. */
  load(list: LevelList, priceScale: number, sizeScale: number): void {
    this.#reserve(list.count);
    if (this.#loadSorted(list, priceScale, sizeScale)) return;
    this.#count = 0;
    for (let i = 0; i < 2 * list.count; i += 2) {
      const key = (this.sign * (list.pairs[i] as number)) / priceScale;
      this.set(key, (list.pairs[i + 1] as number) * sizeScale);
    }
  }

  /** Removes the best level. */
  dropBest(): void {
    if (this.#count > 0) this.#count--;
  }

  /** Sets the size of the best level. */
  resizeBest(size: number): void {
    if (this.#count > 0) this.#cells[2 * this.#count - 1] = size;
  }

  /** Removes all levels worse than the best `keep`. */
  cut(keep: number): void {
    if (keep >= this.#count) return;
    this.#cells.copyWithin(0, 2 * (this.#count - keep), 2 * this.#count);
    this.#count = keep;
  }

  /** Levels whose key is at least this. */
  countFrom(key: number): number {
    const cells = this.#cells;
    let at = 2 * this.#count - 2;
    while (at >= 0 && (cells[at] as number) >= key) at -= 2;
    return this.#count - 1 - at / 2;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Takes over a side that runs from best to worst or from worst to best; false where it runs otherwise. */
  #loadSorted({ pairs, count }: LevelList, priceScale: number, sizeScale: number): boolean {
    const last = 2 * count - 2;
    const isBestFirst = count > 1 && this.sign * (pairs[0] as number) > this.sign * (pairs[last] as number);
    let before = Number.NEGATIVE_INFINITY;
    this.#count = 0;
    for (let i = 0; i <= last; i += 2) {
      const at = isBestFirst ? last - i : i;
      const key = (this.sign * (pairs[at] as number)) / priceScale;
      if (key <= before) return false;
      before = key;
      const size = pairs[at + 1] as number;
      if (size !== 0) this.#append(key, size * sizeScale);
    }
    return true;
  }

  /** Place of the last level with a key of at most `key`, below `before`; -2 where there is none. */
  #search(key: number, before: number): number {
    const cells = this.#cells;
    let low = 0;
    let high = before >> 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cells[2 * middle] as number) <= key) low = middle + 1;
      else high = middle;
    }
    return 2 * low - 2;
  }

  #append(key: number, size: number): void {
    this.#reserve(this.#count + 1);
    this.#cells[2 * this.#count] = key;
    this.#cells[2 * this.#count + 1] = size;
    this.#count++;
  }

  #insert(at: number, key: number, size: number): void {
    const end = 2 * this.#count;
    if (end === this.#cells.length) this.#reserve(this.#count + (this.#count >> 3) + MIN_LEVELS);
    const cells = this.#cells;
    if (end - at > SHORT_MOVE) cells.copyWithin(at + 2, at, end);
    else for (let i = end - 1; i >= at; i--) cells[i + 2] = cells[i] as number;
    cells[at] = key;
    cells[at + 1] = size;
    this.#count++;
  }

  #remove(at: number): void {
    const cells = this.#cells;
    const end = 2 * this.#count;
    if (end - at > SHORT_MOVE) cells.copyWithin(at, at + 2, end);
    else for (let i = at + 2; i < end; i++) cells[i - 2] = cells[i] as number;
    this.#count--;
  }

  #reserve(levels: number): void {
    if (2 * levels <= this.#cells.length) return;
    const grown = new Float64Array(2 * Math.max(levels, MIN_LEVELS));
    grown.set(this.#cells.subarray(0, 2 * this.#count));
    this.#cells = grown;
  }
}
