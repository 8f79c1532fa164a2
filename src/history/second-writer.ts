import type { UnixMs } from '../domain/units.ts';
import { type HistoryStore, type StoreResult, stored } from './store.ts';

/** How far back it is looked. */
const SPAN_MS = 600_000;

/** What is sent again is the same row; who else samples the same minute does so at another moment of it. */
const TWICE =
  "SELECT count() FROM (SELECT ts FROM samples WHERE origin = 'sampled' AND ts >= toDateTime({from:UInt32}, 'UTC') " +
  'GROUP BY canonical_id, venue, symbol, listed_at, ts HAVING uniqExact(recorded_at) > 1)';

/** Samples of the last ten minutes that two processes have taken, each for itself. */
export async function sampledTwice(store: HistoryStore, now: UnixMs): Promise<StoreResult<number>> {
  const params = { from: Math.max(0, Math.floor((now - SPAN_MS) / 1000)) };
  const found = await store.select({ sql: TWICE, params }, 'maintain');
  return found.ok ? stored(Number(found.value[0]?.[0] ?? 0)) : found;
}
