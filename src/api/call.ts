import type { PaywallReply } from '../pay/types.ts';

/** A GET of a route, made in the process. */
export interface Call {
  /** Path and query of a GET: `/v1/funding/current?symbol=BTC`. */
  readonly url: string;
  /** A payment as the header PAYMENT-SIGNATURE carries it; undefined: none. */
  readonly payment?: string | undefined;
  /** A secret as its header carries it, for routes that take one. */
  readonly secret?: string | undefined;
  /** Client address, for limits. */
  readonly address: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Answers a call as HTTP answers a GET, with status, headers and bytes. Never rejects. */
export type AnswerCall = (call: Call) => Promise<PaywallReply>;
