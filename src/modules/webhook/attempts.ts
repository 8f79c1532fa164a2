import { readRetryAfter } from '../../collect/retry-after.ts';
import type { Clock } from '../../domain/clock.ts';
import { isWire } from '../../domain/read.ts';
import { type ChatFormat, chatMessage } from './chat-message.ts';
import { afterChallenge, afterFailure, afterSuccess, type DeliveryRecord } from './delivery-record.ts';
import type { Firing } from './firing.ts';
import type { Outbound, Outgoing, Posted } from './outbound.ts';
import type { Receiver } from './receiver.ts';
import { type Sign, signedMessage } from './signed-message.ts';

export interface AttemptOptions {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly sign: Sign;
  /** The JSON of a firing, as every other way of reading it has it. */
  readonly bodyOf: (firing: Firing) => object;
  /** A firing in words, for chat services. */
  readonly wordsOf: (firing: Firing) => string;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** A text that nobody can guess. */
  readonly token: () => string;
}

/** A receiver of a watch. */
export interface Target {
  readonly watchId: string;
  readonly receiver: Receiver;
  /** Undefined for a receiver that takes signed JSON. */
  readonly format: ChatFormat | undefined;
}

/** An attempt: the record after it, undefined where the service stopped meanwhile and nothing is known. */
export interface Attempted {
  readonly record: DeliveryRecord | undefined;
  /** True if no connection was tried, since the address is forbidden. */
  readonly isForbidden: boolean;
}

/** Makes single attempts: challenges, and deliveries of firings. */
export class Attempts {
  readonly #options: AttemptOptions;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /** Asks a receiver to repeat a token. A few failures are followed by another try. */
  async challenge(
    { watchId, receiver }: Target,
    record: DeliveryRecord,
    stop: AbortSignal,
  ): Promise<Attempted> {
    const { outbound, sign, clock, token } = this.#options;
    const challenge = token();
    const message = {
      watchId,
      id: `${watchId}.challenge.${challenge.slice(0, 8)}`,
      body: { event: 'challenge', watch_id: watchId, challenge },
    };
    const posted = await outbound.post(receiver, signedMessage(message, clock.now(), sign), stop);
    const reason = faultOf(posted) ?? tokenFault(posted, challenge);
    return attempted(posted, afterChallenge(record, clock.now(), reason));
  }

  /** Posts a firing. */
  async deliver(
    target: Target,
    record: DeliveryRecord,
    firing: Firing,
    stop: AbortSignal,
  ): Promise<Attempted> {
    const { outbound, clock, random } = this.#options;
    const posted = await outbound.post(target.receiver, this.#outgoing(target, firing), stop);
    const at = clock.now();
    const { seq } = firing;
    const reason = faultOf(posted);
    if (reason === undefined) return attempted(posted, afterSuccess(record, seq, at));
    const askedMs = posted.ok ? readRetryAfter(posted.headers, at)?.ms : undefined;
    return attempted(posted, afterFailure(record, { seq, at, reason, askedMs, random: random() }));
  }

  #outgoing({ watchId, format }: Target, firing: Firing): Outgoing {
    const { bodyOf, wordsOf, sign, clock } = this.#options;
    if (format !== undefined) return chatMessage(wordsOf(firing), format);
    const { seq } = firing;
    return signedMessage({ watchId, seq, id: `${watchId}.${seq}`, body: bodyOf(firing) }, clock.now(), sign);
  }
}

const attempted = (posted: Posted, record: DeliveryRecord): Attempted => ({
  record: !posted.ok && posted.kind === 'aborted' ? undefined : record,
  isForbidden: !posted.ok && posted.kind === 'forbidden',
});

/** The reason for which an answer is no success, as a phrase; undefined for 2xx. */
function faultOf(posted: Posted): string | undefined {
  if (!posted.ok) return posted.reason;
  const { status } = posted;
  if (status >= 200 && status < 300) return undefined;
  return status < 400 ? `HTTP ${status} (redirects are not followed)` : `HTTP ${status}`;
}

const NO_TOKEN = 'the answer to the challenge is not {"challenge": "<the token that was sent>"}';

function tokenFault(posted: Posted, challenge: string): string | undefined {
  if (!posted.ok) return NO_TOKEN;
  try {
    const answer: unknown = JSON.parse(posted.body.toString('utf8'));
    return isWire(answer) && answer.challenge === challenge ? undefined : NO_TOKEN;
  } catch {
    return NO_TOKEN;
  }
}
