import type { DayRoot, DayTree, Leaves, SaleLog } from '../../../pay/sale-log.ts';
import type { Connection } from '../server/connection.ts';

/** Days are `integer` columns. */
const LAST_DAY = 2 ** 31 - 1;

const CLOSE = `
WITH written AS (
  INSERT INTO perpmeter.receipt_days (day, closed)
  SELECT day, true FROM generate_series($1::integer, $2::integer) AS day
  ON CONFLICT (day) DO UPDATE SET closed = true RETURNING day
)
SELECT count(*) > 0 AS done FROM written`;

const SEAL = `
WITH sealed AS (
  INSERT INTO perpmeter.receipt_trees (day, statement, hashes, blocks) VALUES ($1, $2, $3, $4)
  ON CONFLICT (day) DO NOTHING
), gone AS (
  DELETE FROM perpmeter.receipt_leaves WHERE day = $1
)
SELECT true AS done`;

/** The receipts of all days in PostgreSQL, shared by all hosts. */
export class PostgresReceiptLog implements SaleLog {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async firstOpen(): Promise<number | undefined> {
    const [row] = await this.#connection.read('SELECT min(day) AS day FROM perpmeter.receipt_leaves');
    return typeof row?.day === 'number' ? row.day : undefined;
  }

  async close(day: number): Promise<void> {
    const from = ((await this.rootBefore(day))?.day ?? day - 1) + 1;
    const isMade = {
      sql: 'SELECT FROM perpmeter.receipt_days WHERE day = $1 AND closed',
      values: [day],
    };
    await this.#connection.write({ sql: CLOSE, values: [from, day], isMade });
  }

  async leavesOf(day: number): Promise<Leaves> {
    const sql = 'SELECT hash FROM perpmeter.receipt_leaves WHERE day = $1 ORDER BY hash';
    const rows = await this.#connection.read(sql, [day]);
    const hashes = Buffer.concat(rows.map(({ hash }) => hash as Buffer));
    return { hashes };
  }

  async seal({ day, statement }: DayRoot, { hashes, blocks }: Leaves): Promise<void> {
    const isMade = { sql: 'SELECT FROM perpmeter.receipt_trees WHERE day = $1', values: [day] };
    await this.#connection.write({ sql: SEAL, values: [day, statement, hashes, blocks ?? null], isMade });
  }

  async rootBefore(day: number): Promise<DayRoot | undefined> {
    return (await this.roots({ before: day, limit: 1 }))[0];
  }

  async roots({
    before,
    limit,
  }: {
    readonly before: number;
    readonly limit: number;
  }): Promise<readonly DayRoot[]> {
    const rows = await this.#connection.read(
      'SELECT day, statement FROM perpmeter.receipt_trees WHERE day < $1 ORDER BY day DESC LIMIT $2',
      [Math.min(before, LAST_DAY), limit],
    );
    return rows.map(({ day, statement }) => ({ day: day as number, statement: statement as string }));
  }

  async tree(day: number): Promise<DayTree | undefined> {
    if (day < 0 || day > LAST_DAY) return undefined;
    const [row] = await this.#connection.read(
      'SELECT statement, hashes, blocks FROM perpmeter.receipt_trees WHERE day = $1',
      [day],
    );
    if (row === undefined) return undefined;
    const blocks = row.blocks as Buffer | null;
    const leaves = { hashes: row.hashes as Buffer, ...(blocks !== null && { blocks }) };
    return { day, statement: row.statement as string, leaves };
  }
}
