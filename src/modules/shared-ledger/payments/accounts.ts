import type { Account, AccountChange } from '../../../pay/account.ts';
import type { AccountStore } from '../../../pay/ledger-store.ts';
import { type Connection, REPEATABLE, type Row } from '../server/connection.ts';

/** A row of version 0 is no account yet: it stands there to be locked by the first change. */
export const READ_ACCOUNTS =
  'SELECT id, version, row FROM perpmeter.accounts WHERE id = ANY ($1) AND version > 0';
const LIST = `
SELECT id, version, row FROM perpmeter.accounts WHERE id > $1 AND version > 0 ORDER BY id LIMIT $2`;
const OPEN = `
WITH written AS (
  INSERT INTO perpmeter.accounts (id, version, row) VALUES ($1, 0, '') ON CONFLICT (id) DO NOTHING
)
SELECT true AS done`;
const WRITE = `
WITH written AS (
  UPDATE perpmeter.accounts SET version = version + 1, row = $3 WHERE id = $1 AND version = $2 RETURNING id
)
SELECT count(*) > 0 AS done FROM written`;
/** Locks the row, and so waits for a synchronous stand-by. */
const IS_WRITTEN =
  'SELECT FROM perpmeter.accounts WHERE id = $1 AND version = $2 + 1 AND row = $3 FOR UPDATE';

/** Running accounts in PostgreSQL, shared by all hosts. */
export class PostgresAccounts implements AccountStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async read(id: string): Promise<Account | undefined> {
    const [row] = await this.#connection.read(READ_ACCOUNTS, [[id]]);
    return row && accountOf(row);
  }

  async list({ after = '', limit }: Parameters<AccountStore['list']>[0]): Promise<readonly Account[]> {
    return (await this.#connection.read(LIST, [after, limit])).map(accountOf);
  }

  async write(change: AccountChange): Promise<boolean> {
    await this.open(change);
    const { id, version, row } = change;
    const values = [id, version, row];
    return this.#connection.write({ sql: WRITE, values, isMade: { sql: IS_WRITTEN, values } });
  }

  /** An account needs a row before a change can lock it. */
  async open({ id, version }: AccountChange): Promise<void> {
    if (version > 0) return;
    await this.#connection.write({ sql: OPEN, values: [id], isMade: REPEATABLE });
  }
}

/** The account of a row that `READ_ACCOUNTS` has found. */
export const accountOf = ({ id, version, row }: Row): Account => ({
  id: id as string,
  version: version as number,
  row: row as string,
});
