import { asBps } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { BudgetPool, VenueAdapter } from '../adapter.ts';
import type { Decoder } from '../call.ts';
import { backfill, endpoint, poll } from '../grammar/calls.ts';
import { books, okxBooks, stream } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeCoinTotals,
  decodeFundingHistory,
  decodeHourCandles,
  decodeIndexTickers,
  decodeInstruments,
  decodeMarkCandles,
  decodeOpenInterestHistory,
  decodeQuotes,
  PUBLISHED,
  QUOTES,
} from './wire.ts';

/** An endpoint by its path, and another with the same answers. */
const call = (path: string, decode: Decoder, other?: string) =>
  endpoint(`/api/v5/${path}`, decode, {
    name: path,
    ...(other !== undefined && { alsoAt: [`/api/v5/${other}`] }),
  });
const fundingHistory = call('public/funding-rate-history', decodeFundingHistory);
const markCandles = call('market/history-mark-price-candles', decodeMarkCandles, 'market/mark-price-candles');
const hourCandles = call('market/history-candles', decodeHourCandles, 'market/candles');
const interestHistory = call('rubik/stat/contracts/open-interest-history', decodeOpenInterestHistory);

/** A poll of all swaps within the limit of its endpoint. */
const pollSwaps = (name: keyof typeof QUOTES, path: string, everyMs: number, other?: string) =>
  poll('quotes', call(path, decodeQuotes(QUOTES[name]), other), {
    everyMs,
    pool: name,
    query: name === 'funding-rate' ? { instId: 'ANY' } : { instType: 'SWAP' },
  });

/** Limits are per endpoint: requests in two seconds, by pool. */
const LIMITS: Readonly<Record<string, number>> = {
  instruments: 20,
  'funding-rate': 10,
  'mark-price': 10,
  'index-tickers': 20,
  'open-interest': 20,
  tickers: 20,
  books: 40,
  'funding-rate-history': 10,
  'history-mark-price-candles': 10,
  'history-candles': 20,
  'open-interest-history': 10,
};

const pools: readonly BudgetPool[] = Object.entries(LIMITS).map(([name, limit]) => ({
  name,
  limit,
  perMs: 2_000,
}));

export const okx: VenueAdapter = {
  id: 'okx',
  displayName: 'OKX',
  kind: 'cex',
  sourceId: 3,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'Weighted basket of at least three spot exchanges, outliers clamped; listed per index',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://www.okx.com', ws: 'wss://ws.okx.com' },
  heartbeat: { pingMs: { atMost: 30_000 }, source: 'okx.com/docs-v5: a ping where nothing came for 30 s' },
  budget: { id: 'okx', pools, limitBody: { field: 'code', codes: ['50011'] } },
  refreshMs: 5_000,
  polls: [
    poll('instruments', call('public/instruments', decodeInstruments), {
      everyMs: 300_000,
      pool: 'instruments',
      query: { instType: 'SWAP' },
    }),
    pollSwaps('mark-price', 'public/mark-price', 5_000),
    pollSwaps('funding-rate', 'public/funding-rate', 5_000),
    poll('quotes', call('market/index-tickers', decodeIndexTickers), {
      everyMs: 5_000,
      pool: 'index-tickers',
      query: ['USDT', 'USDC', 'USD'].map((quoteCcy) => ({ quoteCcy })),
    }),
    pollSwaps('tickers', 'market/tickers', 5_000, 'market/ticker'),
    pollSwaps('open-interest', 'public/open-interest', 10_000),
  ],
  books: okxBooks,
  calls: [
    books,
    fundingHistory,
    markCandles,
    hourCandles,
    interestHistory,
    call('rubik/stat/contracts/open-interest-volume', decodeCoinTotals),
    stream,
  ],
  // https://www.okx.com/docs-v5: newest first; `after` is the younger end, `before` the older, both excluded.
  backfill: [
    backfill('funding', fundingHistory, {
      points: 100,
      reachMs: 90 * DAY_MS,
      pool: 'funding-rate-history',
      query: ({ symbol }, from, to) => ({ instId: symbol, before: from - 1, after: to, limit: 100 }),
    }),
    backfill('mark', markCandles, {
      points: 100,
      stepMs: HOUR_MS,
      pool: 'history-mark-price-candles',
      query: ({ symbol }, from, to) => ({
        instId: symbol,
        bar: '1H',
        before: from - 1,
        after: to,
        limit: 100,
      }),
    }),
    backfill('interest', interestHistory, {
      points: 100,
      stepMs: HOUR_MS,
      pool: 'open-interest-history',
      query: ({ symbol }, from, to) => ({
        instId: symbol,
        period: '1H',
        begin: from - 1,
        end: to,
        limit: 100,
      }),
    }),
    backfill('volume', hourCandles, {
      points: 100,
      stepMs: HOUR_MS,
      pool: 'history-candles',
      query: ({ symbol }, from, to) => ({
        instId: symbol,
        bar: '1H',
        before: from - 1,
        after: to,
        limit: 100,
      }),
    }),
  ],
  second: {
    ways: [],
    missing: 'Rate, next settlement and index: one call states each of them.',
  },
  baseOf,
};
