import { refusal } from '../storage/store-folder.ts';
import { migrateAlone } from './migration-lock.ts';
import { correctionStatements, SHIFT_STATEMENTS } from './migrations/corrections.ts';
import { FEES } from './migrations/fees.ts';
import { INITIAL_TABLES } from './migrations/initial.ts';
import { mixedIntervalStatements } from './migrations/mixed-intervals.ts';
import { MONTHLY_HOURS } from './migrations/monthly-hours.ts';
import { SECOND_READS } from './migrations/second-reads.ts';
import { shownRowStatements } from './migrations/shown-rows.ts';
import { type ConnectionRole, type HistoryStore, notStored, type StoreResult, stored } from './store.ts';
import { KEEP_REPLACED_PARTS, rebuildStatements, tableStatements } from './table-spec.ts';

/** The place of the statements: a database, alone or as a part of a cluster. */
interface Place {
  readonly database: string;
  readonly cluster: string | undefined;
}

interface Migration {
  readonly id: number;
  readonly name: string;
  /** Statements for one node; safe to run again. */
  readonly statements: (place: Place) => readonly string[];
}

/** In order, without gaps. Only ever added to. */
const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    name: 'tables of samples, hours, settlements, venue status and gaps',
    statements: ({ database, cluster }) =>
      INITIAL_TABLES.flatMap((spec) => tableStatements(spec, database, cluster)),
  },
  {
    id: 2,
    name: 'hours by the month',
    statements: ({ cluster }) => rebuildStatements(MONTHLY_HOURS, cluster),
  },
  {
    id: 3,
    name: 'corrections of what is stored',
    statements: ({ cluster }) => correctionStatements(cluster),
  },
  {
    id: 4,
    name: 'taker fees as they change',
    statements: ({ database, cluster }) => tableStatements(FEES, database, cluster),
  },
  {
    id: 5,
    name: 'comparisons with a second way',
    statements: ({ database, cluster }) => tableStatements(SECOND_READS, database, cluster),
  },
  {
    id: 6,
    name: 'what sampled rows showed beside their values',
    statements: ({ cluster }) => shownRowStatements(cluster),
  },
  {
    id: 7,
    name: 'corrections of when payments were made',
    statements: () => SHIFT_STATEMENTS,
  },
  {
    id: 8,
    name: 'hours in which the interval changed',
    statements: ({ cluster }) => mixedIntervalStatements(cluster),
  },
];

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (id UInt32, name String, applied_at DateTime('UTC') DEFAULT now()) ENGINE = MergeTree ORDER BY id SETTINGS fsync_after_insert = 1, ${KEEP_REPLACED_PARTS}`;

/** The version that this build writes. */
export const NEWEST_HISTORY = MIGRATIONS.length;

/** The version of the tables; 0 where there are none yet. Needs the table of migrations. */
export async function historyVersion(
  store: HistoryStore,
  role: ConnectionRole = 'maintain',
): Promise<StoreResult<number>> {
  const done = await store.select({ sql: 'SELECT max(id) FROM migrations', params: {} }, role);
  return done.ok ? stored(Number(done.value[0]?.[0] ?? 0)) : done;
}

/** The same of a store that may be empty, in which the table of migrations is made. */
export async function foundVersion(node: HistoryStore): Promise<StoreResult<number>> {
  const ledger = await node.run({ sql: LEDGER, params: {} });
  return ledger.ok ? historyVersion(node) : ledger;
}

/**
 * Brings one node up to date; processes that begin at once do so one after the other. A store of a newer version than this
 * program is refused, never changed.
 *
 * @param node store of this node alone: every node of a cluster has tables of its own
 */
export async function migrate(node: HistoryStore, place: Place): Promise<StoreResult<void>> {
  const found = await foundVersion(node);
  if (!found.ok) return found;
  if (found.value > NEWEST_HISTORY) {
    return notStored('refused', refusal('the history', found.value, NEWEST_HISTORY));
  }
  if (found.value === NEWEST_HISTORY) return stored(undefined);
  return migrateAlone(node, () => apply(node, place));
}

const RECORDER_FIRST =
  'start a process that records with this build first (--role record): it makes the tables';

/**
 * Holds the tables of one node to the version of this program, for an account that may only read; changes nothing.
 *
 * @returns a fault of kind `refused` where they are missing, older or newer
 */
export async function checkVersion(node: HistoryStore): Promise<StoreResult<void>> {
  // A server that hangs is not waited for as one that changes tables is.
  const found = await historyVersion(node, 'read');
  if (!found.ok) {
    const isMissing = /^UNKNOWN_(DATABASE|TABLE)\b/.test(found.fault.message);
    return isMissing ? notStored('refused', `the history has no tables yet: ${RECORDER_FIRST}`) : found;
  }
  if (found.value === NEWEST_HISTORY) return stored(undefined);
  if (found.value > NEWEST_HISTORY) {
    return notStored('refused', refusal('the history', found.value, NEWEST_HISTORY));
  }
  const versions = `the history has format version ${found.value}, this build of perpmeter reads version ${NEWEST_HISTORY}`;
  return notStored('refused', `${versions}: ${RECORDER_FIRST}`);
}

async function apply(node: HistoryStore, place: Place): Promise<StoreResult<void>> {
  const found = await historyVersion(node);
  if (!found.ok) return found;
  for (const { id, name, statements } of MIGRATIONS) {
    if (id <= found.value) continue;
    for (const sql of statements(place)) {
      const made = await node.run({ sql, params: {} });
      if (!made.ok) return made;
    }
    const noted = await node.run({
      sql: 'INSERT INTO migrations (id, name) VALUES ({id:UInt32}, {name:String})',
      params: { id, name },
    });
    if (!noted.ok) return noted;
  }
  return stored(undefined);
}
