import type { UnixMs } from '../../domain/units.ts';
import type { Continuity } from '../../venues/book-continuity.ts';
import type { BookFrame } from '../../venues/book-frame.ts';
import type { BookSubscription } from './book-subscription.ts';

/**
 * The result of comparing a streamed book with REST. `undecided`: they were not of the same moment. `newer`:
 * REST has a later snapshot of a stream that sends snapshots.
 */
export type Comparison = 'same' | 'different' | 'undecided' | 'newer';

/** A stream that is behind REST has this long to catch up. */
const CATCH_UP_MS = 3000;
/** Books that move agree in at least this part of their best levels, being half a second apart. */
const MOVING_EQUAL = 0.5;
/** Snapshots some seconds apart have their best prices at most this far apart, bps. */
const MOVING_TOUCH_BPS = 100;

/** When REST was asked, and when it answered. */
export interface Asked {
  /** Messages that the book had when REST was asked. */
  readonly applied: number;
  /** The answer's content is not older than this. */
  readonly at: UnixMs;
  readonly now: UnixMs;
}

/**
 * Checks a streamed book against a snapshot from REST. A quiet book must be the same; where it is not, it has a few
 * seconds to be so (`doubt`). A book that moves must be much the same.
 */
export function compareBook(
  book: BookSubscription,
  frame: BookFrame,
  continuity: Continuity,
  { applied, at, now }: Asked,
): Comparison {
  const { sync, writer } = book;
  if (sync === undefined) return 'undecided';
  book.comparedAt = now;
  const { equal, touchBps } = writer.compare(frame);
  const isQuiet = sync.applied === applied;
  const sequence = continuity.sequenceOf(frame);
  if (equal === 1 && isQuiet) {
    writer.confirm(at);
    return 'same';
  }
  if (continuity.isSnapshotOnly === true) {
    if (sequence > sync.lastSequence) return 'newer';
    if (touchBps > MOVING_TOUCH_BPS) return 'different';
    return equal >= MOVING_EQUAL ? 'same' : 'undecided';
  }
  if (continuity.checkFirstDelta !== undefined && !Number.isNaN(sequence))
    return inOrder(book, sequence, equal, now);
  if (isQuiet) return doubt(book, Number.NaN, now);
  return equal >= MOVING_EQUAL ? 'same' : 'different';
}

/** REST and stream are numbered alike, so that it shows which of them is ahead. */
function inOrder(book: BookSubscription, sequence: number, equal: number, now: UnixMs): Comparison {
  const last = book.sync?.lastSequence ?? Number.NaN;
  if (sequence < last) return 'undecided';
  if (sequence === last) return equal === 1 ? 'same' : 'different';
  return doubt(book, sequence, now);
}

function doubt(book: BookSubscription, sequence: number, now: UnixMs): Comparison {
  book.doubtAt = now;
  book.doubtApplied = book.sync?.applied ?? 0;
  book.doubtSequence = sequence;
  return 'undecided';
}

/** True if a doubt was justified: the stream did not go on in time. A doubt that ended is forgotten. */
export function isDoubtProven(book: BookSubscription, now: number): boolean {
  if (book.doubtAt === Number.POSITIVE_INFINITY) return false;
  const caughtUp = hasCaughtUp(book);
  if (!caughtUp && now - book.doubtAt < CATCH_UP_MS) return false;
  book.doubtAt = Number.POSITIVE_INFINITY;
  return !caughtUp;
}

function hasCaughtUp({ sync, doubtSequence, doubtApplied }: BookSubscription): boolean {
  if (sync === undefined || !sync.isLive) return true;
  return Number.isNaN(doubtSequence) ? sync.applied !== doubtApplied : sync.lastSequence >= doubtSequence;
}
