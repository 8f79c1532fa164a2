import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isWire } from '../../src/domain/read.ts';
import { textCell } from '../../src/history/cell.ts';
import { SAMPLE_COLUMNS } from '../../src/history/sample-rows.ts';
import type { HistoryStore, StoreResult } from '../../src/history/store.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { LISTED_AT, type Series } from './series.ts';
import { VALUES } from './values.ts';

const FILE_MS = 2 * HOUR_MS;

/** The value, or the fault as an exception: a bench that cannot run has nothing to say. */
export function valueIn<T>(result: StoreResult<T>): T {
  if (!result.ok) throw new Error(`${result.fault.kind}: ${result.fault.message}`);
  return result.value;
}

const SERIES_TABLE = 'bench_series';
const SERIES_COLUMNS = 'id canonical_id venue symbol ticker interval_hours rate_e price_e raw_e base_e'.split(
  ' ',
);

async function loadSeries(store: HistoryStore, series: readonly Series[]): Promise<void> {
  const types = 'UInt16 String String String String Float64 UInt8 UInt8 UInt8 UInt8'.split(' ');
  const columns = SERIES_COLUMNS.map((name, i) => `${name} ${types[i]}`).join(', ');
  const make = `CREATE TABLE IF NOT EXISTS ${SERIES_TABLE} (${columns}) ENGINE = MergeTree ORDER BY id`;
  valueIn(await store.run({ sql: make, params: {} }));
  const lines = series.map(({ contract, sim, decimals }, id) =>
    [
      id,
      ...[contract.canonicalId, contract.venue, contract.symbol, contract.ticker].map(textCell),
      sim.intervalHours,
      ...[decimals.rate, decimals.price, decimals.raw, decimals.base],
    ].join('\t'),
  );
  valueIn(await store.insert({ table: SERIES_TABLE, columns: SERIES_COLUMNS, lines }));
}

/** The expression of each column of a sample by the file's columns and the series' own. */
const OF_FILE: Readonly<Record<string, string>> = {
  listed_at: `toDateTime(${LISTED_AT / 1000})`,
  ts: 'toDateTime(f.ts)',
  origin: "'sampled'",
  recorded_at: 'fromUnixTimestamp64Milli(toInt64(f.ts) * 1000 + 150 + cityHash64(f.ts) % 900)',
  comparable: '1',
  rate_e: 's.rate_e',
  price_e: 's.price_e',
  oi_raw_e: 's.raw_e',
  oi_e: 's.base_e',
  volume_e: 's.base_e',
  oi_usd_e: '0',
  volume_usd_e: '0',
  rate_m: 'toInt64(f.rate)',
  mark_m: 'toInt64(f.mark)',
  index_m: 'toInt64(f.index)',
  bid_m: 'toInt64(f.bid)',
  ask_m: 'toInt64(f.ask)',
  oi_raw_m: 'toInt64(f.raw)',
  oi_m: 'toInt64(f.oi)',
  oi_usd_m: 'NULL',
  volume_m: 'toInt64(f.volume)',
  volume_usd_m: 'NULL',
  bid_depth_usd: 'f.bid_depth',
  ask_depth_usd: 'f.ask_depth',
  slippage_1k_bps: 'f.slip1 / 1e4',
  slippage_5k_bps: 'f.slip5 / 1e4',
  slippage_10k_bps: 'f.slip10 / 1e4',
  row_age_ms: 'cityHash64(f.id, f.ts) % 5000',
  rate_lag_ms: '0',
  oi_lag_ms: 'cityHash64(f.id, f.ts) % 30000',
  volume_lag_ms: 'cityHash64(f.id, f.ts) % 30000',
  rate_fresh: '1',
  quote: "'USDT'",
  multiplier: '1',
};

function insertSql(path: string): string {
  const structure = ['id UInt16', 'ts UInt32', ...VALUES.map((name) => `${name} Float64`)].join(', ');
  const cells = SAMPLE_COLUMNS.map((column) => OF_FILE[column] ?? `s.${column}`);
  return (
    `INSERT INTO samples (${SAMPLE_COLUMNS.join(', ')}) SELECT ${cells.join(', ')} ` +
    `FROM file('${path}', 'Native', '${structure}') AS f INNER JOIN ${SERIES_TABLE} AS s ON f.id = s.id`
  );
}

export interface Load {
  /** The folder of files on their way. */
  readonly dir: string;
  readonly from: number;
  readonly to: number;
  readonly say: (text: string) => void;
}

/** Loads the past of all series by way of files, in the order of time as the service would have written it. */
export async function loadHistory(
  store: HistoryStore,
  series: readonly Series[],
  { dir, from, to, say }: Load,
): Promise<void> {
  await loadSeries(store, series);
  let said = 0;
  const script = fileURLToPath(new URL('./make.ts', import.meta.url));
  const maker = fork(script, [dir, from, to, series.length, FILE_MS].map(String));
  const ended = once(maker, 'exit');
  try {
    maker.send('next');
    for (let at = from; at < to; at += FILE_MS) {
      const [made] = await Promise.race([once(maker, 'message'), ended]);
      if (!isWire(made) || typeof made.path !== 'string') throw new Error('the maker of rows has ended');
      maker.send('next');
      valueIn(await store.run({ sql: insertSql(made.path), params: {} }));
      rmSync(made.path);
      const tenths = Math.floor((10 * (at + FILE_MS - from)) / (to - from));
      if (tenths > said && tenths < 10) say(`loaded ${tenths * 10} %`);
      said = tenths;
    }
    await ended;
  } finally {
    maker.kill();
  }
}
