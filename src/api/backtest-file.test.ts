import { parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import type { BacktestData } from '../analytics/backtest-data.ts';
import { backtestFile } from './backtest-file.ts';

const body: BacktestData = {
  venue: 'binance',
  ticker: 'BTC',
  canonical_id: 'crypto:BTC',
  granularity: '1h',
  from_ts: '2026-11-20T00:00:00.000Z',
  to_ts: '2026-11-20T02:00:00.000Z',
  data: [
    { ts: '2026-11-20T00:00:00.000Z', funding_rate: 0.0001, funding_samples: 60, perp_price: 100.5 },
    { ts: '2026-11-20T01:00:00.000Z', funding_rate: null, funding_samples: 0, perp_price: 101 },
  ],
  metadata: { samples_count: 60, completeness_pct: 50, data_sources: ['sampled'], methodology: '' },
};
const funding = { includeFunding: true, includeOrderbook: false };

it('CSV has a header and a line per bucket; what is not known is empty', () => {
  expect(backtestFile(body, funding, 'csv').toString().split('\r\n')).toEqual([
    'ts,funding_rate,funding_samples,perp_price',
    '2026-11-20T00:00:00.000Z,0.0001,60,100.5',
    '2026-11-20T01:00:00.000Z,,0,101',
    '',
  ]);
});

it('Parquet is read back by another program as the same rows', async () => {
  const bytes = backtestFile(body, funding, 'parquet');
  const file = new Uint8Array(bytes).buffer;
  expect(await parquetReadObjects({ file })).toEqual(
    body.data.map((row) => ({ ...row, ts: new Date(row.ts) })),
  );
});

it('has the columns that were asked for', () => {
  const header = (funding: boolean, book: boolean) =>
    backtestFile(body, { includeFunding: funding, includeOrderbook: book }, 'csv')
      .toString()
      .split('\r\n')[0];
  expect(header(false, false)).toBe('ts,perp_price');
  expect(header(false, true)?.split(',')).toHaveLength(10);
});
