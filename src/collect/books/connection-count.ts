import type { Verdict } from '../../venues/book-continuity.ts';

/** Where more numbers than this are missing, counting begins again. */
const MAX_MISSING = 1000;

/**
 * The number that counts all frames of a connection by one. Where a subscription takes its number when it arrives and is
 * answered later, its number is missing meanwhile: so as many numbers may be missing as subscriptions are unanswered, and
 * one more is a loss. It takes no time limit: an answer that is lost leaves both, and each further loss still shows.
 */
export class ConnectionCount {
  #last = Number.NaN;
  /** Numbers below the last that have not come. */
  readonly #missing = new Set<number>();
  #unanswered = 0;
  /** The missing numbers that were reported as a gap, and the last number at that time. */
  #lost = 0;
  #reportedAt = Number.NaN;

  /** Subscriptions that take numbers of their own were sent. */
  subscribed(requests: number): void {
    this.#unanswered += requests;
  }

  /**
   * Judges the next frame. A gap is reported once.
   *
   * @param isAnswer whether it answers a subscription, or refuses a request under a number that was there before
   */
  judge(sequence: number, isAnswer: boolean): Verdict {
    const wasMissing = this.#missing.delete(sequence);
    if (sequence <= this.#last && !wasMissing) return isAnswer ? 'apply' : 'stale';
    if (!isAnswer && wasMissing) return this.#displaced(sequence);
    if (isAnswer && this.#unanswered > 0) this.#unanswered--;
    else if (wasMissing) this.#forgive();
    const isCounted = wasMissing || this.#advance(sequence);
    return isCounted && this.#missing.size <= this.#unanswered + this.#lost ? 'apply' : this.#report();
  }

  /** Moves on to a higher number. Returns false where it is too far off for counting what is between. */
  #advance(sequence: number): boolean {
    const first = Number.isNaN(this.#last) ? sequence : this.#last + 1;
    this.#last = sequence;
    if (this.#missing.size + sequence - first > MAX_MISSING) {
      this.#missing.clear();
      this.#unanswered = 0;
      return false;
    }
    for (let skipped = first; skipped < sequence; skipped++) this.#missing.add(skipped);
    return true;
  }

  /**
   * A frame that answers no subscription is numbered as it is sent: where it comes late, frames have changed
   * places.
   */
  #displaced(sequence: number): Verdict {
    if (!(sequence <= this.#reportedAt)) return this.#report();
    this.#forgive();
    return 'stale';
  }

  #forgive(): void {
    this.#lost = Math.max(0, this.#lost - 1);
  }

  #report(): Verdict {
    this.#lost = Math.max(0, this.#missing.size - this.#unanswered);
    this.#reportedAt = this.#last;
    return 'gap';
  }
}
