import { describe, expect, it } from 'vitest';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { adapterOf, VENUES } from '../../src/venues/registry.ts';
import { decodeCall } from './decode-call.ts';

/** A payload of metrics as its venue writes it, with one contract, and the term in it. */
interface Beside {
  readonly venue: string;
  readonly path: string;
  readonly around: (row: object) => unknown;
  readonly row: object;
  readonly field: string;
  readonly term: keyof QuotePatch;
  /** As the venue writes it, and what is read of it. */
  readonly written: readonly (readonly [raw: unknown, value: number | null | undefined])[];
  readonly unreadable: unknown;
}

const ROWS: readonly Beside[] = [
  {
    venue: 'whitebit',
    path: '/api/v4/public/futures',
    around: (row) => ({ success: true, message: null, result: [row] }),
    row: {
      ticker_id: 'ARB_PERP',
      stock_currency: 'ARB',
      money_currency: 'USDT',
      product_type: 'Perpetual',
      funding_rate: '0.0001',
      mark_price: '0.4',
    },
    field: 'max_leverage',
    term: 'maxLeverage',
    written: [
      [20, 20],
      ['100', 100],
      [null, undefined],
      [0, undefined],
    ],
    unreadable: 'x20',
  },
  {
    venue: 'kraken',
    path: '{"event":"subscribe","feed":"ticker"}',
    around: (row) => row,
    row: { feed: 'ticker', time: 1_790_000_000_000, product_id: 'PF_SOLUSD', markPrice: 150, index: 150.1 },
    field: 'leverage',
    term: 'maxLeverage',
    written: [
      ['50x', 50],
      ['2.5x', 2.5],
      ['', undefined],
      [undefined, undefined],
    ],
    unreadable: '50',
  },
  {
    venue: 'lighter',
    path: '{"type":"subscribe","channel":"market_stats/all"}',
    around: (row) => ({
      type: 'update/market_stats',
      channel: 'market_stats:all',
      timestamp: 1_790_000_000_000,
      market_stats: { 7: row },
    }),
    row: {
      symbol: 'XRP',
      market_id: 7,
      index_price: '2.1',
      mark_price: '2.1',
      open_interest: '5000000.000000',
      current_funding_rate: '0.0012',
      funding_timestamp: 1_789_999_200_000,
      daily_base_token_volume: 100,
      daily_quote_token_volume: 210,
    },
    field: 'open_interest_limit',
    term: 'openInterestLimitUsd',
    written: [
      ['75000000.000000', 75_000_000],
      ['72057594037927936.000000', null],
      ['0.000000', undefined],
      [undefined, undefined],
    ],
    unreadable: '-1',
  },
];

function read({ venue, path, around, row, field }: Beside, raw: unknown) {
  const adapter = adapterOf(venue);
  if (adapter === undefined) throw new Error(`no ${venue}`);
  return decodeCall(adapter, path, around({ ...row, [field]: raw }));
}

describe.each(ROWS)('$venue: $term beside the metrics', (beside) => {
  it.each(beside.written)('%j: %j, and no fault', (raw, value) => {
    const { quotes, rejects } = read(beside, raw);
    expect(quotes.map((quote) => quote[beside.term])).toEqual([value]);
    expect(rejects).toEqual([]);
  });

  it('unreadable: unknown, and a fault', () => {
    const { quotes, rejects } = read(beside, beside.unreadable);
    expect(quotes.map((quote) => quote[beside.term])).toEqual([undefined]);
    expect(rejects.map(({ detail }) => detail)).toEqual([beside.term]);
  });
});

it('every venue that declares such a term: tried here', () => {
  const declared = VENUES.flatMap(({ id, terms }) =>
    Object.keys(terms?.besideMetrics?.fields ?? {}).map((term) => `${id} ${term}`),
  );
  expect(declared.sort()).toEqual(ROWS.map(({ venue, term }) => `${venue} ${term}`).sort());
});
