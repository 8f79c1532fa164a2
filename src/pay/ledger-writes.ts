import type { UnixMs } from '../domain/units.ts';
import { dueKey, dueValue, idOf, keyIn, type Tables, timeBytes, timeIn, versionOf } from './ledger-tables.ts';
import { addReceipt } from './receipts/receipt-log-lmdb.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleReceipts } from './sale.ts';

/**
 * Adds a payment where its nonce is free, and its payment identifier, or still that of `former`. The puts share
 * the fate of the condition, which is what is awaited.
 */
export function insert(
  { codec, payments, nonces, due, purchases }: Tables,
  record: PaymentRecord,
  former?: PaymentRecord,
): Promise<boolean> {
  const id = idOf(record);
  const key = keyIn(id);
  const bytes = codec.write(record);
  const write = (): void => {
    void nonces.put(key, timeIn(id));
    void payments.put(id, bytes, record.version);
    if (record.dueAt !== undefined) void due.put(dueKey(record.dueAt, id), dueValue(record));
  };
  if (record.paymentIdHash === undefined) return nonces.ifNoExists(key, write);
  const identifier = Buffer.from(record.paymentIdHash, 'hex');
  const writeBoth = (): void => {
    write();
    void purchases.put(identifier, id, versionOf(id));
  };
  let isFree: Promise<boolean> | undefined;
  const isNew = nonces.ifNoExists(key, () => {
    isFree =
      former === undefined
        ? purchases.ifNoExists(identifier, writeBoth)
        : purchases.ifVersion(identifier, versionOf(idOf(former)), writeBoth);
  });
  return bothOf(isNew, isFree);
}

/** Puts `next` in the place of `before`, with its receipts where there are some. */
export function replace(
  tables: Tables,
  before: PaymentRecord,
  next: PaymentRecord,
  receipts: SaleReceipts | undefined,
): Promise<boolean> {
  const { codec, payments, arrivals } = tables;
  if (next.answerId !== undefined && next.dueAt === undefined) {
    throw new Error('an answer is held by payments that are due some time');
  }
  const id = idOf(before);
  const bytes = codec.write(next);
  const write = (): void => rewrite(tables, id, bytes, before, next);
  if (receipts === undefined && before.state !== 'settled') {
    return payments.ifVersion(id, before.version, write);
  }
  let isOpen: Promise<boolean> | undefined;
  const isSame = payments.ifVersion(id, before.version, () => {
    isOpen =
      receipts === undefined
        ? arrivals.ifNoExists(id, write)
        : addReceipt(tables.log, receipts.answer, next.settledAt ?? 0, () => {
            void tables.receipts.put(id, Buffer.from(`${receipts.official}\n${receipts.answer}`, 'latin1'));
            write();
          });
  });
  return bothOf(isSame, isOpen);
}

function rewrite(
  { payments, due, receipts }: Tables,
  id: Buffer,
  bytes: Buffer,
  before: PaymentRecord,
  next: PaymentRecord,
): void {
  void payments.put(id, bytes, next.version);
  if (before.answerId !== undefined && next.answerId === undefined) void receipts.remove(id);
  if (before.dueAt === next.dueAt && before.answerId === next.answerId) return;
  if (before.dueAt !== undefined) void due.remove(dueKey(before.dueAt, id));
  if (next.dueAt !== undefined) void due.put(dueKey(next.dueAt, id), dueValue(next));
}

/** Writes within a condition that does not hold are skipped, and still report that they were done. */
async function bothOf(outer: Promise<boolean>, inner: Promise<boolean> | undefined): Promise<boolean> {
  const [isOuter, isInner] = await Promise.all([outer, inner]);
  return isOuter && isInner === true;
}

/** Notes an arrival beside its payment. */
export function arrive(
  { payments, arrivals, due, receipts }: Tables,
  record: PaymentRecord,
  at: UnixMs,
): Promise<boolean> {
  const id = idOf(record);
  let isFirst: Promise<boolean> | undefined;
  const isSame = payments.ifVersion(id, record.version, () => {
    // An answer may be on its way twice, and the version stays when it arrives.
    isFirst = arrivals.ifNoExists(id, () => {
      void arrivals.put(id, timeBytes(at));
      void receipts.remove(id);
      if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
    });
  });
  return bothOf(isSame, isFirst);
}

/** Takes a payment out, its nonce and its payment identifier with it. */
export function remove(
  { payments, nonces, due, purchases }: Tables,
  record: PaymentRecord,
): Promise<boolean> {
  const id = idOf(record);
  return payments.ifVersion(id, record.version, () => {
    void payments.remove(id);
    void nonces.remove(keyIn(id));
    if (record.paymentIdHash !== undefined) {
      void purchases.remove(Buffer.from(record.paymentIdHash, 'hex'), versionOf(id));
    }
    if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
  });
}
