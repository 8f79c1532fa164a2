import type { UnixMs } from '../domain/units.ts';
import type { AccountChange } from './account.ts';
import type { InsertOptions, StoredWith } from './ledger-store.ts';
import { dueKey, dueValue, idOf, keyIn, type Tables, timeBytes, timeIn, versionOf } from './ledger-tables.ts';
import { receiptBytes } from './receipt-bytes.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleReceipts } from './sale.ts';
import { addToLog } from './sale-log-lmdb.ts';

/** Begins a write where it holds; the promise says whether it did. */
type Condition = (write: () => void) => Promise<boolean>;

/**
 * Writes where all conditions hold, one within the other; what is awaited says whether they did. Writes within a
 * condition that does not hold are skipped, and still report that they were done.
 */
async function where([first, ...others]: readonly Condition[], write: () => void): Promise<boolean> {
  if (first === undefined) throw new Error('a write without a condition');
  if (others.length === 0) return first(write);
  let inner: Promise<boolean> | undefined;
  const outer = first(() => {
    inner = where(others, write);
  });
  const [isOuter, isInner] = await Promise.all([outer, inner]);
  return isOuter && isInner === true;
}

/** The account of a change is still what it was read as; the change is a part of the write. */
const unchanged =
  ({ accounts }: Tables, { id, version, row }: AccountChange): Condition =>
  (write) => {
    const key = Buffer.from(id, 'utf8');
    const change = (): void => {
      void accounts.put(key, Buffer.from(row, 'utf8'), version + 1);
      write();
    };
    return version === 0 ? accounts.ifNoExists(key, change) : accounts.ifVersion(key, version, change);
  };

const unchangedIfAny = (tables: Tables, account: AccountChange | undefined): readonly Condition[] =>
  account === undefined ? [] : [unchanged(tables, account)];

/** Receipts are a part of the write, where their day is open. */
const inOpenDay = (tables: Tables, id: Buffer, receipts: SaleReceipts, sale: PaymentRecord): Condition => {
  const bytes = receiptBytes(sale, receipts);
  return (write) =>
    addToLog(tables.log, receipts.answer, sale.settledAt ?? 0, () => {
      void tables.receipts.put(id, bytes);
      write();
    });
};

/** Changes an account alone. */
export function writeAccount(tables: Tables, account: AccountChange): Promise<boolean> {
  return where([unchanged(tables, account)], () => {});
}

/**
 * Adds a payment where its nonce is free, and its payment identifier, or still that of `former`. The puts share
 * the fate of the conditions, which is what is awaited.
 */
export function insert(
  tables: Tables,
  record: PaymentRecord,
  { former, receipts, account }: InsertOptions,
): Promise<boolean> {
  const { codec, payments, nonces, due, purchases } = tables;
  const id = idOf(record);
  const key = keyIn(id);
  const bytes = codec.write(record);
  const identifier =
    record.paymentIdHash === undefined ? undefined : Buffer.from(record.paymentIdHash, 'hex');
  const isFree: Condition = (write) => nonces.ifNoExists(key, write);
  const conditions = [isFree];
  if (identifier !== undefined) {
    conditions.push((write) =>
      former === undefined
        ? purchases.ifNoExists(identifier, write)
        : purchases.ifVersion(identifier, versionOf(idOf(former)), write),
    );
  }
  if (receipts !== undefined) conditions.push(inOpenDay(tables, id, receipts, record));
  return where([...conditions, ...unchangedIfAny(tables, account)], () => {
    void nonces.put(key, timeIn(id));
    void payments.put(id, bytes, record.version);
    if (record.dueAt !== undefined) void due.put(dueKey(record.dueAt, id), dueValue(record));
    if (identifier !== undefined) void purchases.put(identifier, id, versionOf(id));
  });
}

/** Puts `next` in the place of `before`, with its receipts and the change of its account where there are some. */
export function replace(
  tables: Tables,
  before: PaymentRecord,
  next: PaymentRecord,
  { receipts, account }: StoredWith,
): Promise<boolean> {
  const { codec, payments, arrivals } = tables;
  if (next.answerId !== undefined && next.dueAt === undefined) {
    throw new Error('an answer is held by payments that are due some time');
  }
  const id = idOf(before);
  const bytes = codec.write(next);
  const isSame: Condition = (write) => payments.ifVersion(id, before.version, write);
  const conditions = [isSame];
  if (receipts !== undefined) conditions.push(inOpenDay(tables, id, receipts, next));
  else if (before.state === 'settled') conditions.push((write) => arrivals.ifNoExists(id, write));
  return where([...conditions, ...unchangedIfAny(tables, account)], () => {
    rewrite(tables, id, bytes, before, next);
  });
}

function rewrite(
  { payments, due }: Tables,
  id: Buffer,
  bytes: Buffer,
  before: PaymentRecord,
  next: PaymentRecord,
): void {
  void payments.put(id, bytes, next.version);
  if (before.dueAt === next.dueAt && before.answerId === next.answerId) return;
  if (before.dueAt !== undefined) void due.remove(dueKey(before.dueAt, id));
  if (next.dueAt !== undefined) void due.put(dueKey(next.dueAt, id), dueValue(next));
}

/** Notes an arrival beside its payment. */
export function arrive(
  { payments, arrivals, due }: Tables,
  record: PaymentRecord,
  at: UnixMs,
): Promise<boolean> {
  const id = idOf(record);
  const isSame: Condition = (write) => payments.ifVersion(id, record.version, write);
  // An answer may be on its way twice, and the version stays when it arrives.
  const isFirst: Condition = (write) => arrivals.ifNoExists(id, write);
  return where([isSame, isFirst], () => {
    void arrivals.put(id, timeBytes(at));
    if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
  });
}

/** Takes a payment out, its nonce and its payment identifier with it. */
export function remove(tables: Tables, record: PaymentRecord, account?: AccountChange): Promise<boolean> {
  const { payments, nonces, due, purchases } = tables;
  const id = idOf(record);
  const isSame: Condition = (write) => payments.ifVersion(id, record.version, write);
  return where([isSame, ...unchangedIfAny(tables, account)], () => {
    void payments.remove(id);
    void nonces.remove(keyIn(id));
    if (record.paymentIdHash !== undefined) {
      void purchases.remove(Buffer.from(record.paymentIdHash, 'hex'), versionOf(id));
    }
    if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
  });
}
