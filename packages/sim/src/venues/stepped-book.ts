import type { BookDistortion, Row, Sides } from '../book-distortion.ts';

/** Steps a second that a book takes where nothing else is set. */
export const BOOK_RATE = 1;

/** From a moment on every step takes so long. The step that begins at the moment has a number. */
interface Stretch {
  readonly from: number;
  readonly step: number;
  readonly ms: number;
}

/** Stretches that are kept: a pace changes at most every few seconds, and older books are asked for by nobody. */
const MOST_STRETCHES = 64;

/**
 * Books change at the steps of these, so that every stream and the REST answers show the same ones under the
 * same numbers. One list for the whole process: streams and REST of all venues must agree.
 */
let stretches: readonly Stretch[] = [{ from: 0, step: 0, ms: 1000 / BOOK_RATE }];

/**
 * Sets how often books move, for all times.
 *
 * @param rate steps a second of each book, above 0 and at most 1000
 */
export function setBookRate(rate: number): void {
  stretches = [{ from: 0, step: 0, ms: Math.max(1, Math.round(1000 / rate)) }];
}

/**
 * Sets how often books move from the step of a moment on. Earlier books stay as they were, and numbers go on one by
 * one.
 *
 * @param now Unix ms
 * @param ms length of a step
 */
export function setBookStep(now: number, ms: number): void {
  const next = { from: bookTime(now), step: bookStep(now), ms };
  stretches = [...stretches.slice(1 - MOST_STRETCHES), next];
}

const stretchOf = (isBefore: (stretch: Stretch) => boolean): Stretch => {
  for (let i = stretches.length - 1; i > 0; i--) {
    const stretch = stretches[i];
    if (stretch !== undefined && isBefore(stretch)) return stretch;
  }
  return stretches[0] as Stretch;
};

const stepsIn = ({ from, ms }: Stretch, t: number): number => Math.floor((t - from) / ms);

/** Time of the book that is shown at `t`. */
export function bookTime(t: number): number {
  const stretch = stretchOf(({ from }) => from <= t);
  return stretch.from + stepsIn(stretch, t) * stretch.ms;
}

/** Number of the step whose book is shown at `t`: one more from step to step. */
export function bookStep(t: number): number {
  const stretch = stretchOf(({ from }) => from <= t);
  return stretch.step + stepsIn(stretch, t);
}

/** Time of the book of a step. */
export function stepTime(step: number): number {
  const stretch = stretchOf((each) => each.step <= step);
  return stretch.from + (step - stretch.step) * stretch.ms;
}

/** The greatest number of steps that a message spans. */
const MAX_SKIPPED = 200;

/** A level that is new, has another size or is gone; of one that is gone, the row that was there. */
export interface RowChange {
  readonly kind: 'new' | 'change' | 'delete';
  readonly row: Row;
}

export interface SideChanges {
  readonly bids: readonly RowChange[];
  readonly asks: readonly RowChange[];
}

/**
 * Changes that a message must contain to lead from one book to a later one. A client that joins it to a
 * snapshot of a moment between them needs the levels that changed and changed back as well.
 *
 * @param before the book that was sent last, then those that were skipped
 */
function changesOf(before: readonly (readonly Row[])[], now: readonly Row[]): readonly RowChange[] {
  const [only = []] = before;
  if (before.length <= 1) return stepChanges(only, now);
  const prices = new Set((before[0] ?? []).map(([price]) => price));
  const is = new Map(now.map((row) => [row[0], row]));
  const same = new Map<unknown, number>();
  const gone = new Map<unknown, Row>();
  for (const side of before) {
    for (const row of side) {
      const current = is.get(row[0]);
      if (current === undefined) gone.set(row[0], row);
      else if (current[1] === row[1]) same.set(row[0], (same.get(row[0]) ?? 0) + 1);
    }
  }
  const set = now
    .filter(([price]) => same.get(price) !== before.length)
    .map((row): RowChange => ({ kind: prices.has(row[0]) ? 'change' : 'new', row }));
  return [...set, ...[...gone.values()].map((row): RowChange => ({ kind: 'delete', row }))];
}

const hasSamePrices = (before: readonly Row[], now: readonly Row[]): boolean =>
  before.length === now.length && now.every((row, i) => row[0] === before[i]?.[0]);

/** The usual case, one step: thousands of books a second are worth a way with a single map, or none for the same prices. */
function stepChanges(before: readonly Row[], now: readonly Row[]): readonly RowChange[] {
  if (hasSamePrices(before, now)) {
    return now.filter((row, i) => row[1] !== before[i]?.[1]).map((row) => ({ kind: 'change', row }));
  }
  const left = new Map<unknown, Row>();
  for (const row of before) left.set(row[0], row);
  const changes: RowChange[] = [];
  for (const row of now) {
    const was = left.get(row[0]);
    if (was === undefined) changes.push({ kind: 'new', row });
    else {
      left.delete(row[0]);
      if (was[1] !== row[1]) changes.push({ kind: 'change', row });
    }
  }
  for (const row of left.values()) changes.push({ kind: 'delete', row });
  return changes;
}

/** One contract's book on one subscription: what has been shown, and what changes with time. */
export class SteppedBook {
  readonly #render: (t: number) => Sides;
  readonly #distortion: BookDistortion | undefined;
  #at: number;
  /** Time of the sides; later than `#at` where nothing changed since. */
  #seen: number;
  #sides: Sides;

  /**
   * @param render the book of a time, with as many levels as the subscription has
   * @param distortion the connection's faults of this contract's book
   */
  constructor(render: (t: number) => Sides, now: number, distortion?: BookDistortion) {
    this.#render = render;
    this.#distortion = distortion;
    this.#at = this.#timeOf(now);
    this.#seen = this.#at;
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
    if (at <= this.#seen) return undefined;
    const before = [this.#sides, ...this.#skipped(at)];
    this.#sides = this.#sidesOf(at);
    const side = (name: 'bids' | 'asks') =>
      changesOf(
        before.map((sides) => sides[name]),
        this.#sides[name],
      );
    const bids = side('bids');
    const asks = side('asks');
    if (bids.length + asks.length === 0) return undefined;
    this.#at = at;
    return { bids, asks };
  }

  /** Books between the last step that was taken and this one. */
  #skipped(at: number): readonly Sides[] {
    const skipped: Sides[] = [];
    for (let step = bookStep(this.#seen) + 1; skipped.length < MAX_SKIPPED; step++) {
      const t = stepTime(step);
      if (t >= at) break;
      skipped.push(this.#render(t));
    }
    this.#seen = at;
    return skipped;
  }

  #timeOf(now: number): number {
    return bookTime(this.#distortion?.time(now) ?? now);
  }

  #sidesOf(at: number): Sides {
    const sides = this.#render(at);
    return this.#distortion?.sides(sides) ?? sides;
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
