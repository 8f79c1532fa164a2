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

/** What never changes of a record, as text that lacks its last bracket: written once, however often it is stored. */
const fixedTexts = new WeakMap<Authorization, string>();

function fixedText(record: PaymentRecord): string {
  const known = fixedTexts.get(record.authorization);
  if (known !== undefined) return known;
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
  fixedTexts.set(record.authorization, text);
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
