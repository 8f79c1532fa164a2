import { parquetWriteBuffer } from 'hyparquet-writer';
import type { BacktestData, BacktestQuestion, BacktestRow } from '../analytics/backtest-data.ts';

export const FILE_FORMATS = ['csv', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

const FUNDING = ['funding_rate', 'funding_samples'] as const;
const BOOK = [
  'best_bid',
  'best_ask',
  'spread_bps',
  'bid_depth_usd',
  'ask_depth_usd',
  'slippage_1k_bps',
  'slippage_5k_bps',
  'slippage_10k_bps',
] as const;

type Figure = Exclude<keyof BacktestRow, 'ts'>;
type Included = Pick<BacktestQuestion, 'includeFunding' | 'includeOrderbook'>;

/** The rows alone, in a file of a format. */
export function backtestFile({ data }: BacktestData, included: Included, format: FileFormat): Buffer {
  const figures: readonly Figure[] = [
    ...(included.includeFunding ? FUNDING : []),
    'perp_price',
    ...(included.includeOrderbook ? BOOK : []),
  ];
  return format === 'csv' ? csv(data, figures) : parquet(data, figures);
}

/** RFC 4180 lines with a header; what is not known is an empty field. */
function csv(data: readonly BacktestRow[], figures: readonly Figure[]): Buffer {
  const lines = data.map((row) => [row.ts, ...figures.map((name) => row[name] ?? '')].join(','));
  return Buffer.from(`${[['ts', ...figures].join(','), ...lines].join('\r\n')}\r\n`);
}

/** `ts` as milliseconds UTC, everything else as nullable doubles. */
function parquet(data: readonly BacktestRow[], figures: readonly Figure[]): Buffer {
  const times = { name: 'ts', data: data.map(({ ts }) => new Date(ts)), type: 'TIMESTAMP' as const };
  const columns = figures.map((name) => ({
    name,
    data: data.map((row) => row[name] ?? null),
    type: 'DOUBLE' as const,
  }));
  return Buffer.from(parquetWriteBuffer({ columnData: [times, ...columns] }));
}
