import type { AccountChange } from '../../../pay/account.ts';
import type { PaymentRecord } from '../../../pay/record.ts';
import type { SaleReceipts } from '../../../pay/sale.ts';
import { dayNumber, leafHash } from '../../../pay/sale-log.ts';

/**
 * A statement that changes one payment, and what is stored with it, together or not at all: a part locks what the change
 * depends on, the part `written` changes the payment where all conditions hold, and all further ones follow from its rows.
 */
export class ChangeStatement {
  readonly values: unknown[] = [];
  readonly #parts: string[] = [];
  readonly #conditions: string[] = [];

  /** The place of a value of that SQL type. */
  value(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }

  part(name: string, sql: string): void {
    this.#parts.push(`${name} AS (${sql})`);
  }

  /** The part `written` may change a payment only where that part has found a row. */
  needs(name: string): void {
    this.#conditions.push(`EXISTS (SELECT FROM ${name})`);
  }

  /** Conditions so far and further ones, as a clause. */
  where(...further: readonly string[]): string {
    const all = [...this.#conditions, ...further];
    return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
  }

  /** One that says in `done` whether the payment was changed. */
  text(): string {
    return `WITH ${this.#parts.join(',\n')}\nSELECT count(*) > 0 AS done FROM written`;
  }
}

/**
 * Locks the account of a change where it is still what it was read as, before anything else is locked: of two statements on one
 * account the second waits here, and then finds it changed.
 */
export function lockAccount(statement: ChangeStatement, { id, version }: AccountChange): void {
  const isSame = `id = ${statement.value(id, 'text')} AND version = ${statement.value(version, 'integer')}`;
  statement.part('account', `SELECT id FROM perpmeter.accounts WHERE ${isSame} FOR UPDATE`);
  statement.needs('account');
}

/** Changes the account that is locked. */
export function bookAccount(statement: ChangeStatement, { id, row }: AccountChange): void {
  const set = `version = version + 1, row = ${statement.value(row, 'text')}`;
  const isWritten = `id = ${statement.value(id, 'text')} AND EXISTS (SELECT FROM written)`;
  statement.part('booked', `UPDATE perpmeter.accounts SET ${set} WHERE ${isWritten}`);
}

/** Locks the day of a sale, which keeps it open until its receipts are committed. */
export function lockDay(statement: ChangeStatement, settled: Pick<PaymentRecord, 'settledAt'>): void {
  const isOpen = statement.where(`day = ${statement.value(dayOf(settled), 'integer')}`, 'NOT closed');
  statement.part('open_day', `SELECT FROM perpmeter.receipt_days ${isOpen} FOR SHARE`);
  statement.needs('open_day');
}

/** The day whose tree has the receipt of a sale. */
export const dayOf = ({ settledAt }: Pick<PaymentRecord, 'settledAt'>): number => dayNumber(settledAt ?? 0);

/** Adds the hash of a receipt to its day. */
export function addLeaf(
  statement: ChangeStatement,
  settled: Pick<PaymentRecord, 'settledAt'>,
  { answer }: SaleReceipts,
): void {
  const day = statement.value(dayOf(settled), 'integer');
  const leaf = statement.value(leafHash(Buffer.from(answer)), 'bytea');
  const add = `INSERT INTO perpmeter.receipt_leaves (day, hash) SELECT ${day}, ${leaf} FROM written ON CONFLICT DO NOTHING`;
  statement.part('leaf', add);
}
