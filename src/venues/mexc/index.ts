import { asBps } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll, seconds, secondWay } from '../grammar/calls.ts';
import { statedTotal } from '../grammar/stated-total.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { depth, depthCommits, frames, mexcBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeCandles,
  decodeDetail,
  decodeFairPrice,
  decodeFunding,
  decodeFundingHistory,
  decodeIndexPrice,
  decodeTickers,
  decodeTickerVolumes,
  PUBLISHED,
} from './wire.ts';

const API = '/api/v1/contract';
const detail = endpoint(`${API}/detail`, decodeDetail, { alsoAt: [`${API}/detail/*`] });
const ticker = endpoint(`${API}/ticker`, decodeTickers);
const fundingHistory = endpoint(`${API}/funding_rate/history`, decodeFundingHistory, {
  name: 'funding_rate/history',
});
const fairCandles = endpoint(`${API}/kline/fair_price/*`, decodeCandles('markPrice'), {
  name: 'kline/fair_price',
});
const indexPrice = endpoint(`${API}/index_price/*`, decodeIndexPrice);
const fairPrice = endpoint(`${API}/fair_price/*`, decodeFairPrice);
const ownRate = endpoint(`${API}/funding_rate/*`, decodeFunding, { name: 'funding_rate of one contract' });

/** MEXC USDT- and USDC-margined perpetuals. */
export const mexc: VenueAdapter = {
  id: 'mexc',
  displayName: 'MEXC',
  kind: 'cex',
  sourceId: 7,
  // Orders through the API pay 8 bps on every contract since 2026-06-01; the app's per-contract rates do not apply.
  takerFeeBps: asBps(8),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted basket of exchanges named per contract, outliers beyond 1 % from the median dropped; some baskets hold perpetuals, its own among them',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.mexc.com', ws: 'wss://contract.mexc.com' },
  heartbeat: {
    pingMs: { atLeast: 10_000, atMost: 20_000 },
    source:
      'probes of 2026-09 (arbitrage-observatory): a ping every 10 to 20 s; a minute without one ends the connection',
  },
  budget: {
    id: 'mexc',
    pools: [
      { name: 'default', limit: 20, perMs: 2_000 },
      { name: 'ticker', limit: 10, perMs: 2_000 },
      { name: 'depth', limit: 10, perMs: 2_000 },
      { name: 'detail', limit: 10, perMs: 2_000 },
    ],
    limitBody: { field: 'code', codes: ['510'] },
  },
  refreshMs: 5_000,
  polls: [
    // 2.3 MB: many fields a contract.
    poll('instruments', detail, { everyMs: 300_000, pool: 'detail', normalBytes: 3_000_000 }),
    poll('quotes', endpoint(`${API}/funding_rate`, decodeFunding), { everyMs: 5_000 }),
    poll('quotes', ticker, {
      everyMs: 5_000,
      pool: 'ticker',
      part: { name: 'ticker (open interest, volume, best prices)', decode: decodeTickerVolumes },
    }),
  ],
  books: mexcBooks,
  calls: [
    ticker,
    indexPrice,
    fairPrice,
    fundingHistory,
    ownRate,
    fairCandles,
    endpoint(`${API}/kline/index_price/*`, decodeCandles('indexPrice'), { name: 'kline/index_price' }),
    depth,
    depthCommits,
    frames,
  ],
  liveWithout: { fields: ['openingTime'], why: 'only what opened lately has one', orBlank: true },
  // https://www.mexc.com/api-docs/futures/market-endpoints: payments by page, candles by time.
  backfill: [
    backfill('funding', fundingHistory, {
      points: 1000,
      pages: 20,
      totalOf: statedTotal('totalCount'),
      query: ({ symbol }, _from, _to, page, size) => ({ symbol, page_num: page, page_size: size }),
    }),
    backfill('mark', fairCandles, {
      points: 2000,
      stepMs: HOUR_MS,
      query: (_, from, to) => ({ interval: 'Min60', start: seconds(from), end: seconds(to) - 1 }),
    }),
  ],
  second: {
    ways: [
      secondWay(fairPrice),
      secondWay(indexPrice),
      secondWay(ownRate),
      secondWay(fundingHistory, ({ symbol }) => ({ symbol, page_num: 1, page_size: SECOND_PAYMENTS })),
    ],
    missing:
      'Open interest and volume: the tickers alone state them. The rate of one contract is read by the table that reads those of all.',
  },
  baseOf,
};
