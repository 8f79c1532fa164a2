import { ensureSchema } from '../server/ensure-schema.ts';
import { quotedName } from '../server/quoted-name.ts';

/** Version of the tables; a change of them is an upgrade from one to the next. */
const SCHEMA_VERSION = 1;

/**
 * Tables of hosts, as rows of one table, made where they are missing. A space is what changes together: who changes it takes its
 * next revision, and keeps the row of `shared_spaces` locked until that is committed, so that revisions have no gaps, and a reader
 * that has read up to one has missed none. A removed row stays for a while without its `row`; `trimmed` is the last revision of those that
 * are gone. `run` tells a space from one of another server.
 */
export const CREATE_SHARED_TABLES = `
BEGIN;
SELECT pg_advisory_xact_lock(7074692026112201);
CREATE SCHEMA IF NOT EXISTS perpmeter;
CREATE TABLE IF NOT EXISTS perpmeter.shared_format (version integer NOT NULL);
INSERT INTO perpmeter.shared_format SELECT ${SCHEMA_VERSION} WHERE NOT EXISTS (SELECT FROM perpmeter.shared_format);
CREATE TABLE IF NOT EXISTS perpmeter.shared_spaces (
  space text PRIMARY KEY,
  run text NOT NULL DEFAULT gen_random_uuid()::text,
  revision bigint NOT NULL DEFAULT 0,
  trimmed bigint NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS perpmeter.shared_rows (
  space text NOT NULL,
  name text NOT NULL,
  key text COLLATE "C" NOT NULL,
  row json,
  revision bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space, name, key)
);
CREATE INDEX IF NOT EXISTS shared_rows_by_revision ON perpmeter.shared_rows (space, revision);
CREATE INDEX IF NOT EXISTS shared_rows_removed ON perpmeter.shared_rows (changed_at) WHERE row IS NULL;
COMMIT;
`;

/** Name and requirements of the server of shared tables. */
export const TABLES_SERVER = {
  name: 'the store that hosts share',
  connections: 2,
  check: ensureSchema({
    name: 'the tables that hosts share on PostgreSQL',
    version: SCHEMA_VERSION,
    readVersion: 'SELECT version FROM perpmeter.shared_format',
    create: CREATE_SHARED_TABLES,
  }),
} as const;

/**
 * The rights that a seller's role needs.
 *
 * @param role name of the role, which must exist
 */
export function sharedTablesGrantsTo(role: string): string {
  const to = quotedName(role);
  return `GRANT USAGE ON SCHEMA perpmeter TO ${to};
GRANT SELECT ON perpmeter.shared_format TO ${to};
GRANT SELECT, INSERT, UPDATE (revision, trimmed) ON perpmeter.shared_spaces TO ${to};
GRANT SELECT, INSERT, UPDATE, DELETE ON perpmeter.shared_rows TO ${to};
`;
}
