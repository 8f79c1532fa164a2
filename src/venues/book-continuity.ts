import type { FrameStamps } from './book-frame.ts';

/**
 * What a message is to the book it belongs to. `apply`: it follows. `stale`: its content is in the book already.
 * `gap`: something between is missing, the book is worth nothing until it begins anew.
 */
export type Verdict = 'apply' | 'stale' | 'gap';

/**
 * The order that a venue's messages keep, as a pure state machine: the state is one number, the place of the last
 * message that is in the book (`NaN` before the first), and every rule is a function of it and a message's stamps.
 * Applying a message moves the state to its `place`.
 */
export interface Continuity {
  /** Whether a lost message shows. Where it does not, books are compared with REST on a schedule. */
  readonly detectsLoss: boolean;
  /** Every message is a whole book. */
  readonly isWholeOnly?: boolean;
  /** Place of a message in the order. */
  readonly place: (stamps: FrameStamps) => number;
  /** A whole book that comes while there is one. */
  readonly replaces: (last: number, stamps: FrameStamps) => Verdict;
  /** A change that comes after a message of the same order. */
  readonly follows: (last: number, stamps: FrameStamps) => Verdict;
  /**
   * The first change after a whole book whose place is `last`; it may overlap, for sizes are absolute. `gap` says
   * that the whole book is too old. Absent where whole books and changes share no order.
   */
  readonly joins?: (last: number, stamps: FrameStamps) => Verdict;
}

const bySequence = (stamps: FrameStamps): number => stamps.sequence;

/** The place that a change must follow: as stated, else just before the first that it covers. */
function precedent(stamps: FrameStamps): number {
  const { previousSequence, firstSequence } = stamps;
  return Number.isNaN(previousSequence) ? firstSequence - 1 : previousSequence;
}

/**
 * Every change names the one before it, by its number or by beginning right behind it. Whole books are numbered in
 * the same order. A message without its numbers proves nothing and counts as a gap.
 */
export const CHAINED: Continuity = {
  detectsLoss: true,
  place: bySequence,
  // A whole book from before what is held is late, or the venue counts anew: either way nothing is proven.
  replaces: (last, stamps) => (stamps.sequence >= last || Number.isNaN(last) ? 'apply' : 'gap'),
  follows: (last, stamps) => {
    if (precedent(stamps) === last) return 'apply';
    return stamps.sequence <= last ? 'stale' : 'gap';
  },
  joins: (last, stamps) => {
    const before = precedent(stamps);
    if (before === last) return 'apply';
    if (stamps.sequence <= last) return 'stale';
    return before < last ? 'apply' : 'gap';
  },
};

/** Numbers only grow, with holes that mean nothing: a lost message does not show. */
export const INCREASING: Continuity = {
  detectsLoss: false,
  place: bySequence,
  replaces: (last, stamps) => (stamps.sequence >= last || Number.isNaN(last) ? 'apply' : 'gap'),
  follows: (last, stamps) => {
    if (stamps.sequence > last) return 'apply';
    return stamps.sequence === last ? 'stale' : 'gap';
  },
};

/** Every message is a whole book, ordered by its number or, without one, by the venue's time. */
export const WHOLE_BOOKS: Continuity = {
  detectsLoss: false,
  isWholeOnly: true,
  place: ({ sequence, venueTime }) => (Number.isNaN(sequence) ? venueTime : sequence),
  replaces: (last, stamps) => (WHOLE_BOOKS.place(stamps) < last ? 'stale' : 'apply'),
  follows: () => 'gap',
};

/** Nothing is numbered: messages are taken in the order in which they come. */
export const UNNUMBERED: Continuity = {
  detectsLoss: false,
  place: () => Number.NaN,
  replaces: () => 'apply',
  follows: () => 'apply',
};

/**
 * A number that counts all messages of a connection by one. The state is the last number, NaN at its beginning.
 */
export function connectionVerdict(last: number, sequence: number): Verdict {
  if (Number.isNaN(last) || sequence === last + 1) return 'apply';
  return sequence <= last ? 'stale' : 'gap';
}
