import type { BookCondition, BookDivergence, BookOrigin, BookWriter } from '../../collect/ports.ts';
import type { BookSource, DepthFigures } from '../../domain/depth-quote.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { BookFrame } from '../../venues/book-frame.ts';
import { measureDivergence } from './divergence.ts';
import { OrderBook } from './order-book.ts';

/** Counts what happens to all books, so that readers know whether anything changed. */
export interface BookTally {
  changes: number;
}

/** One contract's book with how and when it was obtained. */
export class LiveBook implements BookWriter {
  readonly contract: Instrument;
  readonly book: OrderBook;
  readonly #tally: BookTally;
  readonly #closed: (book: LiveBook) => void;
  #isValid = false;
  #condition: BookCondition = 'good';
  #source: BookSource = 'rest';
  #confirmedAt = 0;
  #emptySince = 0;
  #version = 0;

  constructor(contract: Instrument, uncrosses: boolean, tally: BookTally, closed: (book: LiveBook) => void) {
    const { multiplier, contractSize } = contract;
    this.contract = contract;
    this.book = new OrderBook({
      scale: { price: multiplier, size: multiplier * contractSize },
      uncrosses,
    });
    this.#tally = tally;
    this.#closed = closed;
  }

  /** True if the book here is the venue's as of `confirmedAt`, and neither crossed nor cut short. */
  get isServed(): boolean {
    return this.#isValid && this.#condition === 'good';
  }

  get source(): BookSource {
    return this.#source;
  }

  /** The last message of this book, or snapshot over REST. */
  get confirmedAt(): UnixMs {
    return asMs(this.#confirmedAt);
  }

  /** Since when both sides have been empty; undefined where they are not, or the book is not in order. */
  get emptySince(): UnixMs | undefined {
    return this.#isValid && this.#emptySince > 0 ? asMs(this.#emptySince) : undefined;
  }

  /** Grows with every change and every confirmation of this book. */
  get version(): number {
    return this.#version;
  }

  /** Spread and slippage; undefined where the book is not served or has no two sides. */
  get figures(): DepthFigures | undefined {
    return this.isServed ? this.book.figures() : undefined;
  }

  replace(frame: BookFrame, at: UnixMs, { source, limit }: BookOrigin): BookCondition {
    this.#isValid = true;
    return this.#changed(this.book.replace(frame, limit), at, source);
  }

  apply(frame: BookFrame, at: UnixMs): BookCondition {
    return this.#changed(this.book.apply(frame), at, 'stream');
  }

  confirm(at: UnixMs): void {
    if (!this.#isValid) return;
    this.#confirmedAt = at;
    this.#count();
  }

  invalidate(): void {
    if (!this.#isValid) return;
    this.#isValid = false;
    this.#emptySince = 0;
    this.#count();
  }

  compare(frame: BookFrame): BookDivergence {
    return measureDivergence(this.book, frame);
  }

  close(): void {
    this.invalidate();
    this.#closed(this);
  }

  #changed(condition: BookCondition, at: UnixMs, source: BookSource): BookCondition {
    this.#condition = condition;
    this.#source = source;
    this.#confirmedAt = at;
    if (!this.book.isEmpty) this.#emptySince = 0;
    else if (this.#emptySince === 0) this.#emptySince = at;
    this.#count();
    return condition;
  }

  #count(): void {
    this.#version++;
    this.#tally.changes++;
  }
}
