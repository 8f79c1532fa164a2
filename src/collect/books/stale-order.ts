import { previousSequenceOf } from '../../venues/book-continuity.ts';
import type { FrameStamps } from '../../venues/book-frame.ts';

/** A snapshot may be stamped before the changes that it holds are sent, by less than this. */
const JOINING_MS = 2000;

/**
 * Tells a message that came late from one of a venue that counts again without a word: its number is old and its time is
 * not. Where a venue stamps no time, two messages in a row that are old and follow each other are no late ones.
 */
export class StaleOrder {
  /** The venue's time of the last message that was applied; NaN where it states none. */
  #time = Number.NaN;
  /** Number of the last message that was passed over since. */
  #passed = Number.NaN;

  /** A message was applied. */
  reached({ venueTime }: FrameStamps): void {
    this.#time = venueTime;
    this.#passed = Number.NaN;
  }

  /** @param isJoining whether what is held is a snapshot, whose time is of another kind */
  isLater({ venueTime }: FrameStamps, isJoining: boolean): boolean {
    return venueTime - this.#time > (isJoining ? JOINING_MS : 0);
  }

  /**
   * True if a change with an old number shows that the venue counts from the start again.
   *
   * @param isJoining whether it may be one of those that the snapshot holds already
   */
  hasBegunAgain(stamps: FrameStamps, isJoining: boolean): boolean {
    const followsPassed = previousSequenceOf(stamps) === this.#passed;
    this.#passed = stamps.sequence;
    if (Number.isNaN(stamps.venueTime - this.#time)) return followsPassed && !isJoining;
    return this.isLater(stamps, isJoining);
  }
}
