import { ensureSchema } from '../server/ensure-schema.ts';
import { quotedName } from '../server/quoted-name.ts';

/** Version of the tables; a change of them is an upgrade from one to the next. */
const SCHEMA_VERSION = 1;

/**
 * The tables of identities on PostgreSQL, made where they are missing. A process that changes anything takes
 * the next revision from the one row of `identity_head`, and keeps it locked until that is committed: revisions
 * have no gaps, and a reader that has read up to one has missed none. `is_last` tells the last range of a
 * contract, `is_moving` that what another store holds is being carried over. Times are ms with fractions, as
 * hosts measure them.
 */
export const CREATE_IDENTITIES = `
BEGIN;
SELECT pg_advisory_xact_lock(7074692026112201);
CREATE SCHEMA IF NOT EXISTS perpmeter;
CREATE TABLE IF NOT EXISTS perpmeter.identity_head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  version integer NOT NULL,
  revision bigint NOT NULL,
  next_source_id integer NOT NULL,
  is_moving boolean NOT NULL DEFAULT false
);
INSERT INTO perpmeter.identity_head (version, revision, next_source_id) VALUES (${SCHEMA_VERSION}, 0, 1000) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS perpmeter.identity_ranges (
  venue text NOT NULL,
  symbol text NOT NULL,
  generation integer NOT NULL,
  canonical_id text NOT NULL,
  ticker text NOT NULL,
  asset_class text NOT NULL,
  basis text NOT NULL,
  valid_from double precision NOT NULL,
  valid_to double precision,
  is_last boolean NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (venue, symbol, generation)
);
CREATE INDEX IF NOT EXISTS identity_ranges_by_revision ON perpmeter.identity_ranges (revision);
CREATE TABLE IF NOT EXISTS perpmeter.identity_decisions (
  sequence integer PRIMARY KEY,
  record json NOT NULL,
  revision bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS perpmeter.source_ids (
  venue text PRIMARY KEY,
  id integer NOT NULL UNIQUE,
  revision bigint NOT NULL
);
COMMIT;
`;

/** Name and requirements of the server of identities. */
export const IDENTITY_SERVER = {
  name: 'the store of identities',
  connections: 2,
  check: ensureSchema({
    name: 'the store of identities on PostgreSQL',
    version: SCHEMA_VERSION,
    readVersion: 'SELECT version FROM perpmeter.identity_head',
    create: CREATE_IDENTITIES,
  }),
} as const;

/**
 * The rights that a role needs to follow identities and, where it `decides`, to give them. Nobody removes
 * anything.
 *
 * @param role name of the role, which must exist
 */
export function identityGrantsTo(role: string, decides: boolean): string {
  const to = quotedName(role);
  const tables = ['identity_head', 'identity_ranges', 'identity_decisions', 'source_ids'];
  const names = tables.map((table) => `perpmeter.${table}`).join(', ');
  const read = `GRANT USAGE ON SCHEMA perpmeter TO ${to};
GRANT SELECT ON ${names} TO ${to};
`;
  // It may have decided before collectors were processes of their own.
  if (!decides) return `${read}REVOKE INSERT, UPDATE ON ${names} FROM ${to};\n`;
  return `${read}GRANT UPDATE (revision, next_source_id) ON perpmeter.identity_head TO ${to};
GRANT INSERT, UPDATE (basis, valid_to, is_last, revision) ON perpmeter.identity_ranges TO ${to};
GRANT INSERT ON perpmeter.identity_decisions, perpmeter.source_ids TO ${to};
`;
}
