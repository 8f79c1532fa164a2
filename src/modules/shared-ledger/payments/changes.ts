import type { AccountChange } from '../../../pay/account.ts';
import type { InsertOptions, StoredWith } from '../../../pay/ledger-store.ts';
import { receiptBytes } from '../../../pay/receipt-bytes.ts';
import type { PaymentRecord } from '../../../pay/record.ts';
import type { RecordJson } from '../../../pay/record-json.ts';
import type { SaleReceipts } from '../../../pay/sale.ts';
import type { Write } from '../server/connection.ts';
import { addLeaf, bookAccount, ChangeStatement, lockAccount, lockDay } from './change-statement.ts';

/** A payment that is added, with the bytes of its answer. */
export interface Insertion {
  readonly record: PaymentRecord;
  readonly answer: Buffer;
  readonly json: RecordJson;
}

/** A payment that takes the place of what was read. */
export interface Replacement {
  readonly before: PaymentRecord;
  readonly next: PaymentRecord;
  readonly json: RecordJson;
}

/**
 * Locks the row, which is a write and so waits for a synchronous stand-by: what a primary has alone can be seen there after
 * a crash, or once a session that waited was ended.
 */
const IS_INSERTED = 'SELECT FROM perpmeter.payments WHERE key = $1 AND answer_id = $2 FOR UPDATE';
/** The same record in the same version is stored already; locked as `IS_INSERTED` does. */
const IS_STORED =
  'SELECT FROM perpmeter.payments WHERE key = $1 AND version = $2 AND record::text = $3::text FOR UPDATE';
const IS_GONE = 'SELECT WHERE NOT EXISTS (SELECT FROM perpmeter.payments WHERE key = $1)';

/** Adds a payment with its answer where its nonce is free, and its payment identifier. */
export function insertion(
  { record, answer, json }: Insertion,
  { former, receipts, account }: InsertOptions,
): Write {
  const statement = new ChangeStatement();
  if (account !== undefined) lockAccount(statement, account);
  if (receipts !== undefined) lockDay(statement, record);
  if (record.paymentIdHash !== undefined) buyUnder(statement, record, record.paymentIdHash, former);
  const values = [
    ...columnsOf(statement, record, json).map(([, value]) => value),
    statement.value(bytesOf(record.key), 'bytea'),
    statement.value(record.claimedAt, 'bigint'),
  ];
  statement.part(
    'written',
    `INSERT INTO perpmeter.payments (version, state, due_at, answer_id, record, key, claimed_at)
    SELECT ${values.join(', ')} ${statement.where()} ON CONFLICT (key) DO NOTHING RETURNING key, answer_id`,
  );
  holdAnswer(statement, record.storedBytes, answer);
  if (receipts !== undefined) addReceipts(statement, record, receipts);
  if (account !== undefined) bookAccount(statement, account);
  const isMade = { sql: IS_INSERTED, values: [bytesOf(record.key), record.answerId] };
  return { sql: statement.text(), values: statement.values, isMade };
}

function holdAnswer(statement: ChangeStatement, storedBytes: number, answer: Buffer): void {
  const values = [statement.value(storedBytes, 'integer'), statement.value(answer, 'bytea')];
  statement.part(
    'held',
    `INSERT INTO perpmeter.held_answers (key, answer_id, size, bytes)
    SELECT key, answer_id, ${values.join(', ')} FROM written`,
  );
}

/**
 * Takes a payment identifier where that is free, or still that of the former payment. Of two statements with one nonce and two
 * identifiers both may write theirs: that of the payment's own record counts.
 */
function buyUnder(
  statement: ChangeStatement,
  { key, claimedAt }: PaymentRecord,
  paymentIdHash: string,
  former: PaymentRecord | undefined,
): void {
  const own = statement.value(bytesOf(key), 'bytea');
  const values = `${statement.value(bytesOf(paymentIdHash), 'bytea')}, ${own}, ${statement.value(claimedAt, 'bigint')}`;
  const isNew = `NOT EXISTS (SELECT FROM perpmeter.payments WHERE key = ${own})`;
  const before = statement.value(former === undefined ? null : bytesOf(former.key), 'bytea');
  statement.part(
    'bought',
    `INSERT INTO perpmeter.purchases (identifier, key, claimed_at) SELECT ${values} ${statement.where(isNew)}
    ON CONFLICT (identifier) DO UPDATE SET key = excluded.key, claimed_at = excluded.claimed_at
    WHERE purchases.key = ${before} RETURNING key`,
  );
  statement.needs('bought');
}

/** Puts `next` in the place of `before`; an answer that it has no more is deleted. */
export function replacement({ before, next, json }: Replacement, { receipts, account }: StoredWith): Write {
  const statement = new ChangeStatement();
  if (account !== undefined) lockAccount(statement, account);
  if (receipts !== undefined) lockDay(statement, next);
  const set = columnsOf(statement, next, json).map(([name, value]) => `${name} = ${value}`);
  const where = statement.where(unchanged(statement, before));
  statement.part('written', `UPDATE perpmeter.payments SET ${set.join(', ')} ${where} RETURNING key`);
  if (receipts !== undefined) addReceipts(statement, next, receipts);
  else if (before.answerId !== undefined && next.answerId === undefined) dropAnswer(statement);
  if (account !== undefined) bookAccount(statement, account);
  const isMade = { sql: IS_STORED, values: [bytesOf(next.key), next.version, json.write(next)] };
  return { sql: statement.text(), values: statement.values, isMade };
}

/** Takes a payment out, with its answer and its payment identifier. */
export function removal(record: PaymentRecord, account: AccountChange | undefined): Write {
  const statement = new ChangeStatement();
  if (account !== undefined) lockAccount(statement, account);
  const where = statement.where(unchanged(statement, record));
  statement.part('written', `DELETE FROM perpmeter.payments ${where} RETURNING key`);
  dropAnswer(statement);
  statement.part('free', 'DELETE FROM perpmeter.purchases USING written WHERE purchases.key = written.key');
  if (account !== undefined) bookAccount(statement, account);
  const isMade = { sql: IS_GONE, values: [bytesOf(record.key)] };
  return { sql: statement.text(), values: statement.values, isMade };
}

/** Receipts stay as long as their payment; the tree of their day has a hash. */
function addReceipts(statement: ChangeStatement, settled: PaymentRecord, receipts: SaleReceipts): void {
  addLeaf(statement, settled, receipts);
  const bytes = statement.value(receiptBytes(settled, receipts), 'bytea');
  statement.part(
    'issued',
    `INSERT INTO perpmeter.receipts (key, bytes) SELECT key, ${bytes} FROM written ON CONFLICT DO NOTHING`,
  );
}

const dropAnswer = (statement: ChangeStatement): void =>
  statement.part(
    'gone',
    'DELETE FROM perpmeter.held_answers USING written WHERE held_answers.key = written.key',
  );

/** Names and values of the columns that change. */
function columnsOf(
  statement: ChangeStatement,
  record: PaymentRecord,
  json: RecordJson,
): readonly (readonly [string, string])[] {
  const { version, state, dueAt = null, answerId = null } = record;
  return [
    ['version', statement.value(version, 'integer')],
    ['state', statement.value(state, 'text')],
    ['due_at', statement.value(dueAt, 'bigint')],
    ['answer_id', statement.value(answerId, 'text')],
    ['record', statement.value(json.write(record), 'json')],
  ];
}

/**
 * The condition of a change: version and state, and the answer by which one claim of a nonce differs from the
 * next.
 */
function unchanged(
  statement: ChangeStatement,
  { key, claimedAt, version, state, answerId }: PaymentRecord,
): string {
  return `key = ${statement.value(bytesOf(key), 'bytea')} AND claimed_at = ${statement.value(claimedAt, 'bigint')}
    AND version = ${statement.value(version, 'integer')} AND state = ${statement.value(state, 'text')}
    AND answer_id IS NOT DISTINCT FROM ${statement.value(answerId ?? null, 'text')}`;
}

/** The bytes of a text in hex. */
export const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');
