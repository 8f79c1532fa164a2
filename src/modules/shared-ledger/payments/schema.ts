import { ensureSchema } from '../server/ensure-schema.ts';
import { quotedName } from '../server/quoted-name.ts';

/**
 * Version of the tables; a change of them is an upgrade from one to the next. From 1 to 2 `purchases` was added, from 2 to 3
 * `accounts`, from 3 to 4 `receipts`, from 4 to 5 the bytes of these: those of version 4 stay as texts.
 */
const SCHEMA_VERSION = 5;

/** Up to version 3 receipts stood beside held answers, and went with them. */
const MOVE_RECEIPTS = `
DO $$ BEGIN
  IF EXISTS (SELECT FROM information_schema.columns WHERE table_schema = 'perpmeter'
    AND table_name = 'held_answers' AND column_name = 'answer_receipt') THEN
    INSERT INTO perpmeter.receipts (key, official, answer)
      SELECT key, official_receipt, answer_receipt FROM perpmeter.held_answers
      WHERE official_receipt IS NOT NULL AND answer_receipt IS NOT NULL ON CONFLICT DO NOTHING;
    ALTER TABLE perpmeter.held_answers DROP COLUMN official_receipt, DROP COLUMN answer_receipt;
  END IF;
END $$;`;

/**
 * The tables of a ledger on PostgreSQL, made where they are missing, and brought to this version. A payment is
 * one row: what is searched stands in columns, the whole of it in `record`. One that was removed and claimed
 * again differs in `answer_id`, which is random.
 */
export const CREATE_TABLES = `
BEGIN;
SELECT pg_advisory_xact_lock(7074692026112201);
CREATE SCHEMA IF NOT EXISTS perpmeter;
CREATE TABLE IF NOT EXISTS perpmeter.ledger_format (version integer NOT NULL);
INSERT INTO perpmeter.ledger_format SELECT ${SCHEMA_VERSION} WHERE NOT EXISTS (SELECT FROM perpmeter.ledger_format);
CREATE TABLE IF NOT EXISTS perpmeter.payments (
  key bytea PRIMARY KEY,
  claimed_at bigint NOT NULL,
  version integer NOT NULL,
  state text NOT NULL,
  due_at bigint,
  answer_id text,
  record json NOT NULL
);
CREATE INDEX IF NOT EXISTS payments_by_time ON perpmeter.payments (claimed_at, key);
CREATE INDEX IF NOT EXISTS payments_by_due ON perpmeter.payments (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS perpmeter.purchases (
  identifier bytea PRIMARY KEY,
  key bytea NOT NULL,
  claimed_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS purchases_by_key ON perpmeter.purchases (key);
CREATE INDEX IF NOT EXISTS purchases_by_time ON perpmeter.purchases (claimed_at);
CREATE TABLE IF NOT EXISTS perpmeter.accounts (
  id text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  row text NOT NULL
);
CREATE TABLE IF NOT EXISTS perpmeter.held_answers (
  key bytea PRIMARY KEY,
  answer_id text NOT NULL,
  size integer NOT NULL,
  bytes bytea NOT NULL
);
ALTER TABLE perpmeter.held_answers ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS perpmeter.receipts (
  key bytea PRIMARY KEY,
  official text,
  answer text
);${MOVE_RECEIPTS}
ALTER TABLE perpmeter.receipts ADD COLUMN IF NOT EXISTS bytes bytea,
  ALTER COLUMN official DROP NOT NULL, ALTER COLUMN answer DROP NOT NULL;
CREATE TABLE IF NOT EXISTS perpmeter.receipt_days (day integer PRIMARY KEY, closed boolean NOT NULL);
CREATE TABLE IF NOT EXISTS perpmeter.receipt_leaves (
  day integer NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (day, hash)
);
CREATE TABLE IF NOT EXISTS perpmeter.receipt_trees (
  day integer PRIMARY KEY,
  statement text NOT NULL,
  hashes bytea NOT NULL,
  blocks bytea
);
UPDATE perpmeter.ledger_format SET version = ${SCHEMA_VERSION} WHERE version < ${SCHEMA_VERSION};
COMMIT;
`;

/** Name and requirements of a ledger's server. */
export const LEDGER_SERVER = {
  name: 'the ledger',
  connections: 10,
  check: ensureSchema({
    name: 'the payment ledger on PostgreSQL',
    version: SCHEMA_VERSION,
    readVersion: 'SELECT version FROM perpmeter.ledger_format',
    create: CREATE_TABLES,
  }),
} as const;

/**
 * The rights that a seller's role needs, and no more: it creates no tables, and can neither change nor remove a
 * receipt or a day's signed statement.
 *
 * @param role name of the role, which must exist
 */
export function grantsTo(role: string): string {
  const to = quotedName(role);
  return `GRANT USAGE ON SCHEMA perpmeter TO ${to};
GRANT SELECT ON perpmeter.ledger_format TO ${to};
GRANT SELECT, INSERT, UPDATE, DELETE ON perpmeter.payments, perpmeter.purchases, perpmeter.held_answers TO ${to};
GRANT SELECT, INSERT, UPDATE ON perpmeter.accounts, perpmeter.receipt_days TO ${to};
GRANT SELECT, INSERT, DELETE ON perpmeter.receipt_leaves TO ${to};
GRANT SELECT, INSERT ON perpmeter.receipts, perpmeter.receipt_trees TO ${to};
`;
}
