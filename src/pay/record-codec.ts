import { usdText } from './amount.ts';
import { type Authorization, paymentKey } from './payment.ts';
import type { PaymentRecord } from './record.ts';

/** What can be told from the authorization and the token is not written down twice. */
type Derived = 'key' | 'payer' | 'nonce' | 'amount' | 'usd';

/** Every field that may be undefined: a record has all of them, whatever of it was written. */
const UNDEFINED = {
  paymentIdHash: undefined,
  settlingAt: undefined,
  settledAt: undefined,
  deliveredAt: undefined,
  closedAt: undefined,
  facilitator: undefined,
  transaction: undefined,
  proof: undefined,
  reason: undefined,
  owner: undefined,
  leaseUntil: undefined,
  dueAt: undefined,
  answerUntil: undefined,
} as const;

/** A claim's part of a record, and its text without the last bracket. */
interface Fixed {
  readonly of: PaymentRecord;
  readonly text: string;
}

/** What never changes of a claim: written once, however often it is stored. */
const fixedTexts = new WeakMap<Authorization, Fixed>();

/** One authorization may be claimed again once it was released: at another time, for another request. */
function isSameClaim(a: PaymentRecord, b: PaymentRecord): boolean {
  return (
    a.claimedAt === b.claimedAt &&
    a.resourceHash === b.resourceHash &&
    a.path === b.path &&
    a.routeId === b.routeId &&
    a.signature === b.signature &&
    a.paymentIdHash === b.paymentIdHash
  );
}

function fixedText(record: PaymentRecord): string {
  const known = fixedTexts.get(record.authorization);
  if (known !== undefined && isSameClaim(known.of, record)) return known.text;
  const text = JSON.stringify({
    network: record.network,
    asset: record.asset,
    payTo: record.payTo,
    authorization: record.authorization,
    signature: record.signature,
    paymentIdHash: record.paymentIdHash,
    routeId: record.routeId,
    path: record.path,
    resourceHash: record.resourceHash,
    claimedAt: record.claimedAt,
  }).slice(0, -1);
  fixedTexts.set(record.authorization, { of: record, text });
  return text;
}

/** The record as it is stored: JSON, without what is undefined. */
export function recordText(record: PaymentRecord): string {
  const changing = JSON.stringify({
    version: record.version,
    state: record.state,
    idMisses: record.idMisses,
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
    storedBytes: record.storedBytes,
    answerUntil: record.answerUntil,
  });
  return `${fixedText(record)},${changing.slice(1)}`;
}

/** A record that `recordText` wrote. */
export function readRecord(text: string): PaymentRecord {
  const written = JSON.parse(text) as Omit<PaymentRecord, Derived>;
  const { network, asset, authorization } = written;
  return {
    ...UNDEFINED,
    ...written,
    key: paymentKey(network, asset, authorization),
    payer: authorization.from,
    nonce: authorization.nonce,
    amount: authorization.value,
    usd: usdText(BigInt(authorization.value)),
  };
}
