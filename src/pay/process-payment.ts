import type { Result } from '../domain/errors.ts';
import { asMs } from '../domain/units.ts';
import { withTimeout } from '../runtime/timer.ts';
import { deliver, deliveryLease } from './delivery.ts';
import type { SettlementRequest } from './facilitator.ts';
import { refusedChange, settledChange, unknownChange } from './outcome-changes.ts';
import {
  type Attempt,
  type PaymentContext,
  type PaywallParts,
  problem,
  refuse,
  refuseSettled,
  settlementUnknown,
  unavailable,
  uncached,
} from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import { lowerCased } from './replies.ts';
import { settlementRequest } from './settlement-request.ts';
import { SETTLE_LEASE_MS, type Settled } from './settler.ts';
import type { HttpReply, PaywallReply, Work } from './types.ts';

/** Verify (5 s) and produce (10 s), with room for a slow disk. */
export const CLAIM_LEASE_MS = 30_000;
const PRODUCE_MS = 10_000;

/** Marks what went wrong after the facilitator was asked to move money. */
class AfterSettling extends Error {}

/**
 * Processes a freshly locked payment: verify, produce and store the answer, settle, deliver. Whatever is not a 200
 * releases the lock and is never settled.
 */
export async function processPayment(
  parts: PaywallParts,
  context: PaymentContext,
  claimed: PaymentRecord,
  doubtful: boolean,
): Promise<Attempt> {
  const request = settlementRequest(parts.seller, context.route, claimed);
  const times: Times = {};
  let prepared: Prepared | Attempt;
  try {
    prepared = await prepare(parts, context, claimed, request, doubtful, times);
  } catch (cause) {
    await releaseOwn(parts, claimed);
    throw cause;
  }
  if (prepared === 'again' || 'body' in prepared) return prepared;
  try {
    const started = performance.now();
    const settled = await parts.settler.settle(prepared.record, request);
    times.settleMs = performance.now() - started;
    return settled === undefined ? 'again' : await conclude(parts, context, prepared, settled, times);
  } catch (cause) {
    throw new AfterSettling('after settling', { cause });
  }
}

/** Releases the lock where it is still ours: settlement has not begun. */
async function releaseOwn({ ledger }: PaywallParts, claimed: PaymentRecord): Promise<void> {
  const current = ledger.get(claimed.key);
  const isOurs =
    current !== undefined && current.owner === claimed.owner && current.claimedAt === claimed.claimedAt;
  await ledger.release(isOurs ? current : claimed);
}

/** True for a failure after which it is not known whether money moved. */
export function isAfterSettling(cause: unknown): boolean {
  return cause instanceof AfterSettling;
}

/** A payment in state `settling`, and the answer that is stored for it. */
interface Prepared {
  readonly record: PaymentRecord;
  readonly answer: HttpReply;
}

interface Times {
  verifyMs?: number;
  produceMs?: number;
  settleMs?: number;
}

/**
 * Everything before the money moves; or the answer to a payment that ends here. Whoever finds that the lock is no longer
 * his says nothing about the money: another worker may have moved it.
 */
async function prepare(
  parts: PaywallParts,
  context: PaymentContext,
  claimed: PaymentRecord,
  request: SettlementRequest,
  doubtful: boolean,
  times: Times,
): Promise<Prepared | Attempt> {
  const { ledger, limits } = parts;
  const started = performance.now();
  const { outcome, by } = await parts.facilitators.verify(request, { doubtful });
  times.verifyMs = performance.now() - started;
  if (outcome.kind !== 'valid') {
    if (!(await ledger.release(claimed))) return 'again';
    if (outcome.kind === 'unavailable') return unavailable(parts, context, outcome.reason);
    limits.failed.take(claimed.payer, context.address);
    return refuse(parts, context, outcome.reason);
  }

  const producing = performance.now();
  const making = produce(context.work);
  const made = making instanceof Promise ? await making : making;
  times.produceMs = performance.now() - producing;
  if (!made.ok || made.value.status !== 200) {
    if (!(await ledger.release(claimed))) return 'again';
    parts.observe({
      outcome: 'not_charged',
      routeId: context.route.id,
      ...(made.ok ? {} : { reason: made.error.code }),
    });
    return made.ok ? uncached(made.value) : problem(parts, made.error);
  }
  return await holdAndStart(parts, context, claimed, by.name, lowerCased(made.value));
}

async function holdAndStart(
  parts: PaywallParts,
  context: PaymentContext,
  claimed: PaymentRecord,
  facilitator: string,
  answer: HttpReply,
): Promise<Prepared | Attempt> {
  const { ledger, clock } = parts;
  const change = { state: 'settling', settlingAt: clock.now(), facilitator } as const;
  const record = await ledger.hold(claimed, change, answer, SETTLE_LEASE_MS);
  if (record === 'full') {
    return (await ledger.release(claimed)) ? storeFull(parts, context) : 'again';
  }
  return record === undefined ? 'again' : { record, answer };
}

export function storeFull(parts: PaywallParts, context: PaymentContext): PaywallReply {
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason: 'answer_store_full' });
  return problem(parts, {
    code: 'answer_store_full',
    detail: 'No more undelivered answers can be kept at the moment: nothing was charged.',
    retryAfterSeconds: 30,
  });
}

const LATE: Result<HttpReply> = {
  ok: false,
  error: {
    code: 'not_ready',
    detail: 'The answer took too long: nothing was charged.',
    retryAfterSeconds: 5,
  },
};

function produce(work: Work): Result<HttpReply> | Promise<Result<HttpReply>> {
  const making = work.produce();
  return making instanceof Promise ? withTimeout(making, PRODUCE_MS, () => LATE) : making;
}

/** Writes down how the settling ended, durably, before anything is said about it. */
async function conclude(
  parts: PaywallParts,
  context: PaymentContext,
  { answer }: Prepared,
  { record: settling, settlement }: Settled,
  times: Times,
): Promise<Attempt> {
  const { ledger, clock, limits, settler } = parts;
  const now = clock.now();
  if (settlement.kind === 'unsent') {
    if (!(await ledger.release(settling))) return 'again';
    return unavailable(parts, context, settlement.reason);
  }
  if (settlement.kind === 'settled') {
    const change = Object.assign(settledChange(settlement, now), deliveryLease(parts));
    const settled = await ledger.change(settling, change, { flush: true });
    if (settled === undefined) return 'again';
    parts.observe({ outcome: 'delivered', routeId: context.route.id, usd: settled.usd, ...times });
    return deliver(parts, settled, answer);
  }
  if (settlement.kind === 'refused') {
    limits.failed.take(settling.payer, context.address);
    const { change, drop } = refusedChange(settling, settlement, settler.proof, now);
    const refused = await ledger.change(settling, change, { drop, flush: true });
    return refused === undefined ? 'again' : refuseSettled(parts, context, refused);
  }
  const change = unknownChange(settling, settlement, asMs(now));
  const unknown = await ledger.change(settling, change, { flush: true });
  return unknown === undefined ? 'again' : settlementUnknown(parts, context, unknown);
}
