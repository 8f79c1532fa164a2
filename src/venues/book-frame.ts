import type { BookLevel, BookUpdate } from '../domain/book.ts';

/** Levels of one side, as they came: price and size in turn, in one array that is used again and again. */
export class LevelList {
  /** `[price, size, price, size, …]`; only the first `count` pairs count. */
  pairs = new Float64Array(128);
  count = 0;

  /** Adds a level behind the others. */
  add(price: number, size: number): void {
    const at = this.count * 2;
    if (at === this.pairs.length) this.#grow(at * 2);
    this.pairs[at] = price;
    this.pairs[at + 1] = size;
    this.count++;
  }

  /** Takes over the levels of an array in their order. */
  load(levels: readonly BookLevel[]): void {
    this.count = 0;
    // Taken apart by index: `[price, size]` makes three objects of each level.
    for (const level of levels) this.add(level[0], level[1]);
  }

  /** Takes over the levels of another list. */
  copy(other: LevelList): void {
    const length = other.count * 2;
    if (length > this.pairs.length) this.pairs = new Float64Array(length);
    this.pairs.set(other.pairs.subarray(0, length));
    this.count = other.count;
  }

  #grow(length: number): void {
    const grown = new Float64Array(length);
    grown.set(this.pairs);
    this.pairs = grown;
  }
}

/** Sequence numbers and times of a book message; NaN where the message states none. */
export interface FrameStamps {
  readonly sequence: number;
  readonly firstSequence: number;
  readonly previousSequence: number;
  readonly venueTime: number;
}

/**
 * One book message in compact form. One object is filled again for every message, so that reading frames leaves no
 * garbage; who keeps a message keeps a `clone`.
 */
export class BookFrame implements FrameStamps {
  symbol = '';
  /** A snapshot, which replaces what is held; else changes of it. */
  isSnapshot = false;
  /** Levels are in ticker units already; else in the venue's own units of the contract. */
  scaled = false;
  sequence = Number.NaN;
  firstSequence = Number.NaN;
  previousSequence = Number.NaN;
  venueTime = Number.NaN;
  readonly bids = new LevelList();
  readonly asks = new LevelList();

  /** Empties the frame before it is filled. */
  reset(): void {
    this.isSnapshot = false;
    this.scaled = false;
    this.sequence = Number.NaN;
    this.firstSequence = Number.NaN;
    this.previousSequence = Number.NaN;
    this.venueTime = Number.NaN;
    this.bids.count = 0;
    this.asks.count = 0;
  }

  /** Takes over a decoded message. */
  load(update: BookUpdate): void {
    this.symbol = update.symbol;
    this.isSnapshot = update.kind === 'snapshot';
    this.scaled = true;
    this.sequence = update.sequence ?? Number.NaN;
    this.firstSequence = update.firstSequence ?? Number.NaN;
    this.previousSequence = update.previousSequence ?? Number.NaN;
    this.venueTime = update.venueTime ?? Number.NaN;
    this.bids.load(update.bids);
    this.asks.load(update.asks);
  }

  /** A frame of its own with the same content. */
  clone(): BookFrame {
    const copy = new BookFrame();
    copy.symbol = this.symbol;
    copy.isSnapshot = this.isSnapshot;
    copy.scaled = this.scaled;
    copy.sequence = this.sequence;
    copy.firstSequence = this.firstSequence;
    copy.previousSequence = this.previousSequence;
    copy.venueTime = this.venueTime;
    copy.bids.copy(this.bids);
    copy.asks.copy(this.asks);
    return copy;
  }
}
