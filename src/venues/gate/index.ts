import { asBps } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll, seconds, secondWay } from '../grammar/calls.ts';
import { frames, gateBooks, orderBook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeCandles,
  decodeContractQuotes,
  decodeContractStats,
  decodeContracts,
  decodeFundingHistory,
  decodeTickerQuotes,
  decodeTickers,
  PUBLISHED,
} from './wire.ts';

/** Without a `limit`: with one the lists are cut. */
const USDT = '/futures/usdt';
const contracts = endpoint(`${USDT}/contracts`, decodeContracts, { alsoAt: [`${USDT}/contracts/*`] });
const tickers = endpoint(`${USDT}/tickers`, decodeTickers);
const fundingRate = endpoint(`${USDT}/funding_rate`, decodeFundingHistory);
const contractStats = endpoint(`${USDT}/contract_stats`, decodeContractStats);
const candles = (prefix: 'mark_' | 'index_', key: 'markPrice' | 'indexPrice') =>
  endpoint(`${USDT}/candlesticks`, decodeCandles(prefix, key), {
    name: `candlesticks of ${prefix}`,
    answers: (query) => query.get('contract')?.startsWith(prefix) === true,
  });
const markCandles = candles('mark_', 'markPrice');
const indexCandles = candles('index_', 'indexPrice');

/** Documented per endpoint and address: 200 requests in 10 s. */
const PER_ENDPOINT = { limit: 200, perMs: 10_000 };
/**
 * The venue refuses points older than 180 days; a day less, since the span begins before the request arrives.
 */
const REACH_MS = 179 * DAY_MS;

/** Gate USDT-margined perpetuals. */
export const gate: VenueAdapter = {
  id: 'gate',
  displayName: 'Gate',
  kind: 'cex',
  sourceId: 5,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted basket of spot last prices, published per contract; some baskets hold perpetuals, its own among them',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.gateio.ws/api/v4', ws: 'wss://fx-ws.gateio.ws' },
  heartbeat: {
    pingMs: { atMost: 15_000 },
    source: 'probes of 2026-09 (arbitrage-observatory): a ping every 15 s',
  },
  liveWithout: { fields: ['status'], why: 'rows of earlier years have none' },
  budget: {
    id: 'gate',
    pools: [
      { name: 'default', ...PER_ENDPOINT },
      { name: 'contracts', ...PER_ENDPOINT },
      { name: 'tickers', ...PER_ENDPOINT },
      { name: 'order_book', ...PER_ENDPOINT },
    ],
  },
  // Else sizes of contracts that trade fractions are rounded down.
  headers: { 'x-gate-size-decimal': '1' },
  refreshMs: 5_000,
  polls: [
    poll('instruments', contracts, { everyMs: 300_000, pool: 'contracts' }),
    poll('quotes', tickers, {
      everyMs: 5_000,
      pool: 'tickers',
      part: { name: 'tickers (without open interest)', decode: decodeTickerQuotes },
    }),
    poll('quotes', contracts, {
      everyMs: 15_000,
      pool: 'contracts',
      part: { name: 'contracts (metrics)', decode: decodeContractQuotes },
    }),
  ],
  books: gateBooks,
  calls: [tickers, fundingRate, contractStats, markCandles, indexCandles, orderBook, frames],
  // https://www.gate.com/docs/developers/apiv4: both ends in seconds.
  backfill: [
    backfill('funding', fundingRate, {
      points: 1000,
      reachMs: REACH_MS,
      query: ({ symbol }, from, to) => ({
        contract: symbol,
        from: seconds(from),
        to: seconds(to) - 1,
        limit: 1000,
      }),
    }),
    backfill('mark', markCandles, {
      points: 1000,
      reachMs: REACH_MS,
      stepMs: HOUR_MS,
      query: ({ symbol }, from, to) => ({
        contract: `mark_${symbol}`,
        interval: '1h',
        from: seconds(from),
        to: seconds(to) - 1,
      }),
    }),
    backfill('interest', contractStats, {
      points: 100,
      takesOnly: 'from',
      reachMs: REACH_MS,
      stepMs: HOUR_MS,
      query: ({ symbol }, from) => ({ contract: symbol, interval: '1h', from: seconds(from), limit: 100 }),
    }),
  ],
  second: {
    ways: [
      secondWay(indexCandles, ({ symbol }) => ({ contract: `index_${symbol}`, interval: '1m', limit: 2 })),
    ],
    missing:
      'Rate and volume: the contracts and the tickers that both serve the row are the only calls that state them.',
  },
  baseOf,
};
