import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { backtestFile, backtestFileName } from './backtest-file.ts';

const about = { venue_symbol: 'BTC,USDT', origin: 'sampled', sources: ['sampled', 'settled'] } as const;
const body: Parameters<typeof backtestFile>[0] = {
  venue: 'binance',
  ticker: 'BTC',
  canonical_id: 'crypto:BTC',
  granularity: '1h',
  from_ts: '2026-11-20T00:00:00.000Z',
  to_ts: '2026-11-20T02:00:00.000Z',
  data: [
    {
      ts: '2026-11-20T00:00:00.000Z',
      ...about,
      partial: false,
      completeness_pct: 100,
      funding_rate: 0.0001,
      funding_samples: 60,
      settled_funding_rate: 0.0002,
      settled_payments: 1,
      funding_source: 'sampled',
      perp_price: 100.5,
      funding_interval_hours: 4,
      rate_8h: 0.0002,
      interval_reason: null,
      settled_sum: 0.0004,
    },
    {
      ts: '2026-11-20T01:00:00.000Z',
      ...about,
      partial: true,
      completeness_pct: 0,
      funding_rate: null,
      funding_samples: 0,
      settled_funding_rate: null,
      settled_payments: 0,
      funding_source: null,
      perp_price: 101,
      funding_interval_hours: null,
      rate_8h: null,
      interval_reason: 'no_rate',
      settled_sum: null,
    },
  ],
  metadata: {
    samples_count: 60,
    completeness_pct: 50,
    completeness: { funding: 50, price: 100 },
    data_sources: ['sampled'],
    methodology: '',
  },
};
const CSV = { format: 'csv', time: 'iso' } as const;
const PARQUET = { format: 'parquet', time: 'iso' } as const;
const funding = { includeFunding: true, includeOrderbook: false };

it('CSV has a header and a line per bucket; what is not known is empty', () => {
  expect(backtestFile(body, funding, CSV).toString().split('\r\n')).toEqual([
    'ts,venue,ticker,venue_symbol,origin,sources,partial,completeness_pct,funding_rate,funding_samples,settled_funding_rate,settled_payments,funding_source,perp_price,funding_interval_hours,rate_8h,interval_reason,settled_sum',
    '2026-11-20T00:00:00.000Z,binance,BTC,"BTC,USDT",sampled,sampled;settled,false,100,0.0001,60,0.0002,1,sampled,100.5,4,0.0002,,0.0004',
    '2026-11-20T01:00:00.000Z,binance,BTC,"BTC,USDT",sampled,sampled;settled,true,0,,0,,0,,101,,,no_rate,',
    '',
  ]);
});

it('Parquet: another program reads the same rows', async () => {
  const bytes = backtestFile(body, funding, PARQUET);
  const file = new Uint8Array(bytes).buffer;
  const { venue, ticker } = body;
  const read = await parquetReadObjects({ file });
  expect(read).toEqual(
    body.data.map((row) => ({
      ...row,
      ts: new Date(String(row.ts)),
      venue,
      ticker,
      sources: 'sampled;settled',
    })),
  );
  const { schema, key_value_metadata: facts = [] } = parquetMetadata(file);
  const typeOf = (name: string) => schema.find((column) => column.name === name)?.type;
  expect([typeOf('funding_samples'), typeOf('settled_payments')]).toEqual(['INT32', 'INT32']);
  const held = Object.fromEntries(facts.map(({ key, value }) => [key, value]));
  expect(held).toMatchObject({ venue, ticker, completeness_pct: '50', data_sources: '["sampled"]' });
});

it('Parquet ts: an instant in UTC, whatever the reader’s time zone', () => {
  const { schema } = parquetMetadata(new Uint8Array(backtestFile(body, funding, PARQUET)).buffer);
  expect(schema.find(({ name }) => name === 'ts')).toMatchObject({
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  });
});

it('has the columns that were asked for', () => {
  const header = (funding: boolean, book: boolean) =>
    backtestFile(body, { includeFunding: funding, includeOrderbook: book }, CSV).toString().split('\r\n')[0];
  expect(header(false, false)).toMatch(/^ts,venue,.*,completeness_pct,perp_price$/);
  expect(header(false, true)).toMatch(/,perp_price,best_bid,.*,slippage_10k_bps,book_reason$/);
});

it('has a name of its content, in characters of every system', () => {
  expect(backtestFileName({ ...body, ticker: 'A/B"\r\n' }, 'parquet')).toBe(
    'binance_A-B---_1h_2026-11-20T0000Z_2026-11-20T0200Z.parquet',
  );
});
