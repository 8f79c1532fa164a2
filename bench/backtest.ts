/**
 * Measures the time of `/v1/backtest/pair` over 90 days, out of the stored past of some thousand contracts with
 * a book every hour and a payment every eight. `npm run bench backtest -- --help`; exit 1 where the bar is
 * missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { uniform } from '@perpmeter/sim/noise';
import { asBps, asMs, type UnixMs } from '../src/domain/units.ts';
import { openStore } from '../src/history/open-store.ts';
import { HistoryReader } from '../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../src/history/retention.ts';
import type { HistoryStore } from '../src/history/store.ts';
import { tableText } from '../src/host/process/table-text.ts';
import { makeMarket } from '../src/market/market-fixture.ts';
import { FIXTURE_NOW } from '../src/market/row-fixture.ts';
import type { MarketRow } from '../src/market/view.ts';
import { backtestPair } from '../src/modules/pair-backtest/backtest-pair.ts';
import type { Ports } from '../src/products/define-product.ts';
import { DAY_MS, HOUR_MS } from '../src/runtime/duration.ts';
import { valueIn } from './history/load.ts';

const P99_BAR_MS = 100;
const DAYS = 90;
const VENUES = 30;

const { values: args } = parseArgs({
  options: {
    assets: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
});
const USAGE = `Usage: npm run bench backtest -- [options]

  --assets <n>   assets, each on ${VENUES} venues, whose last ${DAYS} days are stored (100)
  --rounds <n>   backtests of two venues of any asset (300)
  --help         this text

Exit code 1 where the bar is missed.
`;
const TO = asMs(Math.floor(FIXTURE_NOW / HOUR_MS) * HOUR_MS);

/** Every asset on every venue, each with a taker fee. */
function benchMarket(assets: number) {
  const fixture = makeMarket();
  const names = Array.from({ length: assets }, (_, n) => `COIN${n}`);
  for (let n = 0; n < VENUES; n++) {
    const venue = `venue${n}`;
    const bases = names.map((base) => ({ base, ticker: base, symbol: `${base}-PERP` }));
    fixture.list(venue, bases, { takerFeeBps: asBps(5) });
    fixture.quote(venue, ...bases.map(({ symbol }) => ({ symbol, mark: 100, rate: 0.0001, interval: 8 })));
  }
  return fixture.market;
}

/** Random rates and prices, in hours and settlements of all contracts. */
async function load(store: HistoryStore, rows: readonly MarketRow[]): Promise<number> {
  const run = async (sql: string): Promise<void> => valueIn(await store.run({ sql, params: {} }));
  await run(
    'CREATE TABLE contracts (canonical_id String, venue String, symbol String) ENGINE = MergeTree ORDER BY venue',
  );
  const lines = rows.map(({ canonicalId, venue, symbol }) => [canonicalId, venue, symbol].join('\t'));
  valueIn(await store.insert({ table: 'contracts', columns: ['canonical_id', 'venue', 'symbol'], lines }));
  const at = `toDateTime(${TO / 1000 - DAYS * 86_400}, 'UTC')`;
  const noise = (salt: number) => `(cityHash64(venue, symbol, number, ${salt}) % 1000 / 1000 - 0.5)`;
  const mark = `(100 + ${noise(1)})`;
  await run(
    'INSERT INTO hours (canonical_id, venue, symbol, listed_at, ts, origin, recorded_at, n, last_ts, rate_n, rate_sum, mark_n, mark_sum, best_bid, best_ask, slippage_1k_bps, slippage_5k_bps, slippage_10k_bps) ' +
      `SELECT canonical_id, venue, symbol, 0, ${at} + number * 3600 AS hour, 'sampled', hour, 60, hour + 3540, 60, 60 * 0.001 * ${noise(2)}, ` +
      `60, 60 * ${mark}, ${mark} - 0.01, ${mark} + 0.01, 1, 1, 1 FROM contracts CROSS JOIN numbers(${DAYS * 24}) AS hours`,
  );
  await run(
    'INSERT INTO settlements (canonical_id, venue, symbol, listed_at, ts, origin, recorded_at, interval_hours, rate) ' +
      `SELECT canonical_id, venue, symbol, 0, ${at} + number * 28800 AS paid, 'settled', paid, 8, 0.002 * ${noise(3)} FROM contracts CROSS JOIN numbers(${DAYS * 3}) AS payments`,
  );
  // A past of months has been merged long ago.
  for (const table of ['hours', 'settlements']) await run(`OPTIMIZE TABLE ${table} FINAL`);
  return rows.length * DAYS * 27;
}

/** Two venues of any asset, in a window of 90 days that ends in the last ten hours. */
function questionOf(rows: readonly MarketRow[], round: number) {
  const row = rows[Math.floor(uniform(1, round) * rows.length)];
  const other =
    (Number(row?.venue.slice('venue'.length)) + 1 + Math.floor(uniform(2, round) * (VENUES - 1))) % VENUES;
  const to = asMs(TO - Math.floor(uniform(3, round) * 10) * HOUR_MS);
  return {
    ticker: row?.ticker ?? '',
    short: row?.venue ?? '',
    long: `venue${other}`,
    enter_bps: 5,
    exit_bps: 0,
    from: new Date(to - DAYS * DAY_MS).toISOString(),
    to: new Date(to).toISOString(),
    max_hold_hours: 168,
    size_usd: 5000,
    leverage: 1,
  };
}

interface Measured {
  readonly stored: number;
  readonly ms: readonly number[];
  readonly trades: number;
}

async function measure(path: string): Promise<Measured> {
  const { view } = benchMarket(Number(args.assets));
  const rows = view.rows();
  const store = valueIn(await openStore({ engine: 'embedded', path }));
  const stored = await load(store, rows);
  const clock = { now: (): UnixMs => FIXTURE_NOW };
  const reader = new HistoryReader({
    store,
    clock,
    retention: { ...DEFAULT_RETENTION, sampleDays: 400 },
    rolledTo: () => TO,
  });
  const ports = { market: view, history: { reader, version: 1 }, clock } as unknown as Ports;
  const ms: number[] = [];
  let trades = 0;
  for (let round = -20; round < Number(args.rounds); round++) {
    const start = performance.now();
    const plan = backtestPair.plan(questionOf(rows, round + 20), ports);
    const made = plan.ok ? await plan.value.produce() : plan;
    if (!made.ok) throw new Error(made.error.detail);
    const bytes = JSON.stringify(made.value.content).length;
    if (round >= 0) ms.push(performance.now() - start);
    trades += bytes > 10_000 ? 1 : 0;
  }
  await store.close();
  return { stored, ms: ms.sort((a, b) => a - b), trades };
}

async function main(): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'perpmeter-bench-backtest-'));
  try {
    const { stored, ms, trades } = await measure(join(dir, 'history'));
    const at = (share: number): number =>
      ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? Number.NaN;
    const figures = [at(0.5), at(0.9), at(0.99)].map((value) => value.toFixed(1));
    const isMet = at(0.99) <= P99_BAR_MS && trades > 0;
    process.stdout.write(
      `${tableText(['question', 'stored rows', 'p50 ms', 'p90', 'p99', 'bar p99'], [['backtest/pair, 90 days', String(stored), ...figures, String(P99_BAR_MS)]])}\n` +
        `bench backtest ${isMet ? 'PASS' : 'FAIL'} p99 ${figures[2]} ms over ${ms.length} backtests, ${trades} of them with trades\n`,
    );
    return isMet ? 0 : 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (args.help) process.stdout.write(USAGE);
else process.exitCode = await main();
