import type { Result } from '../domain/errors.ts';
import { asMs } from '../domain/units.ts';
import { deliver, handing } from './delivery.ts';
import type { SettlementRequest } from './facilitator.ts';
import {
  type Attempt,
  type GateParts,
  inFlight,
  type PaymentContext,
  problem,
  refuse,
  refuseSettled,
  settlementUnknown,
  unavailable,
  uncached,
} from './gate-context.ts';
import { refusedChange, settledChange } from './reconciler.ts';
import type { PaymentRecord } from './record.ts';
import { lowerCased } from './replies.ts';
import { type Settlement, settlementRequest } from './settler.ts';
import type { GateReply, HttpReply, Work } from './types.ts';

/** Verify (5 s) and produce (10 s), with room for a slow disk. */
export const CLAIM_LEASE_MS = 30_000;
/** Settle (20 s), once more while pending, and the proof. */
const SETTLE_LEASE_MS = 60_000;
const PRODUCE_MS = 10_000;
const FIRST_LOOK_MS = 2_000;

/** Marks what went wrong after the facilitator was asked to move money. */
class AfterSettling extends Error {}

/**
 * Takes a freshly locked payment to its end: verify, make and store the answer, settle, hand over. Whatever is not
 * a 200 gives the lock back and is never settled.
 */
export async function exchange(
  parts: GateParts,
  context: PaymentContext,
  claimed: PaymentRecord,
  doubtful: boolean,
): Promise<Attempt> {
  const request = settlementRequest(parts.seller, context.route, claimed);
  const times: Times = {};
  let prepared: Prepared | GateReply;
  try {
    prepared = await prepare(parts, context, claimed, request, doubtful, times);
  } catch (cause) {
    await releaseOwn(parts, claimed);
    throw cause;
  }
  if ('body' in prepared) return prepared;
  try {
    const started = performance.now();
    const settlement = await parts.settler.settle(prepared.record, request);
    times.settleMs = performance.now() - started;
    return await conclude(parts, context, prepared, settlement, times);
  } catch (cause) {
    throw new AfterSettling('after settling', { cause });
  }
}

/** Gives the lock back where it is still ours: nothing has been asked of anybody yet. */
async function releaseOwn({ ledger }: GateParts, claimed: PaymentRecord): Promise<void> {
  const current = ledger.get(claimed.key);
  const isOurs = (record: PaymentRecord): boolean =>
    record.owner === claimed.owner && record.claimedAt === claimed.claimedAt;
  if (current !== undefined && isOurs(current)) await ledger.release(current);
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

/** Everything before the money moves; or the answer to a payment that ends here. */
async function prepare(
  parts: GateParts,
  context: PaymentContext,
  claimed: PaymentRecord,
  request: SettlementRequest,
  doubtful: boolean,
  times: Times,
): Promise<Prepared | GateReply> {
  const { ledger, clock, limits } = parts;
  const started = performance.now();
  const outcome = await parts.facilitator.verify(request, { doubtful });
  times.verifyMs = performance.now() - started;
  if (outcome.kind !== 'valid') {
    await ledger.release(claimed);
    if (outcome.kind === 'unavailable') return unavailable(parts, context, outcome.reason);
    limits.invalid.take(claimed.payer, context.input.address);
    return refuse(parts, context, outcome.reason);
  }
  const verified = await ledger.work(claimed, { state: 'verified', verifiedAt: clock.now() }, CLAIM_LEASE_MS);
  if (verified === undefined) return inFlight(parts, context);

  const producing = performance.now();
  const made = await produce(context.work);
  times.produceMs = performance.now() - producing;
  if (!made.ok || made.value.status !== 200) {
    await ledger.release(verified);
    parts.observe({
      outcome: 'not_charged',
      routeId: context.route.id,
      ...(made.ok ? {} : { reason: made.error.code }),
    });
    return made.ok ? uncached(made.value) : problem(parts, made.error);
  }
  return holdAndStart(parts, context, verified, made.value);
}

async function holdAndStart(
  parts: GateParts,
  context: PaymentContext,
  verified: PaymentRecord,
  made: HttpReply,
): Promise<Prepared | GateReply> {
  const { ledger, clock } = parts;
  const answer = lowerCased(made);
  const held = await ledger.hold(verified, answer, CLAIM_LEASE_MS);
  if (held === 'full') {
    await ledger.release(verified);
    return storeFull(parts, context);
  }
  if (held === undefined) return inFlight(parts, context);
  const change = { state: 'settling', settlingAt: clock.now() } as const;
  const record = await ledger.work(held, change, SETTLE_LEASE_MS, { flush: true });
  return record === undefined ? inFlight(parts, context) : { record, answer };
}

export function storeFull(parts: GateParts, context: PaymentContext): GateReply {
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason: 'answer_store_full' });
  return problem(parts, {
    code: 'answer_store_full',
    detail: 'No more undelivered answers can be kept at the moment: nothing was charged.',
    retryAfterSeconds: 30,
  });
}

async function produce(work: Work): Promise<Result<HttpReply>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<HttpReply>>((resolve) => {
    const error = {
      code: 'not_ready',
      detail: 'The answer took too long: nothing was charged.',
      retryAfterSeconds: 5,
    } as const;
    timer = setTimeout(() => resolve({ ok: false, error }), PRODUCE_MS);
  });
  try {
    return await Promise.race([Promise.resolve(work.produce()), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes down how the settling ended, durably, before anything is said about it. */
async function conclude(
  parts: GateParts,
  context: PaymentContext,
  { record: settling, answer }: Prepared,
  settlement: Settlement,
  times: Times,
): Promise<Attempt> {
  const { ledger, clock } = parts;
  const now = clock.now();
  if (settlement.kind === 'unsent') {
    await ledger.release(settling);
    return unavailable(parts, context, settlement.reason);
  }
  if (settlement.kind === 'settled') {
    const settled = await ledger.change(
      settling,
      { ...settledChange(settlement, now), ...handing(parts) },
      { flush: true },
    );
    if (settled === undefined) return 'again';
    parts.observe({ outcome: 'delivered', routeId: context.route.id, usd: settled.usd, ...times });
    return deliver(parts, settled, answer);
  }
  if (settlement.kind === 'refused') {
    const refused = await ledger.change(settling, refusedChange(settlement, now), {
      answer: 'drop',
      flush: true,
    });
    return refused === undefined ? 'again' : refuseSettled(parts, context, refused);
  }
  const unknown = await ledger.change(
    settling,
    {
      state: 'unknown',
      reason: settlement.reason,
      transaction: settlement.transaction,
      leaseUntil: now,
      dueAt: asMs(now + FIRST_LOOK_MS),
    },
    { flush: true },
  );
  return unknown === undefined ? 'again' : settlementUnknown(parts, context, unknown);
}
