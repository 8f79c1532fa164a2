import { parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer';
import { type Cell, CSV_TYPE, csv } from '../answer/csv.ts';
import { type CsvTime, withTimes } from '../answer/csv-time.ts';
import type { BacktestQuestion } from './backtest-buckets.ts';

export const FILE_FORMATS = ['csv', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: CSV_TYPE,
  parquet: 'application/vnd.apache.parquet',
};

const FUNDING = [
  'funding_rate',
  'funding_samples',
  'settled_funding_rate',
  'settled_payments',
  'funding_source',
] as const;
/** Later additions stand at the end of a row: a reader by position keeps its columns. */
const INTERVAL = ['funding_interval_hours', 'rate_8h', 'interval_reason', 'settled_sum'] as const;
const BOOK = [
  'best_bid',
  'best_ask',
  'spread_bps',
  'bid_depth_usd',
  'ask_depth_usd',
  'slippage_1k_bps',
  'slippage_5k_bps',
  'slippage_10k_bps',
  'book_reason',
] as const;

/** Columns of every file before the figures: a file says of itself what it is of. */
const ABOUT = [
  'ts',
  'venue',
  'ticker',
  'venue_symbol',
  'origin',
  'sources',
  'partial',
  'completeness_pct',
] as const;
/** All others are doubles. */
const TYPES: Readonly<Record<string, 'BOOLEAN' | 'INT32' | 'STRING'>> = {
  venue: 'STRING',
  ticker: 'STRING',
  venue_symbol: 'STRING',
  origin: 'STRING',
  sources: 'STRING',
  partial: 'BOOLEAN',
  funding_samples: 'INT32',
  settled_payments: 'INT32',
  funding_source: 'STRING',
  interval_reason: 'STRING',
  book_reason: 'STRING',
};

/**
 * An instant, not a time on some clock: readers that know the logical type alone take a column without it for local time,
 * and find other rows in another time zone.
 */
const INSTANT = {
  name: 'ts',
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  repetition_type: 'REQUIRED',
} as const;

type Included = Pick<BacktestQuestion, 'includeFunding' | 'includeOrderbook'>;

/** A packaged series: its rows, and what it is of. */
interface Series {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  readonly granularity: string;
  readonly from_ts: string;
  readonly to_ts: string;
  readonly data: readonly (Readonly<Record<string, Cell | readonly string[]>> & {
    readonly sources: readonly string[];
  })[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The form of a file. */
interface Form {
  readonly format: FileFormat;
  /** Of CSV. */
  readonly time: CsvTime;
}

/** The rows in a file of a format. */
export function backtestFile(body: Series, included: Included, { format, time }: Form): Buffer {
  const columns = [
    ...ABOUT,
    ...(included.includeFunding ? FUNDING : []),
    'perp_price',
    ...(included.includeOrderbook ? BOOK : []),
    ...(included.includeFunding ? INTERVAL : []),
  ];
  const rows = body.data.map((row): Readonly<Record<string, Cell>> => {
    const { sources, ...cells } = row;
    return { ...cells, sources: sources.join(';'), venue: body.venue, ticker: body.ticker };
  });
  return format === 'csv' ? csv(withTimes(rows, ['ts'], time), columns) : parquet(body, rows, columns);
}

/** A name for the file: venue, ticker, granularity and window, of characters that every system takes. */
export function backtestFileName(
  { venue, ticker, granularity, from_ts, to_ts }: Series,
  format: FileFormat,
): string {
  const time = (text: string): string => text.slice(0, 16).replaceAll(':', '');
  const name = `${venue}_${ticker}_${granularity}_${time(from_ts)}Z_${time(to_ts)}Z`;
  return `${name.replaceAll(/[^\w.-]/g, '-')}.${format}`;
}

/** `ts` as an instant in milliseconds, counts as whole numbers, other figures as nullable doubles; metadata as in JSON. */
function parquet(
  body: Series,
  rows: readonly Readonly<Record<string, Cell>>[],
  columns: readonly string[],
): Buffer {
  const columnData = columns.map((name) => ({
    name,
    data: rows.map((row) => (name === 'ts' ? new Date(String(row.ts)) : (row[name] ?? null))),
  }));
  const typed = columnData.map((column) =>
    column.name === 'ts' ? column : { ...column, type: TYPES[column.name] ?? ('DOUBLE' as const) },
  );
  const schema = schemaFromColumnData({ columnData: typed, schemaOverrides: { ts: INSTANT } });
  const { venue, ticker, canonical_id, granularity, from_ts, to_ts, metadata } = body;
  const about = { venue, ticker, canonical_id, granularity, from_ts, to_ts, ...metadata };
  const kvMetadata = Object.entries(about).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, schema, kvMetadata }));
}
