import { VALID_MS } from './wallet-message.ts';

/** Proofs that are remembered; beyond it the oldest is forgotten. */
const MOST = 10_000;

/** Proofs that were used: each is good once, so that one that was overheard is worth nothing. */
export class UsedProofs {
  /** By signature, in the order of their use; Unix ms of their end. */
  readonly #until = new Map<string, number>();

  /** Takes a proof whose signature holds. @returns false where it was used before */
  take(signature: string, now: number): boolean {
    for (const [known, until] of this.#until) {
      if (until > now && this.#until.size < MOST) break;
      this.#until.delete(known);
    }
    if (this.#until.has(signature)) return false;
    // Its time may be ahead of the clock here by a minute at most.
    this.#until.set(signature, now + 2 * VALID_MS);
    return true;
  }
}
