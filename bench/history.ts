/**
 * How large history is and how fast it answers, at 9,000 series of one-minute steps from the simulated world, warm
 * and with the minute's rows being written. `npm run bench:history -- [--days 30] [--series 9000] [--rounds 200]`;
 * exit 1 where a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { tableText } from '../src/cli/table-text.ts';
import { silentLogger } from '../src/collect/logger.ts';
import { systemTimer } from '../src/collect/timer.ts';
import { systemClock } from '../src/domain/clock.ts';
import { asMs } from '../src/domain/units.ts';
import { DEFAULT_DATABASE, openStore } from '../src/history/open-store.ts';
import { HistoryReader } from '../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../src/history/retention.ts';
import { RollUps } from '../src/history/roll-ups.ts';
import type { HistoryStore } from '../src/history/store.ts';
import { loadPast, valueIn } from './history/load.ts';
import { BARE_BAR, bareClient, baselineQuestion, type Question, questionsOf } from './history/questions.ts';
import { benchWorld, buildSeries } from './history/series.ts';
import { bytesPerRow } from './history/size.ts';
import { startWriter } from './history/writer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BLOCK_BAR_MS = 50;
const VALUE_BYTES_BAR = 16;
const ALL_BYTES_BAR = 48;

const { values: args } = parseArgs({
  options: {
    days: { type: 'string', default: process.env.CI === undefined ? '30' : '7' },
    series: { type: 'string', default: '9000' },
    rounds: { type: 'string', default: '200' },
  },
});
const days = Number(args.days);
const rounds = Number(args.rounds);
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0);

interface Times {
  readonly p50: number;
  readonly p99: number;
}

function quantiles(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function timed(work: () => Promise<number>): Promise<{ readonly ms: number; readonly rows: number }> {
  const start = performance.now();
  const rows = await work();
  return { ms: performance.now() - start, rows };
}

interface Line {
  readonly cells: readonly string[];
  readonly missed: readonly string[];
}

/** Asks the product and the bare client in turn, each first every other time. */
async function measure(question: Question, bare: Awaited<ReturnType<typeof bareClient>>): Promise<Line> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let rows = 0;
  for (let round = -10; round < question.rounds; round++) {
    const seed = round + 10;
    const asks = [
      async () => {
        const { ms, rows: got } = await timed(() => question.ask(seed));
        rows += got;
        if (round >= 0) ours.push(ms);
      },
      async () => {
        const { ms } = await timed(() => bare.ask(question.sql(seed)));
        if (round >= 0) theirs.push(ms);
      },
    ];
    if (round % 2 === 0) asks.reverse();
    for (const ask of asks) await ask();
  }
  const [own, other] = [quantiles(ours), quantiles(theirs)];
  const ratio = own.p50 / other.p50;
  const missed = [
    ...(own.p50 > question.p50BarMs ? [`${question.name}: p50 ${own.p50.toFixed(1)} ms`] : []),
    ...(question.p99BarMs !== undefined && own.p99 > question.p99BarMs
      ? [`${question.name}: p99 ${own.p99.toFixed(1)} ms`]
      : []),
    ...(ratio > BARE_BAR ? [`${question.name}: ${ratio.toFixed(2)} of the bare client`] : []),
    ...(rows === 0 ? [`${question.name}: no rows`] : []),
  ];
  const bars = `${question.p50BarMs} / ${question.p99BarMs ?? '-'}`;
  const figures = [own.p50, own.p99, other.p50, other.p99].map((ms) => ms.toFixed(1));
  return { cells: [question.name, ...figures, ratio.toFixed(2), bars], missed };
}

/** A shorter past has the roll-ups of its own days only: those of the days before are copies of them. */
async function fillHours(store: HistoryStore): Promise<void> {
  const all =
    'canonical_id, venue, symbol, listed_at, origin, recorded_at, n, rate_n, rate_sum, mark_n, mark_sum, index_n, index_sum, oi_n, oi_sum, oi_usd_n, oi_usd_sum, volume_usd_n, volume_usd_sum, rate_last, interval_last, best_bid, best_ask, bid_depth_usd, ask_depth_usd, slippage_1k_bps, slippage_5k_bps, slippage_10k_bps';
  const first = Number(
    valueIn(await store.select({ sql: 'SELECT toUnixTimestamp(min(ts)) FROM hours', params: {} }))[0]?.[0],
  );
  for (let back = days; back < 30; back += days) {
    const sql = `INSERT INTO hours (${all}, ts, last_ts) SELECT ${all}, ts - {by:UInt32}, last_ts - {by:UInt32} FROM hours WHERE ts >= toDateTime({first:UInt32}, 'UTC')`;
    valueIn(await store.run({ sql, params: { by: (back * DAY_MS) / 1000, first } }));
  }
}

async function run(dir: string): Promise<readonly string[]> {
  const path = join(dir, 'history');
  const store = valueIn(await openStore({ engine: 'embedded', path }));
  const world = benchWorld();
  const series = buildSeries(world, Number(args.series));
  const to = asMs(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  const from = asMs(to - days * DAY_MS);
  const loading = performance.now();
  await loadPast(store, series, { dir, from, to });
  const rowCount = series.length * days * 1440;
  process.stdout.write(
    `${rowCount} rows of ${series.length} series, ${days} days, loaded in ${seconds(loading)} s\n`,
  );
  const rolling = performance.now();
  const rollUps = new RollUps({
    ...{ store, clock: systemClock, timer: systemTimer, logger: silentLogger },
    oldestWaiting: () => undefined,
  });
  valueIn(await rollUps.refresh());
  await rollUps.work();
  await fillHours(store);
  for (const table of ['samples', 'hours'])
    valueIn(await store.run({ sql: `OPTIMIZE TABLE ${table} FINAL`, params: {} }));
  process.stdout.write(`rolled up and merged in ${seconds(rolling)} s\n\n`);
  const size = await bytesPerRow(store);
  const reader = () =>
    new HistoryReader({
      store,
      clock: systemClock,
      retention: { ...DEFAULT_RETENTION, sampleDays: 31 },
      rolledTo: () => rollUps.rolledTo,
    });
  const bare = await bareClient(path, DEFAULT_DATABASE);
  const writer = startWriter(store, world, series, to);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const lines: Line[] = [];
  const kept = reader();
  for (const question of questionsOf({ reader: kept, series, from, to, rounds }))
    lines.push(await measure(question, bare));
  lines.push(await measure(baselineQuestion(reader, rollUps.rolledTo), bare));
  valueIn(await kept.baselines());
  const cached = await timed(async () => valueIn(await kept.baselines()).list.length);
  delay.disable();
  const written = await writer.stop();
  await bare.close();
  await store.close();
  const block = delay.max / 1e6;
  process.stdout.write(
    tableText(
      ['question', 'p50 ms', 'p99', 'bare p50', 'bare p99', 'ratio', 'bars p50 / p99'],
      lines.map(({ cells }) => cells),
    ),
  );
  process.stdout.write(
    `\nvolume-anomalies again, kept: ${cached.ms.toFixed(2)} ms for ${cached.rows} contracts\n` +
      `bytes a row: ${size.values.toFixed(1)} rate, mark, index, open interest and volume (bar ${VALUE_BYTES_BAR}); ` +
      `${size.keys.toFixed(1)} key and times; ${size.book.toFixed(1)} book; ${size.all.toFixed(1)} in all (bar ${ALL_BYTES_BAR})\n` +
      `written meanwhile: ${written.rows} rows in ${written.batches} batches, p50 ${written.p50.toFixed(0)} ms\n` +
      `event loop blocked at most ${block.toFixed(1)} ms (bar ${BLOCK_BAR_MS})\n`,
  );
  return [
    ...lines.flatMap(({ missed }) => missed),
    ...(size.values + size.keys > VALUE_BYTES_BAR
      ? [`${(size.values + size.keys).toFixed(1)} bytes a row without books`]
      : []),
    ...(size.all > ALL_BYTES_BAR ? [`${size.all.toFixed(1)} bytes a row`] : []),
    ...(block > BLOCK_BAR_MS ? [`event loop blocked ${block.toFixed(1)} ms`] : []),
    ...(cached.ms > 5 ? ['volume-anomalies is not kept'] : []),
  ];
}

const dir = mkdtempSync(join(tmpdir(), 'perpmeter-bench-history-'));
try {
  const missed = await run(dir);
  process.stdout.write(missed.length === 0 ? 'every bar is met\n' : `missed: ${missed.join('; ')}\n`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
