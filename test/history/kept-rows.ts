import type { HistoryStore } from '../../src/history/store.ts';
import { valueIn } from './load.ts';

/** Tables that the service writes row by row; the roll-ups derive from them. */
const WRITTEN = ['samples', 'settlements', 'venue_status', 'gaps', 'fees'];

async function ask(store: HistoryStore, sql: string): Promise<readonly (readonly unknown[])[]> {
  return valueIn(await store.select({ sql, params: {} }, 'maintain'));
}

/** Rows that there are of what was written. */
export async function rowsOf(store: HistoryStore): Promise<number> {
  const counts = WRITTEN.map((table) => `(SELECT count() FROM ${table})`);
  return Number((await ask(store, `SELECT ${counts.join(' + ')}`))[0]?.[0]);
}

/** Samples by minute, oldest first; a row that is there twice makes more rows than contracts. */
export async function minutesOf(store: HistoryStore) {
  const rows = await ask(
    store,
    "SELECT toUnixTimestamp(ts), count(), uniqExact(venue, symbol) FROM samples WHERE origin = 'sampled' GROUP BY ts ORDER BY ts",
  );
  return rows.map(([at, count, contracts]) => ({
    at: Number(at) * 1000,
    rows: Number(count),
    contracts: Number(contracts),
  }));
}

/** Noted gaps; times in ms. */
export async function gapsOf(store: HistoryStore) {
  const rows = await ask(
    store,
    'SELECT toUnixTimestamp(ts), toUnixTimestamp(until), reason, rows FROM gaps ORDER BY ts',
  );
  return rows.map(([from, until, reason, lost]) => ({
    from: Number(from) * 1000,
    until: Number(until) * 1000,
    reason: String(reason),
    rows: Number(lost),
  }));
}
