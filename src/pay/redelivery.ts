import { timingSafeEqual } from 'node:crypto';
import { wait } from '../runtime/timer.ts';
import { formerPaymentIdHash } from './payment.ts';
import type { PaymentRunner } from './payment-runner.ts';
import type { Attempt, PaymentContext, PaywallParts } from './paywall-context.ts';
import type { Reconciler } from './reconciler.ts';
import { holdsIdentifier, isInFlight, isUnattended, type PaymentRecord } from './record.ts';
import {
  alreadyPaid,
  identifierUsed,
  inFlight,
  paidReply,
  refuseCorrected,
  refuseSettled,
  settlementUnknown,
} from './replies.ts';
import type { HttpReply, PaywallReply } from './types.ts';

/** Wrong ids after which an id no longer opens anything. */
const MAX_ID_MISSES = 5;
/** Requests that may wait for a payment in flight; further ones are refused for the moment. */
const MAX_WAITING = 256;
const WAIT_MS = 90_000;
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 200;

type IdCheck = 'none' | 'match' | 'miss';

/**
 * Answers what was bought already: redelivers, waits or refuses. That is a payment which the ledger already has,
 * or another one of the same payer under the payment identifier of that one, which then stays untouched.
 */
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

  /**
   * The payment that the payer has made before under the payment identifier of this one; undefined where this one
   * may be settled. Nobody may be told of it whom the payment does not prove to be the payer.
   */
  async purchase({ paymentIdHash }: PaymentContext): Promise<PaymentRecord | undefined> {
    if (paymentIdHash === undefined) return undefined;
    const { ledger, clock } = this.#parts;
    const record = await ledger.purchase(paymentIdHash);
    const isWatched = record?.state === 'refused' && record.dueAt !== undefined;
    const after = isWatched ? await this.#reconciler.look(record) : record;
    return after !== undefined && holdsIdentifier(after, clock.now()) ? after : undefined;
  }

  /**
   * The response to what is bought again: never a second settlement, never a second product. `again` where that
   * is not bought, after all, and a payment of its own may be settled for it.
   */
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
    if (after.resourceHash !== context.resourceHash) return identifierUsed(this.#parts, context);
    return this.#wait(context, after.key);
  }

  async #unknown(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const after = record.closedAt === undefined ? await this.#reconciler.look(record) : record;
    if (after === undefined) return 'again';
    if (after.state !== 'unknown') return this.answer(context, after);
    const isOther = isAnotherPayment(context, after) && after.resourceHash !== context.resourceHash;
    return isOther ? identifierUsed(this.#parts, context) : settlementUnknown(this.#parts, context, after);
  }

  /** Refused by its facilitator only: while the chain may still say otherwise, it is asked. */
  async #refused(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const after = record.dueAt === undefined ? record : await this.#reconciler.look(record);
    if (after === undefined) return 'again';
    if (after.state === 'refused' && isAnotherPayment(context, after)) return 'again';
    return after.state === 'refused'
      ? refuseSettled(this.#parts, context, after)
      : this.answer(context, after);
  }

  /** Paid for and perhaps never arrived: the first to present it for the same request gets the answer, once. */
  async #settled(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const answer = await this.#stored(record);
    const id = checkId(context, record);
    if (record.resourceHash !== context.resourceHash) return this.#otherRequest(context, record, id);
    if (answer === undefined) return this.#noAnswer(context, record, id);
    // A signature that nobody else can have seen proves its buyer, as a payment identifier does.
    const isKept = await isProof(context, record);
    const isPayers = isKept || id === 'match';
    if (!isPayers && record.deliveredAt !== undefined)
      return refuseCorrected(this.#parts, context, 'authorization_used');
    if (isKept || !isUnattended(record, this.#parts.clock.now())) {
      return isPayers ? this.#beside(context, record, answer) : inFlight(this.#parts, context);
    }
    // A signature that others may know opens no answer that this process has given on an account, and of which it knows no loss.
    const isOurs = record.owner === this.#parts.ledger.owner && record.leaseUntil !== undefined;
    if (!isPayers && isOurs && context.scheme.accounts !== undefined)
      return refuseCorrected(this.#parts, context, 'authorization_used');
    context.progress.answer = answer;
    context.progress.receipts = await this.#parts.ledger.receipts(record);
    return (await this.#runner.run(record, { kind: 'handed_out' }, context)) ?? 'again';
  }

  /** Gives an answer to its payer that may be on its way already. */
  async #beside(context: PaymentContext, record: PaymentRecord, answer: HttpReply): Promise<PaywallReply> {
    const reply = await this.#again(context, record, answer);
    // The one who stored the outcome may not have waited yet until that is on the disk, or have ended before.
    await this.#parts.ledger.flushed();
    // Once this one has arrived, the loss of the one under way must not open the answer to buyers without the id.
    const sent = (complete: boolean): void => {
      if (complete) this.#runner.noteArrival(record);
    };
    return { ...reply, sent };
  }

  /** Delivered: what was signed is public by now, only the payment identifier opens it again. */
  async #delivered(context: PaymentContext, record: PaymentRecord): Promise<Attempt> {
    const id = checkId(context, record);
    if (id === 'miss') await this.#countMiss(record);
    if (record.resourceHash !== context.resourceHash) return this.#otherRequest(context, record, id);
    const answer = id === 'match' ? await this.#stored(record) : undefined;
    if (answer === undefined) return this.#noAnswer(context, record, id);
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
    return paidReply(this.#parts, record, answer, await this.#parts.ledger.receipts(record));
  }

  async #otherRequest(context: PaymentContext, record: PaymentRecord, id: IdCheck): Promise<Attempt> {
    return this.#isPurchase(record, id)
      ? identifierUsed(this.#parts, context)
      : refuseCorrected(this.#parts, context, 'authorization_used');
  }

  async #noAnswer(context: PaymentContext, record: PaymentRecord, id: IdCheck): Promise<Attempt> {
    return this.#isPurchase(record, id)
      ? alreadyPaid(this.#parts, context, record)
      : refuseCorrected(this.#parts, context, 'authorization_used');
  }

  /** True if it is the purchase that the payment identifier still stands for. */
  #isPurchase(record: PaymentRecord, id: IdCheck): boolean {
    return id === 'match' && holdsIdentifier(record, this.#parts.clock.now());
  }

  async #stored(record: PaymentRecord): Promise<HttpReply | undefined> {
    const { ledger, clock } = this.#parts;
    if (record.answerUntil === undefined || record.answerUntil <= clock.now()) return undefined;
    return ledger.answer(record);
  }

  /** Polls, since the worker may be another process. */
  async #wait(context: PaymentContext, key: string): Promise<Attempt> {
    if (this.#waiting >= MAX_WAITING) return inFlight(this.#parts, context);
    this.#waiting++;
    try {
      const until = performance.now() + WAIT_MS;
      for (let pause = FIRST_POLL_MS; performance.now() < until; pause = Math.min(pause * 2, MAX_POLL_MS)) {
        await wait(pause);
        const record = await this.#parts.ledger.get(key);
        if (record === undefined) return 'again';
        if (!isInFlight(record)) return await this.answer(context, record);
      }
      return inFlight(this.#parts, context);
    } finally {
      this.#waiting--;
    }
  }
}

/** True if a record is looked at for its payment identifier, by a payment of its own. */
const isAnotherPayment = ({ key }: PaymentContext, record: PaymentRecord): boolean => record.key !== key;

/** True if a payment on an account is presented again, and what was signed for it is known to its payer alone. */
async function isProof(context: PaymentContext, record: PaymentRecord): Promise<boolean> {
  if (isAnotherPayment(context, record)) return false;
  return (await context.scheme.accounts?.isPrivate(record.signed)) === true;
}

/**
 * Compares the id in constant time; after too many misses it counts as none. A client with a payment of its own
 * has found the record by its id, and is the payer.
 */
function checkId(context: PaymentContext, record: PaymentRecord): IdCheck {
  if (isAnotherPayment(context, record)) return 'match';
  const { payment, paymentIdHash } = context;
  if (payment.paymentId === undefined || paymentIdHash === undefined) return 'none';
  if (record.paymentIdHash === undefined || record.idMisses >= MAX_ID_MISSES) return 'none';
  const former = formerPaymentIdHash(payment.paymentId, payment);
  const isKnown = [paymentIdHash, former].some((hash) => isSameHash(hash, record.paymentIdHash ?? ''));
  return isKnown ? 'match' : 'miss';
}

function isSameHash(given: string, stored: string): boolean {
  const a = Buffer.from(given, 'hex');
  const b = Buffer.from(stored, 'hex');
  return a.length === b.length && timingSafeEqual(a, b);
}
