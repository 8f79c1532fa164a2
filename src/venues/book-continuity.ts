import type { FrameStamps } from './book-frame.ts';

/**
 * The position of a message in the sequence of its book. `apply`: it follows. `stale`: its content is in the
 * book already. `gap`: something between is missing, the book is worth nothing until it restarts.
 */
export type Verdict = 'apply' | 'stale' | 'gap';

/**
 * A venue's sequence rules, as a pure state machine: the state is one number, the sequence of the last applied message
 * (`NaN` before the first), and every rule is a function of it and a message's stamps. Applying a message moves the
 * state to its `sequenceOf`.
 */
export interface Continuity {
  /**
   * True if the sequence reveals a lost message. Where it does not, books are compared with REST on a
   * schedule.
   */
  readonly detectsLoss: boolean;
  /** Every message is a snapshot. */
  readonly isSnapshotOnly?: boolean;
  /** Sequence of a message. */
  readonly sequenceOf: (stamps: FrameStamps) => number;
  /** Judges a snapshot for a live book. */
  readonly checkSnapshot: (last: number, stamps: FrameStamps) => Verdict;
  /** Judges a delta for a live book. */
  readonly checkDelta: (last: number, stamps: FrameStamps) => Verdict;
  /**
   * Judges the first delta after a snapshot whose sequence is `last`; it may overlap, for sizes are absolute. `gap`
   * says that the snapshot is too old. Absent where snapshots and deltas share no sequence.
   */
  readonly checkFirstDelta?: (last: number, stamps: FrameStamps) => Verdict;
}

const bySequence = (stamps: FrameStamps): number => stamps.sequence;

/** The sequence that a delta must follow: as published, else just before the first that it covers. */
export function previousSequenceOf(stamps: FrameStamps): number {
  const { previousSequence, firstSequence } = stamps;
  return Number.isNaN(previousSequence) ? firstSequence - 1 : previousSequence;
}

/**
 * Every delta names its predecessor, by its sequence or by starting right behind it. Snapshots share the sequence. A
 * message without sequence numbers proves nothing and counts as a gap.
 */
export const CHAINED: Continuity = {
  detectsLoss: true,
  sequenceOf: bySequence,
  // A snapshot older than the book is late, or the venue restarted its sequence: either way nothing is proven.
  checkSnapshot: (last, stamps) => (stamps.sequence >= last || Number.isNaN(last) ? 'apply' : 'gap'),
  checkDelta: (last, stamps) => {
    if (previousSequenceOf(stamps) === last) return 'apply';
    return stamps.sequence <= last ? 'stale' : 'gap';
  },
  checkFirstDelta: (last, stamps) => {
    const before = previousSequenceOf(stamps);
    if (before === last) return 'apply';
    if (stamps.sequence <= last) return 'stale';
    return before < last ? 'apply' : 'gap';
  },
};

/** Sequences only grow, with meaningless holes: a lost message is not detected. */
export const INCREASING: Continuity = {
  detectsLoss: false,
  sequenceOf: bySequence,
  checkSnapshot: (last, stamps) => (stamps.sequence >= last || Number.isNaN(last) ? 'apply' : 'gap'),
  checkDelta: (last, stamps) => {
    if (stamps.sequence > last) return 'apply';
    return stamps.sequence === last ? 'stale' : 'gap';
  },
};

/** Every message is a snapshot, ordered by its sequence or, without one, by the venue's time. */
export const SNAPSHOTS_ONLY: Continuity = {
  detectsLoss: false,
  isSnapshotOnly: true,
  sequenceOf: ({ sequence, venueTime }) => (Number.isNaN(sequence) ? venueTime : sequence),
  checkSnapshot: (last, stamps) => (SNAPSHOTS_ONLY.sequenceOf(stamps) < last ? 'stale' : 'apply'),
  checkDelta: () => 'gap',
};

/** Nothing is numbered: messages are taken in the order in which they come. */
export const UNNUMBERED: Continuity = {
  detectsLoss: false,
  sequenceOf: () => Number.NaN,
  checkSnapshot: () => 'apply',
  checkDelta: () => 'apply',
};
