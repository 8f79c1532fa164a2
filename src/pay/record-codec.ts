import type { UnixMs } from '../domain/units.ts';
import { usdText } from './amount.ts';
import { paymentKey } from './payment.ts';
import type { PaymentRecord } from './record.ts';

/** What can be told from the authorization and the token is not written down twice. */
type Derived = 'key' | 'payer' | 'nonce' | 'amount' | 'usd';
/** Absent where undefined. */
export type StoredRecord = {
  readonly [Field in Exclude<keyof PaymentRecord, Derived>]?: PaymentRecord[Field];
};

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

/** The record as it is written into the store: JSON leaves out what is undefined. */
export function storedRecord(record: PaymentRecord): StoredRecord {
  const { key: _, payer: __, nonce: ___, amount: ____, usd: _____, ...stored } = record;
  return stored;
}

/** A record that `storedRecord` wrote. */
export function readRecord(stored: StoredRecord): PaymentRecord {
  const written = stored as Omit<PaymentRecord, Derived>;
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

/** Time as six bytes, so that keys sort by it. */
export function timeBytes(at: UnixMs | number): Buffer {
  const bytes = Buffer.allocUnsafe(6);
  bytes.writeUIntBE(at, 0, 6);
  return bytes;
}
