import { timingSafeEqual } from 'node:crypto';
import { wait } from '../runtime/timer.ts';
import { paymentIdHash } from './payment.ts';
import type { PaymentRunner } from './payment-runner.ts';
import type { Attempt, PaymentContext, PaywallParts } from './paywall-context.ts';
import type { Reconciler } from './reconciler.ts';
import { isInFlight, isUnattended, type PaymentRecord } from './record.ts';
import { idConflict, inFlight, paidReply, refuse, refuseSettled, settlementUnknown } from './replies.ts';
import type { HttpReply, PaywallReply } from './types.ts';

/** Wrong ids after which an id no longer opens anything. */
const MAX_ID_MISSES = 5;
/** Requests that may wait for a payment in flight; more are told to come back. */
const MAX_WAITING = 256;
const WAIT_MS = 90_000;
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 200;

type IdCheck = 'none' | 'match' | 'miss';

/** Answers payments that the ledger already has: redelivers, waits or refuses. */
export class Redelivery {
  readonly #parts: PaywallParts;
  readonly #runner: PaymentRunner;
  readonly #reconciler: Reconciler;
  #waiting = 0;

  constructor(parts: PaywallParts, runner: PaymentRunner, reconciler: Reconciler) {
    this.#parts = parts;
    this.#runner = runner;
    this.#reconciler = reconciler;
  }

  /** The response to a payment that is presented again: never a second settlement, never a second product. */
  async answer(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    if (isInFlight(record)) return this.#inFlight(context, record);
    switch (record.state) {
      case 'settled':
        return this.#settled(context, record);
      case 'delivered':
        return this.#delivered(context, record);
      case 'refused':
        return this.#refused(context, record);
      default:
        return this.#unknown(context, record);
    }
  }

  async #inFlight(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const after = await this.#reconciler.look(record);
    if (after === undefined) return 'again';
    if (!isInFlight(after)) return this.answer(context, after);
    if (checkId(context, after) !== 'match') return inFlight(this.#parts, context);
    if (after.resourceHash !== context.resourceHash) return idConflict(this.#parts);
    return this.#wait(context);
  }

  async #unknown(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const after = record.closedAt === undefined ? await this.#reconciler.look(record) : record;
    if (after === undefined) return 'again';
    return after.state === 'unknown'
      ? settlementUnknown(this.#parts, context, after)
      : this.answer(context, after);
  }

  /** Refused by its facilitator only: while the chain may still say otherwise, it is asked. */
  async #refused(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const after = record.dueAt === undefined ? record : await this.#reconciler.look(record);
    if (after === undefined) return 'again';
    return after.state === 'refused'
      ? refuseSettled(this.#parts, context, after)
      : this.answer(context, after);
  }

  /** Paid for and perhaps never arrived: the first to present it for the same request gets the answer, once. */
  async #settled(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const answer = await this.#stored(record);
    if (answer === undefined) return refuse(this.#parts, context, 'authorization_used');
    const id = checkId(context, record);
    if (record.resourceHash !== context.resourceHash) return this.#otherRequest(context, id);
    if (!isUnattended(record, this.#parts.clock.now())) {
      if (id !== 'match') return inFlight(this.#parts, context);
      const reply = await this.#again(context, record, answer);
      // Where this one arrives, the loss of the one under way must not open the answer to those without the id.
      const sent = (complete: boolean): void => {
        if (complete) this.#runner.noteArrival(record);
      };
      return { ...reply, sent };
    }
    context.progress.answer = answer;
    context.progress.receipts = await this.#parts.ledger.receipts(record);
    return (await this.#runner.run(record, { kind: 'handed_out' }, context)) ?? 'again';
  }

  /** Delivered: authorization and signature are public by now, only the payment identifier opens it again. */
  async #delivered(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const id = checkId(context, record);
    if (id === 'miss') await this.#countMiss(record);
    if (id !== 'match') return refuse(this.#parts, context, 'authorization_used');
    if (record.resourceHash !== context.resourceHash) return idConflict(this.#parts);
    const answer = await this.#stored(record);
    if (answer === undefined) return refuse(this.#parts, context, 'authorization_used');
    return this.#again(context, record, answer);
  }

  /** Every miss counts, also of guesses that come at once. */
  async #countMiss(record: PaymentRecord): Promise<void> {
    let seen: PaymentRecord | undefined = record;
    while (seen?.state === 'delivered' && seen.idMisses < MAX_ID_MISSES) {
      if ((await this.#runner.run(seen, { kind: 'wrong_id' })) !== 'again') return;
      seen = await this.#parts.ledger.get(record.key);
    }
  }

  async #again(context: PaymentContext, record: PaymentRecord, answer: HttpReply): Promise<PaywallReply> {
    this.#parts.observe({ outcome: 'redelivered', routeId: context.route.id });
    return paidReply(record, answer, await this.#parts.ledger.receipts(record));
  }

  #otherRequest(context: PaymentContext, id: IdCheck): Attempt {
    return id === 'match' ? idConflict(this.#parts) : refuse(this.#parts, context, 'authorization_used');
  }

  async #stored(record: PaymentRecord): Promise<HttpReply | undefined> {
    const { ledger, clock } = this.#parts;
    if (record.answerUntil === undefined || record.answerUntil <= clock.now()) return undefined;
    return ledger.answer(record);
  }

  /** Polls, since the worker may be another process. */
  async #wait(context: PaymentContext): Promise<Attempt> {
    if (this.#waiting >= MAX_WAITING) return inFlight(this.#parts, context);
    this.#waiting++;
    try {
      const until = performance.now() + WAIT_MS;
      for (let pause = FIRST_POLL_MS; performance.now() < until; pause = Math.min(pause * 2, MAX_POLL_MS)) {
        await wait(pause);
        const record = await this.#parts.ledger.get(context.key);
        if (record === undefined) return 'again';
        if (!isInFlight(record)) return await this.answer(context, record);
      }
      return inFlight(this.#parts, context);
    } finally {
      this.#waiting--;
    }
  }
}

/** Compares the id in constant time; after too many misses it counts as none. */
function checkId({ payment }: PaymentContext, record: PaymentRecord): IdCheck {
  if (payment.paymentId === undefined || record.paymentIdHash === undefined) return 'none';
  if (record.idMisses >= MAX_ID_MISSES) return 'none';
  const given = Buffer.from(paymentIdHash(payment.paymentId, payment.authorization), 'hex');
  const stored = Buffer.from(record.paymentIdHash, 'hex');
  return given.length === stored.length && timingSafeEqual(given, stored) ? 'match' : 'miss';
}
