import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { isWire, readNumber } from '../../src/domain/read.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { openStore } from '../../src/history/open-store.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { systemTimer } from '../../src/runtime/timer.ts';
import { loadHistory, valueIn } from './load.ts';
import { ROLLED_DAYS } from './questions.ts';
import type { Series } from './series.ts';

const COPIED =
  'canonical_id, venue, symbol, listed_at, origin, recorded_at, n, rate_n, rate_sum, mark_n, mark_sum, index_n, index_sum, oi_n, oi_sum, oi_usd_n, oi_usd_sum, volume_usd_n, volume_usd_sum, rate_last, interval_last, best_bid, best_ask, bid_depth_usd, ask_depth_usd, slippage_1k_bps, slippage_5k_bps, slippage_10k_bps';

/** A loaded past: its span and where it lies. */
export interface BenchHistory {
  readonly store: HistoryStore;
  /** Folder of the engine. */
  readonly path: string;
  readonly rollUps: RollUps;
  readonly from: UnixMs;
  readonly to: UnixMs;
}

export interface BenchHistoryOptions {
  /** Where the past lies, or will. */
  readonly dir: string;
  readonly days: number;
  readonly series: readonly Series[];
  readonly say: (text: string) => void;
}

const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(0);

/** Opens the past that an earlier run has left in a folder, or loads it there. */
export async function openBenchHistory(options: BenchHistoryOptions): Promise<BenchHistory> {
  const { dir, days, series, say } = options;
  mkdirSync(dir, { recursive: true });
  const note = join(dir, 'loaded.json');
  const end = existsSync(note) ? loadedEnd(readFileSync(note, 'utf8'), options) : undefined;
  const to = end ?? asMs(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  const from = asMs(to - days * DAY_MS);
  const path = join(dir, 'history');
  if (end === undefined && existsSync(path)) throw new Error(`${dir} holds a past that was not loaded whole`);
  const store = valueIn(await openStore({ engine: 'embedded', path }));
  const rollUps = new RollUps({
    store,
    clock: systemClock,
    timer: systemTimer,
    logger: silentLogger,
    oldestWaiting: () => undefined,
  });
  const rows = series.length * days * 1440;
  if (end === undefined) {
    const start = performance.now();
    await loadHistory(store, series, { dir, from, to, say });
    say(`${rows} rows of ${series.length} series, ${days} days, loaded in ${secondsSince(start)} s`);
    await rollUp(store, rollUps, options);
    writeFileSync(note, JSON.stringify({ days, series: series.length, to }));
  } else {
    valueIn(await rollUps.refresh());
    say(`${rows} rows of ${series.length} series, ${days} days, loaded before`);
  }
  return { store, path, rollUps, from, to };
}

/** End of the past that was loaded, which has to be the one that is asked for. */
function loadedEnd(text: string, { dir, days, series }: BenchHistoryOptions): UnixMs {
  const read: unknown = JSON.parse(text);
  const { days: loaded, series: count, to } = isWire(read) ? read : {};
  const end = readNumber(to);
  if (loaded !== days || count !== series.length || end === undefined) {
    throw new Error(`${dir} holds ${String(loaded)} days of ${String(count)} series, which is another past`);
  }
  return asMs(end);
}

async function rollUp(
  store: HistoryStore,
  rollUps: RollUps,
  { days, say }: BenchHistoryOptions,
): Promise<void> {
  const start = performance.now();
  valueIn(await rollUps.refresh());
  await rollUps.work();
  await copyHours(store, days);
  say(`rolled up in ${secondsSince(start)} s`);
  await merge(store, say);
}

/** One part a partition, as a store has that has been running for long. One at a time: a statement may take minutes. */
async function merge(store: HistoryStore, say: BenchHistoryOptions['say']): Promise<void> {
  const start = performance.now();
  const sql =
    'SELECT DISTINCT table, partition_id FROM system.parts ' +
    "WHERE database = currentDatabase() AND table IN ('samples', 'hours') AND active ORDER BY table, partition_id";
  for (const [table, partition] of valueIn(await store.select({ sql, params: {} }, 'maintain'))) {
    const one = `OPTIMIZE TABLE ${String(table)} PARTITION ID '${String(partition)}' FINAL`;
    valueIn(await store.run({ sql: one, params: {} }));
  }
  say(`merged in ${secondsSince(start)} s`);
}

/** A shorter past has the roll-ups of its own days only: those of the days before are copies of them. */
async function copyHours(store: HistoryStore, days: number): Promise<void> {
  const first = Number(
    valueIn(await store.select({ sql: 'SELECT toUnixTimestamp(min(ts)) FROM hours', params: {} }))[0]?.[0],
  );
  for (let back = days; back < ROLLED_DAYS; back += days) {
    const sql = `INSERT INTO hours (${COPIED}, ts, last_ts) SELECT ${COPIED}, ts - {by:UInt32}, last_ts - {by:UInt32} FROM hours WHERE ts >= toDateTime({first:UInt32}, 'UTC')`;
    valueIn(await store.run({ sql, params: { by: (back * DAY_MS) / 1000, first } }));
  }
}

/** The minute after the newest sample: what an earlier run has written stays. */
export async function nextMinute(store: HistoryStore): Promise<UnixMs> {
  const sql = 'SELECT toUnixTimestamp(max(ts)) FROM samples';
  const [cells] = valueIn(await store.select({ sql, params: {} }, 'maintain'));
  return asMs((Number(cells?.[0]) + 60) * 1000);
}
