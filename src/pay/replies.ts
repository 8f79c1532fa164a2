import { iso } from '../domain/clock.ts';
import type { Failure, Result } from '../domain/errors.ts';
import type { PaymentReason } from '../domain/payment-errors.ts';
import { checksumAddress } from './address.ts';
import { PAYMENT_VARY } from './challenge.ts';
import type { PaymentLimits } from './limits.ts';
import { NETWORKS } from './networks.ts';
import type { PaymentContext, PaywallParts } from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleReceipts, ShownReceipts } from './sale.ts';
import { type AccountOutcome, schemeOf } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { HttpReply, PaywallReply } from './types.ts';

const RECEIPT = 'payment-response';
const V1_RECEIPT = 'x-payment-response';

/** The two receipts, one for each generation, which differ in how they name the network; of a sale with what is signed. */
function receipts(
  { network, payer }: Pick<PaymentRecord, 'network' | 'payer'>,
  outcome: Readonly<Record<string, unknown>>,
  shown?: ShownReceipts,
): Record<string, string> {
  const about = { ...outcome, payer: checksumAddress(payer) };
  const named = (name: string, more = {}): string =>
    Buffer.from(JSON.stringify({ ...about, network: name, ...more })).toString('base64');
  const ofV1 = { [V1_RECEIPT]: named(NETWORKS[network]?.v1Name ?? network) };
  if (shown === undefined) return { [RECEIPT]: named(network), ...ofV1 };
  const { extensions, headers } = shown;
  return { [RECEIPT]: named(network, { extensions }), ...ofV1, ...headers };
}

/** The answer that was paid for, with its receipts; private to this buyer, and never from a cache. */
export function paidReply(
  { sale, schemes }: Pick<PaywallParts, 'sale' | 'schemes'>,
  record: PaymentRecord,
  answer: HttpReply,
  issued: SaleReceipts | undefined,
): PaywallReply {
  const members = schemeOf(schemes, record)?.settledMembers?.(record);
  const outcome = { success: true, transaction: record.transaction ?? '', ...members };
  const { etag: _, vary, ...headers } = answer.headers;
  return {
    ...answer,
    headers: {
      ...headers,
      'cache-control': 'private, no-store',
      vary: vary === undefined ? PAYMENT_VARY : `${vary}, ${PAYMENT_VARY}`,
    },
    receipts: receipts(record, outcome, issued && sale?.show(issued)),
  };
}

/** The answer to a request about the payer's account that was made, with its receipts. */
export function accountReply(
  { network }: Seller,
  { payer, transaction, members, body }: Extract<AccountOutcome, { kind: 'done' }>,
): PaywallReply {
  const headers = { 'content-type': 'application/json' };
  const reply = uncached({ status: 200, headers, body: Buffer.from(JSON.stringify(body)) });
  const outcome = { success: true, transaction, ...members };
  return { ...reply, receipts: receipts({ network: network.id, payer }, outcome) };
}

/** A fresh challenge for a payment that failed to settle, with receipts that say so. */
export function refusedReply(record: PaymentRecord, challenge: HttpReply): PaywallReply {
  const outcome = { success: false, errorReason: record.reason ?? '', transaction: record.transaction ?? '' };
  return { ...challenge, receipts: receipts(record, outcome) };
}

/** Of a payment that nobody looked at: what became of it before is not known here. */
export const SHUTTING_DOWN: Failure = {
  code: 'shutting_down',
  detail: 'The service is restarting. The payment was not looked at and can be presented again.',
  retryAfterSeconds: 5,
};

/** A failure as the service words it, for one buyer only. */
export function problem(parts: Pick<PaywallParts, 'renderProblem'>, failure: Failure): PaywallReply {
  return uncached(parts.renderProblem(failure));
}

export function uncached({ status, headers, body }: HttpReply): PaywallReply {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const own = { 'cache-control': 'private, no-store', vary: PAYMENT_VARY };
  return { status, headers: { ...Object.fromEntries(lower), ...own }, body };
}

/**
 * Turns a payment away that is wrong by itself, and its sender where there are too many of them. The interface
 * answers 402 to whatever is no valid payment, readable or not (the transport of x402 says 400 of what cannot be
 * read).
 */
export function rejectPayment(
  parts: PaywallParts,
  { route, address, path }: Pick<PaymentContext, 'route' | 'address' | 'path'>,
  reason: PaymentReason,
): PaywallReply {
  const { wrong } = parts.limits;
  const wait = wrong.waitSeconds(address);
  if (wait > 0) return tooMany(parts, { route }, 'wrong', wait);
  wrong.take(address);
  parts.observe({ outcome: 'rejected', routeId: route.id, reason });
  return parts.challenges.challenge(route, reason, path);
}

/** A fresh challenge: nothing was charged. */
export function refuse(parts: PaywallParts, context: PaymentContext, reason: string): PaywallReply {
  parts.observe({ outcome: 'rejected', routeId: context.route.id, reason });
  return parts.challenges.challenge(context.route, reason, context.path);
}

/** The same of a payment that is known to be the payer's, with what helps its program where there is something. */
export async function refuseCorrected(
  parts: PaywallParts,
  context: PaymentContext,
  reason: string,
): Promise<PaywallReply> {
  const { scheme, payment, route, path } = context;
  const correction = await scheme.correction?.(payment, reason);
  if (correction === undefined) return refuse(parts, context, reason);
  parts.observe({ outcome: 'rejected', routeId: route.id, reason: correction.reason });
  return parts.challenges.corrected(route, correction, path);
}

/** The end of a payment that failed to settle: a fresh challenge, and receipts that say so. */
export function refuseSettled(
  parts: Pick<PaywallParts, 'challenges' | 'observe'>,
  context: Pick<PaymentContext, 'route' | 'path'>,
  record: PaymentRecord,
): PaywallReply {
  const reason = record.reason ?? 'settlement_refused';
  parts.observe({ outcome: 'refused', routeId: context.route.id, reason, usd: record.usd });
  return refusedReply(record, parts.challenges.refused(context.route, reason, context.path));
}

export function inFlight(parts: PaywallParts, context: Pick<PaymentContext, 'route'>): PaywallReply {
  parts.observe({ outcome: 'in_flight', routeId: context.route.id });
  return problem(parts, {
    code: 'payment_in_flight',
    detail:
      'This payment is being processed: repeat the same request in a moment. Do not sign another payment.',
    retryAfterSeconds: 2,
  });
}

/** Another request than the one that was bought under the payment identifier. */
export function identifierUsed(parts: PaywallParts, context: Pick<PaymentContext, 'route'>): PaywallReply {
  parts.observe({ outcome: 'repeated', routeId: context.route.id, reason: 'identifier_used' });
  return problem(parts, {
    code: 'identifier_used',
    detail:
      'You have used this payment identifier for another request: nothing was charged for this one. Send another identifier.',
  });
}

/** Bought under the payment identifier too long ago for the answer to be kept: it is not sold a second time. */
export function alreadyPaid(
  parts: PaywallParts,
  context: Pick<PaymentContext, 'route'>,
  { transaction, settledAt }: PaymentRecord,
): PaywallReply {
  parts.observe({ outcome: 'repeated', routeId: context.route.id, reason: 'already_paid' });
  const paidAt = settledAt === undefined ? null : iso(settledAt);
  return problem(parts, {
    code: 'already_paid',
    detail:
      'You have paid for this request under this payment identifier, and its answer is no longer kept: nothing was charged now.',
    paid: { transaction: transaction ?? null, paid_at: paidAt },
  });
}

export function settlementUnknown(
  parts: PaywallParts,
  context: Pick<PaymentContext, 'route'>,
  record?: PaymentRecord,
): PaywallReply {
  parts.observe({
    outcome: 'unknown',
    routeId: context.route.id,
    ...(record?.reason ? { reason: record.reason } : {}),
  });
  const closed = record?.closedAt !== undefined;
  return problem(parts, {
    code: 'settlement_unknown',
    detail: closed
      ? 'What became of this payment could not be established; it is in the operator’s ledger.'
      : 'It is not yet known whether this payment was settled: repeat the same request with the same payment. Do not sign another one.',
    retryAfterSeconds: closed ? 3600 : 3,
  });
}

/** Reasons for which a scheme has no word about a payment: the ledger does not answer, or takes nothing. */
export const LEDGER_AWAY = 'ledger_unreachable';
export const LEDGER_FULL = 'ledger_unwritten';

/** The store of payments does not answer: what an earlier request with the payment came to is not known either. */
export function noLedger(parts: PaywallParts, context: Pick<PaymentContext, 'route'>): PaywallReply {
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason: LEDGER_AWAY });
  return problem(parts, {
    code: 'ledger_unavailable',
    detail:
      'The ledger of payments does not answer: this request moves no money. Repeat it with the same payment; do not sign another one.',
    retryAfterSeconds: 5,
  });
}

/** The ledger takes nothing, as on a full disk: without it no money may move. */
export function unwritten(parts: PaywallParts, context: Pick<PaymentContext, 'route'>): PaywallReply {
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason: LEDGER_FULL });
  return problem(parts, {
    code: 'answer_store_full',
    detail:
      'Payments cannot be written down at the moment: nothing was charged. The same payment can be sent again.',
    retryAfterSeconds: 30,
  });
}

/** The subject of each limit (limits.ts), for the refusal's text. */
const TOO_MANY: Readonly<Record<keyof PaymentLimits, string>> = {
  doubtful:
    'The payer’s key did not make this signature, so that only the chain can say whether it is good: as a contract wallet’s may be. Few of those are looked at at once; one that settles does not count.',
  failed: 'Too many payments of this payer or from this address were found invalid or could not be settled.',
  wrong:
    'Too many payments from this address could not be read, or were on other terms than those asked for.',
};

export function tooMany(
  parts: PaywallParts,
  context: Pick<PaymentContext, 'route'>,
  limit: keyof PaymentLimits,
  seconds: number,
): PaywallReply {
  parts.observe({ outcome: 'limited', routeId: context.route.id });
  return problem(parts, {
    code: 'rate_limited',
    detail: `${TOO_MANY[limit]} Nothing was charged; the same payment can be sent again then.`,
    retryAfterSeconds: seconds,
  });
}

export function unavailable(
  parts: PaywallParts,
  context: Pick<PaymentContext, 'route'>,
  reason: string,
): PaywallReply {
  if (reason === LEDGER_AWAY) return noLedger(parts, context);
  if (reason === LEDGER_FULL) return unwritten(parts, context);
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason });
  return problem(parts, {
    code: 'facilitator_unavailable',
    detail:
      'The payment facilitator cannot be reached: nothing was charged. The same payment can be sent again.',
    retryAfterSeconds: 5,
  });
}

/**
 * No answer to sell: the failure as it is, or what was made instead. It comes before anybody was asked about the
 * payment, or after it was found good: either way a signature that only the chain can judge is not counted.
 */
export function notCharged(
  parts: PaywallParts,
  { route, payment, address, progress }: PaymentContext,
  made: Result<HttpReply>,
): PaywallReply {
  if (progress.isDoubtful) parts.limits.doubtful.giveBack(payment.payer, address);
  const reason = made.ok ? {} : { reason: made.error.code };
  parts.observe({ outcome: 'not_charged', routeId: route.id, ...reason });
  return made.ok ? uncached(made.value) : problem(parts, made.error);
}

export function storeFull(parts: PaywallParts, routeId: string): PaywallReply {
  parts.observe({ outcome: 'unavailable', routeId, reason: 'answer_store_full' });
  return problem(parts, {
    code: 'answer_store_full',
    detail: 'No more undelivered answers can be kept at the moment: nothing was charged.',
    retryAfterSeconds: 30,
  });
}
