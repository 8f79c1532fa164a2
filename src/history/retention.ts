import { readText } from '../domain/read.ts';
import type { UnixMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import type { HistoryStore, StoreResult } from './store.ts';
import { stored } from './store.ts';

/** Retention by kind of data, days. */
export interface Retention {
  readonly sampleDays: number;
  /** Roll-ups, settlements, venue status, gaps and comparisons with a second way. */
  readonly rollUpDays: number;
}

export const DEFAULT_RETENTION: Retention = { sampleDays: 30, rollUpDays: 400 };

const LONG_KEPT = ['hours', 'settlements', 'venue_status', 'gaps', 'second_reads'];

/**
 * Drops partitions of which every row is older than it is kept: that costs milliseconds, where deleting rows would
 * rewrite the table. So rows go up to one partition later than said.
 *
 * @returns how many partitions were dropped
 */
export async function dropExpired(
  store: HistoryStore,
  retention: Retention,
  now: UnixMs,
): Promise<StoreResult<number>> {
  let dropped = 0;
  const kept = [
    ['samples', retention.sampleDays] as const,
    ...LONG_KEPT.map((table) => [table, retention.rollUpDays] as const),
  ];
  for (const [table, days] of kept) {
    const expired = await expiredPartitions(store, table, now - days * DAY_MS);
    if (!expired.ok) return expired;
    for (const partition of expired.value) {
      const done = await store.runOnNodes(
        (local) => `ALTER TABLE ${local(table)} DROP PARTITION ID '${partition}'`,
      );
      if (!done.ok) return done;
      dropped += 1;
    }
  }
  return stored(dropped);
}

async function expiredPartitions(
  store: HistoryStore,
  table: string,
  before: number,
): Promise<StoreResult<readonly string[]>> {
  const found = await store.selectOnNodes((local) => ({
    sql:
      'SELECT partition_id FROM system.parts WHERE database = currentDatabase() AND table = {table:String} AND active ' +
      "GROUP BY partition_id HAVING max(max_time) > toDateTime(0, 'UTC') AND max(max_time) < toDateTime({before:UInt32}, 'UTC')",
    params: { table: local(table), before: Math.floor(before / 1000) },
  }));
  if (!found.ok) return found;
  const names = found.value.flatMap(([partition]) => readText(partition) ?? []);
  return stored([...new Set(names)].filter((name) => /^\w+$/.test(name)));
}
