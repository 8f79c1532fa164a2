import type { BookHand, Row, Sides } from '../book-hand.ts';

/** Steps a second that a book takes where nothing else is set. */
export const BOOK_RATE = 1;

/**
 * Books change at whole multiples of this, so that every stream and the REST answers show the same ones under the
 * same numbers. One for the whole process: streams and REST of all venues must agree.
 */
let stepMs = 1000 / BOOK_RATE;

/**
 * Sets how often books move.
 *
 * @param rate steps a second of each book, above 0 and at most 1000
 */
export function setBookRate(rate: number): void {
  stepMs = Math.max(1, Math.round(1000 / rate));
}

/** Time of the book that is shown at `t`. */
export function bookTime(t: number): number {
  return Math.floor(t / stepMs) * stepMs;
}

/** A level that is new, has another size or is gone; of one that is gone, the row that was there. */
export interface RowChange {
  readonly kind: 'new' | 'change' | 'delete';
  readonly row: Row;
}

export interface SideChanges {
  readonly bids: readonly RowChange[];
  readonly asks: readonly RowChange[];
}

function changesOf(before: readonly Row[], now: readonly Row[]): readonly RowChange[] {
  const was = new Map(before.map((row) => [row[0], row[1]]));
  const is = new Set(now.map(([price]) => price));
  const set = now
    .filter(([price, size]) => was.get(price) !== size)
    .map((row): RowChange => ({ kind: was.has(row[0]) ? 'change' : 'new', row }));
  const gone = before.filter(([price]) => !is.has(price));
  return [...set, ...gone.map((row): RowChange => ({ kind: 'delete', row }))];
}

/** One contract's book on one subscription: what has been shown, and what changes with time. */
export class SteppedBook {
  readonly #render: (t: number) => Sides;
  readonly #hand: BookHand | undefined;
  #at: number;
  #sides: Sides;

  /**
   * @param render the book of a time, with as many levels as the subscription has
   * @param hand the connection's hand in this contract's book
   */
  constructor(render: (t: number) => Sides, now: number, hand?: BookHand) {
    this.#render = render;
    this.#hand = hand;
    this.#at = this.#timeOf(now);
    this.#sides = this.#sidesOf(this.#at);
  }

  /** Time of the book that was shown last. */
  get at(): number {
    return this.#at;
  }

  get sides(): Sides {
    return this.#sides;
  }

  /** Moves on to the book of `now`. Undefined where it is the same. */
  advance(now: number): SideChanges | undefined {
    const at = this.#timeOf(now);
    if (at <= this.#at) return undefined;
    const before = this.#sides;
    this.#sides = this.#sidesOf(at);
    const bids = changesOf(before.bids, this.#sides.bids);
    const asks = changesOf(before.asks, this.#sides.asks);
    if (bids.length + asks.length === 0) return undefined;
    this.#at = at;
    return { bids, asks };
  }

  #timeOf(now: number): number {
    return bookTime(this.#hand?.time(now) ?? now);
  }

  #sidesOf(at: number): Sides {
    const sides = this.#render(at);
    return this.#hand?.sides(sides) ?? sides;
  }
}

/**
 * Changed levels, most venues' way: what is gone has size zero.
 *
 * @param zero what stands behind the price of a level that is gone
 */
export function zeroed(changes: readonly RowChange[], zero: Row = ['0']): readonly Row[] {
  return changes.map(({ kind, row }) => (kind === 'delete' ? [row[0] ?? '', ...zero] : row));
}
