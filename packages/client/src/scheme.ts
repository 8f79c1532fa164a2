import type { Challenge, Requirement } from './challenge.ts';
import type { CallOptions, Charged, Problem, Receipt, Reply } from './result.ts';

/** One answer to be paid for. */
export interface Order {
  readonly url: URL;
  readonly challenge: Challenge;
  /** The entry of the challenge that is paid. */
  readonly requirement: Requirement;
  readonly options: CallOptions;
}

/** A signed payment of any scheme. It is presented as it is until its outcome is known. */
export interface Signed {
  readonly requirement: Requirement;
  /** The scheme's part of the header. */
  readonly payload: object;
  /** From then on nobody can use it, ms since 1970; undefined where that has no end. */
  readonly expiresAt: number | undefined;
}

export interface RefusedReply {
  readonly reply: Reply;
  /** An earlier attempt with the payment may have been taken. */
  readonly wasOpen: boolean;
}

/**
 * A way of paying that x402 calls a scheme. It signs, and hears how each of its payments ended; caps, store, presenting and
 * the check of terms are shared.
 */
export interface Scheme {
  /**
   * A payment for an order, with its amount taken from the caps and noted before it is signed; else the reason; undefined
   * where another scheme has to pay.
   */
  sign(order: Order): Promise<Signed | Problem | undefined>;
  /** The answer came. */
  bought(signed: Signed, receipt: Receipt | undefined): Promise<void>;
  /** The seller does not take it. */
  refused(signed: Signed, charged: Charged): Promise<void>;
  /** The seller has no answer, and the payment is as good as before. */
  turnedAway(signed: Signed): Promise<void>;
  /**
   * Another payment for the same order, where the refusal shows how it has to be; `exact` where that scheme has to pay it;
   * undefined where the refusal stands.
   */
  correct?(
    signed: Signed,
    order: Order,
    refusal: RefusedReply,
  ): Promise<Signed | Problem | 'exact' | undefined>;
  /** The part of a refused payment that the seller may take all the same, atomic units. */
  exposed?(signed: Signed): bigint;
  /** Takes a payment up again whose outcome was left open. @returns false where it can buy nothing any more */
  retake?(signed: Signed): Promise<boolean>;
  /** The call that presented it has ended. */
  rest?(signed: Signed): Promise<void>;
}
