import type { Account } from '../../../pay/account.ts';
import { answerBytes } from '../../../pay/answer-references.ts';
import { receiptBytes } from '../../../pay/receipt-bytes.ts';
import type { PaymentRecord } from '../../../pay/record.ts';
import { createRecordJson, type RecordJson } from '../../../pay/record-json.ts';
import type { SaleReceipts } from '../../../pay/sale.ts';
import { type DayTree, HASH_BYTES, type Leaves } from '../../../pay/sale-log.ts';
import type { SchemeFormat } from '../../../pay/scheme.ts';
import type { HttpReply } from '../../../pay/types.ts';
import { Connection, REPEATABLE } from '../server/connection.ts';
import { accountOf, READ_ACCOUNTS } from './accounts.ts';
import { LEDGER_SERVER } from './schema.ts';

/** A payment with what is stored beside it. */
export interface StoredPayment {
  readonly record: PaymentRecord;
  readonly answer: HttpReply | undefined;
  readonly receipts: SaleReceipts | undefined;
  /** It has its payment identifier, or had it last. */
  readonly isPurchase: boolean;
}

/**
 * A payment that another store has changed since it was carried over stays; changes of this store are taken
 * over.
 */
const PAYMENTS = `
WITH written AS (
  INSERT INTO perpmeter.payments AS known (key, claimed_at, version, state, due_at, answer_id, record)
  SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::integer[], $4::text[], $5::bigint[], $6::text[], $7::json[])
  ON CONFLICT (key) DO UPDATE
  SET version = excluded.version, state = excluded.state, due_at = excluded.due_at,
    answer_id = excluded.answer_id, record = excluded.record
  WHERE known.claimed_at = excluded.claimed_at AND (known.version < excluded.version
    OR known.version = excluded.version AND known.state = 'settled' AND excluded.state = 'delivered')
)
SELECT true AS done`;

const ANSWER = `
WITH written AS (
  INSERT INTO perpmeter.held_answers (key, answer_id, size, bytes)
  SELECT key, answer_id, $3::integer, $4::bytea
  FROM perpmeter.payments WHERE key = $1 AND answer_id = $2
  ON CONFLICT (key) DO UPDATE SET answer_id = excluded.answer_id, size = excluded.size, bytes = excluded.bytes
)
SELECT true AS done`;

/** A receipt never changes. */
const RECEIPTS = `
WITH written AS (
  INSERT INTO perpmeter.receipts (key, bytes)
  SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT (key) DO NOTHING
)
SELECT true AS done`;

/** The later payment has it: the folder may have sold on after a move that was cut off, and hosts after one that was not. */
const PURCHASES = `
WITH written AS (
  INSERT INTO perpmeter.purchases (identifier, key, claimed_at)
  SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[])
  ON CONFLICT (identifier) DO UPDATE SET key = excluded.key, claimed_at = excluded.claimed_at
  WHERE purchases.claimed_at < excluded.claimed_at
)
SELECT true AS done`;

/** An account that the server's hosts have changed since stays. */
const ACCOUNTS = `
WITH written AS (
  INSERT INTO perpmeter.accounts AS known (id, version, row)
  SELECT * FROM unnest($1::text[], $2::integer[], $3::text[])
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, row = excluded.row
  WHERE known.version < excluded.version
)
SELECT true AS done`;

/** Answers of payments that ended since they were carried over. */
const SPENT = `
WITH gone AS (
  DELETE FROM perpmeter.held_answers AS held USING perpmeter.payments AS paid
  WHERE held.key = paid.key AND held.answer_id IS DISTINCT FROM paid.answer_id
)
SELECT true AS done`;

const TREE = `
WITH day AS (
  INSERT INTO perpmeter.receipt_days (day, closed) VALUES ($1::integer, true)
  ON CONFLICT (day) DO UPDATE SET closed = true
), tree AS (
  INSERT INTO perpmeter.receipt_trees (day, statement, hashes, blocks) VALUES ($1::integer, $2, $3, $4)
  ON CONFLICT (day) DO NOTHING
)
SELECT true AS done`;

const LEAVES = `
WITH leaves AS (
  INSERT INTO perpmeter.receipt_leaves (day, hash) SELECT $1::integer, unnest($2::bytea[]) ON CONFLICT DO NOTHING
)
SELECT true AS done`;

/** Writes what another store holds, as it stands there; whatever was written before may be written again. */
export class LedgerImport {
  readonly #connection: Connection;
  readonly #json: RecordJson;

  private constructor(connection: Connection, formats: readonly SchemeFormat[]) {
    this.#connection = connection;
    this.#json = createRecordJson(formats);
  }

  /** @throws StoreOpenError as `openPostgresStore` does */
  static async open(url: string, formats: readonly SchemeFormat[]): Promise<LedgerImport> {
    const connection = new Connection(url, LEDGER_SERVER);
    try {
      await connection.ready();
    } catch (cause) {
      await connection.close();
      throw cause;
    }
    return new LedgerImport(connection, formats);
  }

  get place(): string {
    return this.#connection.place;
  }

  async payments(stored: readonly StoredPayment[]): Promise<void> {
    const records = stored.map(({ record }) => record);
    const column = (of: (record: PaymentRecord) => unknown): unknown[] => records.map(of);
    await this.#write(PAYMENTS, [
      column(({ key }) => Buffer.from(key, 'hex')),
      column(({ claimedAt }) => claimedAt),
      column(({ version }) => version),
      column(({ state }) => state),
      column(({ dueAt }) => dueAt ?? null),
      column(({ answerId }) => answerId ?? null),
      column((record) => this.#json.write(record)),
    ]);
    await this.#purchases(stored);
    await this.#receipts(stored);
    for (const { record, answer } of stored) {
      if (answer === undefined || record.answerId === undefined) continue;
      const key = Buffer.from(record.key, 'hex');
      await this.#write(ANSWER, [key, record.answerId, record.storedBytes, answerBytes(answer)]);
    }
  }

  async #receipts(stored: readonly StoredPayment[]): Promise<void> {
    const issued = stored.flatMap(({ record, receipts }) =>
      receipts === undefined ? [] : [{ key: record.key, bytes: receiptBytes(record, receipts) }],
    );
    if (issued.length === 0) return;
    await this.#write(RECEIPTS, [
      issued.map(({ key }) => Buffer.from(key, 'hex')),
      issued.map(({ bytes }) => bytes),
    ]);
  }

  /** Purchases under an identifier that the server's hosts have made since stay. */
  async #purchases(stored: readonly StoredPayment[]): Promise<void> {
    const purchases = stored.flatMap(({ record, isPurchase }) =>
      isPurchase && record.paymentIdHash !== undefined
        ? [{ ...record, identifier: record.paymentIdHash }]
        : [],
    );
    if (purchases.length === 0) return;
    await this.#write(PURCHASES, [
      purchases.map(({ identifier }) => Buffer.from(identifier, 'hex')),
      purchases.map(({ key }) => Buffer.from(key, 'hex')),
      purchases.map(({ claimedAt }) => claimedAt),
    ]);
  }

  accounts(accounts: readonly Account[]): Promise<void> {
    return this.#write(ACCOUNTS, [
      accounts.map(({ id }) => id),
      accounts.map(({ version }) => version),
      accounts.map(({ row }) => row),
    ]);
  }

  dropSpentAnswers(): Promise<void> {
    return this.#write(SPENT, []);
  }

  tree({ day, statement, leaves }: DayTree): Promise<void> {
    return this.#write(TREE, [day, statement, leaves.hashes, leaves.blocks ?? null]);
  }

  leaves(day: number, { hashes }: Leaves): Promise<void> {
    const count = hashes.length / HASH_BYTES;
    const all = Array.from({ length: count }, (_, i) =>
      hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
    );
    return this.#write(LEAVES, [day, all]);
  }

  /** Stored payments under these keys, with their answers. */
  async stored(keys: readonly string[]): Promise<ReadonlyMap<string, PaymentRecord>> {
    const rows = await this.#connection.read('SELECT record FROM perpmeter.payments WHERE key = ANY ($1)', [
      keys.map((key) => Buffer.from(key, 'hex')),
    ]);
    return new Map(rows.map(({ record }) => this.#json.read(record)).map((row) => [row.key, row]));
  }

  /** Stored accounts of these names. */
  async storedAccounts(ids: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    const rows = await this.#connection.read(READ_ACCOUNTS, [ids]);
    return new Map(rows.map(accountOf).map((account) => [account.id, account]));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #write(sql: string, values: readonly unknown[]): Promise<void> {
    await this.#connection.write({ sql, values, isMade: REPEATABLE });
  }
}
