import type { UnixMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { isOwnerGone } from '../storage/process-owner.ts';

/** As it is stored; what leads from one to the next is in lifecycle.ts. */
export const PAYMENT_STATES = ['claimed', 'settling', 'settled', 'delivered', 'refused', 'unknown'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Somebody has to find out, or is finding out, whether money moved. */
export const OPEN_STATES: ReadonlySet<PaymentState> = new Set(['claimed', 'settling', 'refused', 'unknown']);
/** The money moved: all that may be left is to let the answer go. */
export const PAID_STATES: ReadonlySet<PaymentState> = new Set(['settled', 'delivered']);

/** One payment in the ledger. */
export interface PaymentRecord<Signed = unknown> {
  /** Digest of network, asset, payer and nonce; hex. */
  readonly key: string;
  /** Counts changes: a change is made against the version it was read at, or not at all. */
  readonly version: number;
  readonly state: PaymentState;

  readonly routeId: string;
  /** Path and query in canonical form; of payments begun by older builds the path alone. */
  readonly resource: string;
  /** Of method, path and query. */
  readonly resourceHash: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly payer: string;
  /** Tells it from all other payments of its payer. */
  readonly nonce: string;
  /** Atomic units. */
  readonly amount: string;
  readonly usd: string;

  /** Name of its scheme. */
  readonly scheme: string;
  /** All that the payer signed, with the signature: it is asked for again when an outcome is not known. Only the scheme reads it. */
  readonly signed: Signed;
  /** From then on it is certain whether the money moved: nothing that was signed can be used any more. */
  readonly overAt: UnixMs;
  /** Hash of the payment identifier: no other payment of the payer is settled under it while this one has it. */
  readonly paymentIdHash: string | undefined;
  /** Wrong ids presented; at five the id no longer opens anything. */
  readonly idMisses: number;

  readonly claimedAt: UnixMs;
  readonly settlingAt: UnixMs | undefined;
  readonly settledAt: UnixMs | undefined;
  readonly deliveredAt: UnixMs | undefined;
  /** When refused, or when an unknown was given up. */
  readonly closedAt: UnixMs | undefined;

  /** The facilitator that was asked to settle it: no other one may be asked while the outcome is unknown. */
  readonly facilitator: string | undefined;
  /** Not unique: a facilitator may settle several payments in one transaction. */
  readonly transaction: string | undefined;
  /** The source of the proof that it is settled. */
  readonly proof: 'rpc' | 'facilitator' | undefined;
  readonly reason: string | undefined;

  /** The process that works on it, and until when nobody else may. */
  readonly owner: string | undefined;
  readonly leaseUntil: UnixMs | undefined;
  /** When the reconciler looks at it next; undefined when there is nothing left to do. */
  readonly dueAt: UnixMs | undefined;
  /** Times the reconciler has looked at it and found no outcome. */
  readonly attempts: number;

  /** Name of the stored answer, which other payments may share; undefined without one. */
  readonly answerId: string | undefined;
  /** Bytes of the stored answer, 0 without one. */
  readonly storedBytes: number;
  /** The stored answer is kept until then. */
  readonly answerUntil: UnixMs | undefined;
}

/** The requested path, without the query. */
export const pathOf = ({ resource }: Pick<PaymentRecord, 'resource'>): string =>
  resource.split('?', 1)[0] ?? resource;

/** Someone works on it at this moment. */
export function isInFlight(record: PaymentRecord): boolean {
  return record.state === 'claimed' || record.state === 'settling';
}

/** Its worker is gone, or took longer than it may. */
export function isAbandoned(record: PaymentRecord, now: UnixMs): boolean {
  return record.leaseUntil === undefined || record.leaseUntil <= now;
}

/** True where nobody works on a payment: its lease is over, or the process that holds it is gone. */
export function isUnattended(record: PaymentRecord, now: UnixMs): boolean {
  return isAbandoned(record, now) || (record.owner !== undefined && isOwnerGone(record.owner));
}

/** A payment identifier stands for its purchase so long after that is paid for. */
export const IDENTIFIER_MS = DAY_MS;

/**
 * True if no other payment may be settled under the payment identifier of this one: while it may be paid for,
 * and for a day after it was. One that was given up as unknown counts as long.
 */
export function holdsIdentifier({ state, settledAt, closedAt }: PaymentRecord, now: UnixMs): boolean {
  if (state === 'refused') return false;
  const since = state === 'unknown' ? closedAt : settledAt;
  return since === undefined || now < since + IDENTIFIER_MS;
}

/** The same of one that its facilitator alone has refused: it has its identifier again where the chain shows that it was paid. */
export function mayHoldIdentifier(record: PaymentRecord, now: UnixMs): boolean {
  const isWatched = record.state === 'refused' && record.dueAt !== undefined;
  return isWatched || holdsIdentifier(record, now);
}

/** A record that may still be changed. */
export type RecordDraft = { -readonly [Name in keyof PaymentRecord]: PaymentRecord[Name] };

/** A copy, field by field: spreading a large object takes longer than storing it. */
export function draftOf(record: PaymentRecord): RecordDraft {
  return {
    key: record.key,
    version: record.version,
    state: record.state,
    routeId: record.routeId,
    resource: record.resource,
    resourceHash: record.resourceHash,
    network: record.network,
    asset: record.asset,
    payTo: record.payTo,
    payer: record.payer,
    nonce: record.nonce,
    amount: record.amount,
    usd: record.usd,
    scheme: record.scheme,
    signed: record.signed,
    overAt: record.overAt,
    paymentIdHash: record.paymentIdHash,
    idMisses: record.idMisses,
    claimedAt: record.claimedAt,
    settlingAt: record.settlingAt,
    settledAt: record.settledAt,
    deliveredAt: record.deliveredAt,
    closedAt: record.closedAt,
    facilitator: record.facilitator,
    transaction: record.transaction,
    proof: record.proof,
    reason: record.reason,
    owner: record.owner,
    leaseUntil: record.leaseUntil,
    dueAt: record.dueAt,
    attempts: record.attempts,
    answerId: record.answerId,
    storedBytes: record.storedBytes,
    answerUntil: record.answerUntil,
  };
}

/** True if money moved for a payment, as far as the ledger knows. */
export const isPaid = ({ state }: PaymentRecord): boolean => PAID_STATES.has(state);
