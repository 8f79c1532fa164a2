import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { OutOfScopeReason } from '../../src/domain/reject.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { decodeCall } from './decode-call.ts';

/** Shapes of one venue's answers and frames about a contract, by the address or channel of the call. */
type Calls = readonly (readonly [url: string, payload: unknown])[];

interface Case {
  readonly ours: string;
  readonly outOfScope: Readonly<Record<string, OutOfScopeReason>>;
  readonly calls: (symbol: string) => Calls;
}

const TIME = 1_790_000_000_000;
const LEVELS = { bids: [['99', '1']], asks: [['101', '1']] };

const fapi = (symbol: string): Calls => [
  [`/fapi/v1/premiumIndex?symbol=${symbol}`, { symbol, nextFundingTime: TIME }],
  [`/fapi/v1/depth?symbol=${symbol}`, { lastUpdateId: 1, ...LEVELS }],
  [`/fapi/v1/fundingRate?symbol=${symbol}`, [{ symbol, fundingTime: TIME, fundingRate: '0' }]],
  [`/fapi/v1/markPriceKlines?symbol=${symbol}`, [[TIME, '100']]],
  [`/fapi/v1/klines?symbol=${symbol}`, [[TIME, '1', '1', '1', '1', '1', 0, '100']]],
  [`${symbol.toLowerCase()}@depth`, { e: 'depthUpdate', s: symbol, U: 1, u: 2, pu: 0, b: [], a: [] }],
];

const bybitResult = (result: object) => ({ retCode: 0, retMsg: 'OK', result });

const CASES: Readonly<Record<string, Case>> = {
  binance: {
    ours: 'BTCUSDT',
    outOfScope: {
      BTCUSDT_261225: 'dated',
      BTCUSD_PERP: 'inverse',
      BTCUSD_261225: 'dated',
      'BTC-261225-90000-C': 'option',
      ETHBTC: 'foreign_quote',
    },
    calls: fapi,
  },
  bybit: {
    ours: 'BTCUSDT',
    outOfScope: {
      BTCUSD: 'inverse',
      BTCUSDZ26: 'dated',
      'BTC-25DEC26': 'dated',
      'BTC-25DEC26-90000-C': 'option',
      'BTC-25DEC26-90000-P-USDT': 'option',
    },
    calls: (s) => [
      [`/v5/market/orderbook?symbol=${s}`, bybitResult({ s, b: [], a: [], u: 2, ts: TIME })],
      [`/v5/market/funding/history?symbol=${s}`, bybitResult({ list: [{ symbol: s }] })],
      [`/v5/market/open-interest?symbol=${s}`, bybitResult({ symbol: s, list: [{}] })],
      [`/v5/market/kline?symbol=${s}`, bybitResult({ symbol: s, list: [[]] })],
      [`tickers.${s}`, { topic: `tickers.${s}`, type: 'snapshot', data: { symbol: s } }],
      [
        `orderbook.50.${s}`,
        { topic: `orderbook.50.${s}`, type: 'snapshot', data: { s, b: [], a: [], u: 2 } },
      ],
    ],
  },
  okx: {
    ours: 'BTC-USDT-SWAP',
    outOfScope: {
      'BTC-USD-SWAP': 'inverse',
      'BTC-USDT-261225': 'dated',
      'BTC-USD-261225-90000-C': 'option',
      'BTC-USDT': 'spot',
      'BTC-EUR-SWAP': 'foreign_quote',
      BTCUSDT: 'not_listed',
    },
    calls: (instId) => [
      [`/api/v5/market/books?instId=${instId}`, { code: '0', data: [{ ...LEVELS, ts: TIME }] }],
      ['/api/v5/market/tickers', { code: '0', data: [{ instId }] }],
      ['/api/v5/public/open-interest', { code: '0', data: [{ instId }] }],
      ['/api/v5/public/funding-rate-history', { code: '0', data: [{ instId }] }],
      [`/api/v5/market/history-mark-price-candles?instId=${instId}`, { code: '0', data: [[]] }],
      [`/api/v5/market/history-candles?instId=${instId}`, { code: '0', data: [[]] }],
      [`/api/v5/rubik/stat/contracts/open-interest-history?instId=${instId}`, { code: '0', data: [[]] }],
      ['books', { arg: { channel: 'books', instId }, action: 'snapshot', data: [LEVELS] }],
      ['bbo-tbt', { arg: { channel: 'bbo-tbt', instId }, data: [LEVELS] }],
    ],
  },
  mexc: {
    ours: 'BTC_USDT',
    outOfScope: {
      BTC_USD: 'inverse',
      BTC_USDT_20261225: 'dated',
      BTC_USD1: 'foreign_quote',
      BTCUSDT: 'spot',
    },
    calls: (symbol) => [
      ['/api/v1/contract/ticker', { success: true, code: 0, data: [{ symbol }] }],
      [`/api/v1/contract/depth/${symbol}`, { success: true, code: 0, data: LEVELS }],
      ['/api/v1/contract/funding_rate/history', { success: true, data: { resultList: [{ symbol }] } }],
      [`/api/v1/contract/kline/fair_price/${symbol}`, { success: true, data: { time: [1], open: [1] } }],
      ['sub.depth', { channel: 'push.depth', symbol, data: { ...LEVELS, version: 1 } }],
      ['sub.ticker', { channel: 'push.ticker', symbol, data: { symbol } }],
    ],
  },
  kraken: {
    ours: 'PF_XBTUSD',
    outOfScope: {
      PI_XBTUSD: 'inverse',
      FI_XBTUSD_261225: 'dated',
      FF_XBTUSD_261225: 'dated',
      PV_XRPXBT: 'quanto',
      PF_XBTEUR: 'foreign_quote',
      'XBT/USD': 'spot',
      FILUSD: 'spot',
      in_xbtusd: 'not_listed',
    },
    calls: (symbol) => [
      ['/derivatives/api/v3/tickers', { result: 'success', tickers: [{ symbol }] }],
      [`/derivatives/api/v3/orderbook?symbol=${symbol}`, { result: 'success', orderBook: LEVELS }],
      [`/derivatives/api/v3/historical-funding-rates?symbol=${symbol}`, { rates: [{}] }],
      ['feed book', { feed: 'book_snapshot', product_id: symbol, seq: 1, bids: [], asks: [] }],
      ['feed book', { feed: 'book', product_id: symbol, side: 'buy', seq: 2, price: 1, qty: 1 }],
      ['feed book', { feed: 'ticker_lite', product_id: symbol }],
      ...(symbol.includes('/')
        ? []
        : ([
            [`/api/charts/v1/mark/${symbol}/1h`, { candles: [{ time: TIME, open: '1' }] }],
            [
              `/api/charts/v1/analytics/${symbol}/open-interest`,
              { result: { timestamp: [1], data: [['1']] } },
            ],
          ] satisfies Calls)),
    ],
  },
  deribit: {
    ours: 'BTC_USDC-PERPETUAL',
    outOfScope: {
      'BTC-PERPETUAL': 'inverse',
      'BTC-25DEC26': 'dated',
      'BTC_USDC-25DEC26': 'dated',
      'XRP_USDC-25DEC26-0d625-C': 'option',
      BTC_USDC: 'spot',
      'BTC-FS-25DEC26_PERP': 'not_listed',
    },
    calls: (name) => {
      const book = { instrument_name: name, ...LEVELS, change_id: 1, mark_price: 100 };
      const push = (channel: string, data: object) => ({ method: 'subscription', params: { channel, data } });
      return [
        [`/api/v2/public/ticker?instrument_name=${name}`, { result: book }],
        [`/api/v2/public/get_order_book?instrument_name=${name}`, { result: book }],
        [`/api/v2/public/get_funding_rate_history?instrument_name=${name}`, { result: [{ interest_1h: 0 }] }],
        [`/api/v2/public/get_funding_rate_value?instrument_name=${name}`, { result: 0 }],
        [`book.${name}.100ms`, push(`book.${name}.100ms`, book)],
        [`ticker.${name}.100ms`, push(`ticker.${name}.100ms`, book)],
        [`perpetual.${name}.100ms`, push(`perpetual.${name}.100ms`, { interest: 0 })],
        [`quote.${name}`, push(`quote.${name}`, { instrument_name: name })],
      ];
    },
  },
};

const instrument = (venue: string, symbol: string): Instrument => ({
  venue,
  symbol,
  base: 'BTC',
  ticker: 'BTC',
  multiplier: 1,
  contractSize: 1,
  quote: 'USDT',
  settle: 'USDT',
});

describe('a symbol that is out of scope by its name', () => {
  it.each(Object.entries(CASES))(
    'is rejected with its reason in every call of %s, with and without a contract list',
    (id, one) => {
      const adapter = adapterOf(id);
      if (adapter === undefined) throw new Error(id);
      for (const list of [[], [instrument(id, one.ours)]]) {
        for (const [symbol, reason] of Object.entries(one.outOfScope)) {
          for (const [url, payload] of one.calls(symbol)) {
            const { quotes, funding, history, books, rejects } = decodeCall(adapter, url, payload, list);
            const found = rejects.map((reject) => [reject.symbol, reject.reason]);
            expect([found, quotes, funding, history, books], `${url} of ${symbol}`).toEqual([
              [[symbol, reason]],
              ...Array(4).fill([]),
            ]);
          }
        }
        for (const [url, payload] of one.calls(one.ours)) {
          const { rejects } = decodeCall(adapter, url, payload, list);
          const outOfScope = rejects.filter(({ reason }) =>
            Object.values(one.outOfScope).includes(reason as OutOfScopeReason),
          );
          expect(outOfScope, url).toEqual([]);
        }
      }
    },
  );
});
