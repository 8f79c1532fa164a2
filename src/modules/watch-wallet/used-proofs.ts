import { lowerAscii } from '../../domain/ascii-case.ts';
import { type SignedFacts, VALID_MS } from './wallet-message.ts';

/** Proofs that are remembered; beyond it the oldest is forgotten. */
const MOST = 10_000;

/** Proofs that were used: each is good once, so that one that was overheard is worth nothing. */
export class UsedProofs {
  /** By the facts of the message, since one message has several signatures that hold; in the order of their use, Unix ms of their end. */
  readonly #until = new Map<string, number>();

  /** Takes a proof whose signature holds. @returns false where its message was used before */
  take({ wallet, chainId, issuedAt, nonce }: SignedFacts, now: number): boolean {
    const message = `${lowerAscii(wallet)} ${chainId} ${issuedAt} ${nonce}`;
    for (const [known, until] of this.#until) {
      if (until > now && this.#until.size < MOST) break;
      this.#until.delete(known);
    }
    if (this.#until.has(message)) return false;
    // Its time may be ahead of the clock here by a minute at most.
    this.#until.set(message, now + 2 * VALID_MS);
    return true;
  }
}
