import { DAY_MS, MINUTE_MS } from '../runtime/duration.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { ClaimResult } from './ledger.ts';
import { type Action, LIFECYCLE, type LifecycleEvent, stageOf } from './lifecycle.ts';
import { verify } from './payment-verifier.ts';
import type { Attempt, PaymentContext, PaywallParts } from './paywall-context.ts';
import { produce } from './produce.ts';
import { isAbandoned, type PaymentRecord } from './record.ts';
import {
  notCharged,
  paidReply,
  refuseSettled,
  settlementUnknown,
  storeFull,
  unavailable,
} from './replies.ts';
import { type Settlement, schemeOf } from './scheme.ts';
import { StepWriter } from './step-writer.ts';
import { type Claim, transition } from './transition.ts';
import type { PaywallReply } from './types.ts';

/** Nothing more can be learned this long after the outcome is certain: of a facilitator, of the chain. */
const GIVE_UP_MS = { facilitator: 10 * MINUTE_MS, rpc: 7 * DAY_MS } as const;

/**
 * Takes payments through their lifecycle: asks it what an event changes, has the ledger store that, and does what
 * follows, until there is an answer or nothing is left to do.
 */
export class PaymentRunner {
  readonly #parts: PaywallParts;
  readonly #writer: StepWriter;
  readonly #kept = new KeptAnswers();

  constructor(parts: PaywallParts) {
    this.#parts = parts;
    this.#writer = new StepWriter(parts, GIVE_UP_MS.facilitator);
  }

  /**
   * Claims a nonce and takes the payment to its answer; what is known where it is taken. A failure before a
   * facilitator is asked for money frees the nonce.
   */
  async begin(claim: Claim, context: PaymentContext): Promise<Attempt | Taken> {
    const locked = await this.#parts.ledger.claim(claim);
    if (locked.kind === 'full') return storeFull(this.#parts, claim.routeId);
    if (locked.kind === 'taken') return locked;
    const claimed = locked.record;
    try {
      const next = await this.#act(LIFECYCLE.none.claim.action, claimed, context);
      return (await this.run(claimed, next, context)) ?? 'again';
    } catch (cause) {
      // Where the ledger does not answer, the reconciler frees the nonce later.
      if (!context.progress.isAsked) await this.#free(claimed).catch(this.#parts.onError);
      throw cause;
    }
  }

  /**
   * Runs an event, and whatever follows from it: `again` where somebody else has changed the payment since it was read,
   * undefined where nobody waits for an answer. Rejects for an event that cannot happen to the payment.
   *
   * @param context the request it is about; undefined in the background
   */
  async run(record: PaymentRecord, first: Outcome, context?: PaymentContext): Promise<Attempt | undefined> {
    const { clock, ledger } = this.#parts;
    let current = record;
    let next = first;
    while (next !== undefined && 'kind' in next) {
      const event: LifecycleEvent = next;
      const step = transition(current, event, { now: clock.now(), owner: ledger.owner });
      if (step === undefined) throw new Error(`${event.kind} cannot happen to a payment ${stageOf(current)}`);
      const stored = await this.#writer.store(current, event, step, context);
      if (stored === undefined) {
        // Another process that took the payment up meanwhile answers only that the authorization is used.
        if (event.kind === 'settled') this.#writer.writeLater(current, event);
        return 'again';
      }
      if (stored === 'full') next = abandoned(() => storeFull(this.#parts, record.routeId));
      else {
        current = stored;
        next = await this.#act(step.action, current, context, event);
      }
    }
    return next;
  }

  async #act(
    action: Action | undefined,
    record: PaymentRecord,
    context: PaymentContext | undefined,
    event?: LifecycleEvent,
  ): Promise<Outcome> {
    if (action === undefined) return undefined;
    if (action === 'report') {
      this.#parts.onClosed(record);
      return undefined;
    }
    if (action === 'examine') return this.#examine(record);
    if (action === 'reply') return event?.kind === 'abandoned' ? event.reply?.() : undefined;
    if (context === undefined) throw new Error(`${action}: there is no request`);
    switch (action) {
      case 'prepare':
        return this.#prepare(record, context);
      case 'settle':
        return this.#settle(record, context);
      case 'say_refused':
        return refuseSettled(this.#parts, context, record);
      case 'say_unknown':
        return settlementUnknown(this.#parts, context, record);
      default:
        return this.#deliver(action, record, context);
    }
  }

  /** Verifies the payment and makes the answer: what is not a 200 is never settled. */
  async #prepare(claimed: PaymentRecord, context: PaymentContext): Promise<LifecycleEvent> {
    const { work, progress } = context;
    const verified = progress.verified ?? (await verify(this.#parts, claimed, context));
    if (typeof verified === 'function') return abandoned(verified);
    const producing = performance.now();
    const made = await produce(work);
    progress.times.produceMs = performance.now() - producing;
    if (!made.ok || made.value.status !== 200) {
      return abandoned(() => notCharged(this.#parts, context, made));
    }
    progress.answer = made.value;
    const { by: facilitator, others, stored } = verified;
    progress.others = [...others];
    if (stored === undefined) return { kind: 'prepared', facilitator, answer: made.value };
    if (progress.isDoubtful) this.#parts.limits.doubtful.giveBack(claimed.payer, context.address);
    return { ...stored, kind: 'sold', facilitator, answer: made.value };
  }

  /** Has the facilitator that the ledger names move the money; where that certainly took nothing on, the next one. */
  async #settle(record: PaymentRecord, context: PaymentContext): Promise<LifecycleEvent> {
    const { limits } = this.#parts;
    const { route, progress, address, scheme } = context;
    const { settlement: settler } = scheme;
    if (isAbandoned(record, this.#parts.clock.now())) return late(record);
    progress.isAsked = true;
    progress.settlingSince ??= performance.now();
    const outcome = await settler.ask(record, route);
    const other = outcome.kind === 'unsent' ? progress.others.shift() : undefined;
    if (other !== undefined) return { kind: 'passed_on', facilitator: other };
    const settlement = await settler.judge(record, outcome);
    progress.times.settleMs = performance.now() - progress.settlingSince;
    if (settlement.kind === 'unsent') {
      return abandoned(() => unavailable(this.#parts, context, settlement.reason));
    }
    if (settlement.kind === 'refused' || settlement.kind === 'ruled_out') {
      limits.failed.take(record.payer, address);
    }
    if (settlement.kind === 'settled' && progress.isDoubtful) limits.doubtful.giveBack(record.payer, address);
    return settlement;
  }

  /** Finds out what became of a payment; of one that was refused only by looking at the chain. */
  async #examine(record: PaymentRecord): Promise<LifecycleEvent> {
    const { routes, clock } = this.#parts;
    if (isAbandoned(record, clock.now())) return late(record);
    const isWatched = record.state === 'refused';
    const route = isWatched ? undefined : routes.find(({ id }) => id === record.routeId);
    const settler = schemeOf(this.#parts.schemes, record)?.settlement;
    const settlement = settler === undefined ? notOffered(record) : await settler.examine(record, route);
    const proof = isWatched ? 'rpc' : (settler?.proof ?? 'rpc');
    const lastLook = record.overAt + GIVE_UP_MS[proof];
    return settlement.kind === 'unclear' && clock.now() > lastLook ? { kind: 'given_up' } : settlement;
  }

  /** The paid answer, with the word back whether it arrived. */
  #deliver(
    action: 'deliver' | 'redeliver',
    record: PaymentRecord,
    { route, progress }: PaymentContext,
  ): PaywallReply {
    const { observe, background } = this.#parts;
    const { answer, times } = progress;
    if (answer === undefined) throw new Error('there is no answer to deliver');
    if (action === 'redeliver') observe({ outcome: 'redelivered', routeId: route.id });
    else {
      const { usd, scheme, network } = record;
      observe({ outcome: 'delivered', routeId: route.id, usd, way: { scheme, network }, ...times });
    }
    let isSaid = false;
    return {
      ...paidReply(this.#parts, record, answer, progress.receipts),
      sent: (complete) => {
        if (isSaid) return;
        isSaid = true;
        background(this.#noteDelivery(record, complete));
      },
    };
  }

  /** An answer that was already on its way was given once more to its buyer, and arrived. */
  noteArrival(settled: PaymentRecord): void {
    this.#parts.background(this.#noteDelivery(settled, true));
  }

  async #noteDelivery(settled: PaymentRecord, complete: boolean): Promise<void> {
    if (!complete) return this.#noteLoss(settled);
    if (settled.paymentIdHash !== undefined) return this.#note(settled, 'arrived_with_id');
    const account = schemeOf(this.#parts.schemes, settled)?.accounts?.idOf(settled.signed);
    if (account === undefined) return this.#note(settled, 'arrived');
    const over = this.#kept.keep(account, settled, this.#parts.clock.now());
    const isKept = settled.deliveredAt === undefined && !over.includes(settled);
    // Notes that are made together share one transaction.
    const notes = over.map((sale) => this.#note(sale, 'arrived'));
    if (isKept) notes.push(this.#note(settled, 'kept'));
    await Promise.all(notes);
  }

  /** A loss frees only the hand-out that was lost, and none that came after it; nothing is lost that has arrived another way. */
  async #noteLoss(settled: PaymentRecord): Promise<void> {
    const current = await this.#parts.ledger.get(settled.key);
    const isLost = current?.state === 'settled' && current.version === settled.version;
    if (isLost && current.deliveredAt === undefined) await this.run(current, { kind: 'lost' });
  }

  /** Most often nobody has touched the record since it was settled. An arrival closes it in any case. */
  async #note(settled: PaymentRecord, kind: 'kept' | 'arrived' | 'arrived_with_id'): Promise<void> {
    let record: PaymentRecord | undefined = settled;
    for (let i = 0; i < 5 && record?.state === 'settled'; i++) {
      if ((await this.run(record, { kind })) !== 'again') return;
      record = await this.#parts.ledger.get(settled.key);
    }
  }

  /** Frees the nonce where it is still ours: what another process has stored under it meanwhile stays. */
  async #free(claimed: PaymentRecord): Promise<void> {
    const { clock, ledger } = this.#parts;
    const current = await ledger.get(claimed.key);
    const isOurs = current?.owner === claimed.owner && current?.claimedAt === claimed.claimedAt;
    if (current === undefined || !isOurs) {
      ledger.unlock(claimed);
      return;
    }
    const isFree = transition(current, ABANDONED, { now: clock.now(), owner: ledger.owner }) !== undefined;
    // A change whose answer was lost may have taken it further: then the reconciler closes it.
    if (isFree) await this.run(current, ABANDONED);
  }
}

type Taken = Extract<ClaimResult, { kind: 'taken' }>;

/** An event leads to another one, to the answer to the request, or to no action. */
type Outcome = LifecycleEvent | PaywallReply | undefined;

/**
 * A process that was held up for longer than its lease asks no facilitator: another process may have taken the
 * payment up.
 */
const late = ({ transaction }: PaymentRecord): LifecycleEvent => ({
  kind: 'unclear',
  reason: 'worker_late',
  transaction,
});

/** Nobody can be asked about a payment whose network or scheme the service does not offer any more. */
const notOffered = ({ transaction }: PaymentRecord): Settlement => ({
  kind: 'unclear',
  reason: 'not_offered',
  transaction,
});

const ABANDONED: LifecycleEvent = { kind: 'abandoned' };

const abandoned = (reply: () => PaywallReply): LifecycleEvent => ({ kind: 'abandoned', reply });
