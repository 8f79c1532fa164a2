import { expect } from 'vitest';
import { type Line, shaped } from './case.ts';

type Judge = (lines: readonly Line[] | undefined) => void;

/** The records are these, in order; fields that are not named may be anything. */
const are =
  (...like: readonly Line[]): Judge =>
  (lines = []) =>
    expect(lines.map((line, at) => shaped(line, like[at] ?? line))).toEqual(like);

/** A reject for the whole answer. */
const refused = (reason: string, more: Line = {}): Judge => are({ type: 'reject', reason, ...more });

const rates = (...values: readonly number[]): Judge =>
  are(...values.map((value) => ({ type: 'funding_point', funding_rate: value })));

const edgexContracts: Judge = (lines = []) => {
  const listed = lines.filter(({ type }) => type === 'instrument');
  expect(listed).toContainEqual(expect.objectContaining({ symbol: '哈基米USDC', ticker: 'HAJIMI' }));
  expect(listed).toContainEqual(
    expect.objectContaining({ base: '1000PEPE', ticker: 'PEPE', multiplier: 1000 }),
  );
  const left = lines.filter(({ type }) => type === 'reject').map(({ symbol }) => symbol);
  expect(left).toEqual(['JPYUSDC', 'ZROUSDC', 'NOOPENUSDC', 'BTCUSDT']);
};

const apexTopic: Judge = (lines = []) => {
  const btc = lines.find(({ symbol }) => symbol === 'BTCUSDT');
  expect(btc).toMatchObject({ type: 'quote', funding_rate: -3.67e-6, mark_price: 77_211.28 });
  const disabled = lines.find(({ symbol }) => symbol === 'WBTCUSDT');
  expect(disabled).toMatchObject({ type: 'reject', reason: 'not_listed' });
};

const hours = (...list: readonly number[]): Judge =>
  are(
    ...list.map((hour) => ({
      type: 'funding_point',
      time: `2026-09-12T0${hour}:00:00.000Z`,
      funding_interval_hours: 1,
    })),
  );

/** The right reading of cases whose index states it in words, by file. */
export const JUDGED: Readonly<Record<string, Judge>> = {
  'binance/binance-cloudfront-403.json': refused('unexpected_shape', { detail: 'no JSON' }),
  'kucoin/kucoin-book-in-contracts.json': (lines) =>
    expect(lines).toMatchObject([{ type: 'book', bids: [[118_500, 2.5], expect.anything()] }]),
  'edgex/edgex-metadata-2026-09-12.json': edgexContracts,
  'edgex/edgex-latest-funding-known-ids-empty.json': are(),
  'edgex/edgex-funding-page-with-preview.json': rates(-0.000_055_32, 0.000_05),
  'edgex/edgex-metadata-empty-list.json': are(),
  'edgex/edgex-rate-limit-in-200.json': refused('error_body'),
  'extended/extended-funding-late-rows.json': hours(3, 2, 1, 0),
  'extended/extended-error-in-200.json': refused('error_body'),
  'extended/extended-error-status-alone.json': refused('error_body'),
  'pacifica/pacifica-funding-history-2026-09-12.json': rates(0.000_010_85, 0.000_011_01, 0.000_012_5),
  // Stamps decide between two touches where they are merged.
  'pacifica/pacifica-ws-bbo-older-time.jsonl': are(
    { type: 'quote', updated_at: '2026-09-12T21:51:01.031Z' },
    { type: 'quote', updated_at: '2026-09-12T21:51:01.000Z' },
  ),
  'apex/apex-ticker-btc-2026-09-12.json': are({
    type: 'quote',
    funding_rate: -3.67e-6,
    next_funding_time: '2026-09-12T23:00:00.000Z',
  }),
  'apex/apex-ws-instrument-info-all.jsonl': apexTopic,
  'apex/apex-error-2-in-200.json': refused('error_body'),
  'apex/apex-symbols-no-lists.json': refused('unexpected_shape'),
  'lighter/lighter-ws-empty-market.jsonl': are(
    { type: 'reject', reason: 'placeholder' },
    { type: 'book', bids: [], asks: [] },
    { type: 'reject', reason: 'spot' },
  ),
  'lighter/lighter-order-book-depth-null.json': are({ type: 'book', bids: [], asks: [] }),
  'paradex/paradex-funding-data-per-second.json': (lines = []) => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every(({ observed }) => observed === true)).toBe(true);
  },
  // A bare USD is of the venue's other product, which is not followed.
  'aster/aster-funding-info-4h.json': are(
    { type: 'quote', symbol: 'ZORAUSDT', funding_interval_hours: 4 },
    { type: 'quote', symbol: 'BTCUSDT', funding_interval_hours: 8 },
    { type: 'reject', symbol: 'GNSUSD', reason: 'foreign_quote' },
  ),
  'hyperliquid/hyperliquid-hip3-wildcard-names.json': (lines = []) => {
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatchObject({ type: 'instrument', taker_fee_bps: 0.9, settle: 'USDH' });
  },
  'hyperliquid/hyperliquid-hip3-unknown-collateral.json': refused('foreign_quote'),
  'hyperliquid/hyperliquid-ws-active-asset-ctx.jsonl': are({
    type: 'quote',
    funding_rate: 0.000_012_5,
    funding_interval_hours: 1,
    open_interest_raw: 31_123.4,
    open_interest_base: 15_561.7,
  }),
  'hyperliquid/hyperliquid-predicted-fundings.json': (lines) => expect(lines).toBeUndefined(),
  'hyperliquid/hyperliquid-funding-history-no-premium.json': rates(0.000_012_5, -0.000_008_1, 0.000_003_3),
  // The book that follows from these is held in `amounts.test.ts`.
  'dydx/dydx-ws-crossed-book.jsonl': (lines) =>
    expect(lines?.map(({ kind }) => kind)).toEqual(['snapshot', 'delta', 'delta']),
  'dydx/dydx-ws-market-status.jsonl': are(
    { type: 'quote', symbol: 'ETH-USD', funding_rate: 0.000_08 },
    { type: 'reject', symbol: 'BTC-USD', reason: 'not_trading' },
  ),
  'hibachi/hibachi-prices-eth-2025-02.json': are({
    type: 'quote',
    funding_rate: -0.000_132,
    next_funding_time: '2025-02-24T16:00:00.000Z',
    mark_price: 2672.5608,
    index_price: 2672.873_04,
  }),
  'hibachi/hibachi-ws-funding-estimation.jsonl': are({
    type: 'quote',
    funding_rate: -0.000_301,
    next_funding_time: '2025-03-02T08:00:00.000Z',
  }),
  'nado/nado-v2-contracts-bot-test.json': (lines = []) => {
    expect(lines[0]?.funding_rate).toBeCloseTo(-0.0005 / 24, 15);
    expect(lines[0]?.open_interest_base).toBe(2250);
  },
  'derive/derive-ticker-eth-long.json': are({
    type: 'quote',
    funding_rate: 0.0002,
    funding_interval_hours: 1,
    best_bid: 3499.5,
    best_ask: 3501,
  }),
  'orderly/orderly-info-states.json': (lines = []) => {
    const listed = lines.filter(({ type }) => type === 'instrument').map(({ symbol }) => symbol);
    expect(listed).toEqual(['PERP_BTC_USDC']);
    expect(lines).toHaveLength(6);
  },
};
