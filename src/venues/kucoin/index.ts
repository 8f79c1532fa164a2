import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll, seconds, secondWay } from '../grammar/calls.ts';
import { frames, kucoinBooks, level2, unifiedBook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeAllTickers,
  decodeContractQuotes,
  decodeContracts,
  decodeCurrentFunding,
  decodeFundingHistory,
  decodeMarkCandles,
  decodeMarkPrice,
  decodeOpenInterest,
  decodeOpenInterestHistory,
  decodePolledContracts,
  decodeUnifiedFunding,
  decodeUnifiedFundingHistory,
  PUBLISHED,
  TAKER_FEE_BPS,
} from './wire.ts';

const UNIFIED = '/api/ua/v2/market';
const contracts = endpoint('/api/v1/contracts/active', decodeContracts, {
  name: 'contracts',
  alsoAt: ['/api/v1/contracts/*'],
});
const allTickers = endpoint('/api/v1/allTickers', decodeAllTickers);
const fundingRates = endpoint('/api/v1/contract/funding-rates', decodeFundingHistory);
const openInterest = endpoint(`${UNIFIED}/open-interest`, decodeOpenInterest, {
  base: 'unified',
  answers: (query) => !query.has('interval'),
});
const markPrice = endpoint('/api/v1/mark-price/*/current', decodeMarkPrice, { name: 'mark-price' });
const currentFunding = endpoint('/api/v1/funding-rate/*/current', decodeCurrentFunding, {
  name: 'funding-rate',
});
const interestHistory = endpoint(`${UNIFIED}/open-interest`, decodeOpenInterestHistory, {
  name: 'open-interest history',
  base: 'unified',
});
const markKline = endpoint(`${UNIFIED}/kline`, decodeMarkCandles, {
  name: 'kline of the mark price',
  base: 'unified',
  // By a parameter in v2, by the symbol in v1.
  answers: (query) =>
    query.get('klineType') === 'MARK_PRICE' || query.get('symbol')?.endsWith('-mark-price') === true,
});

/** KuCoin Futures: USDT- and USDC-margined perpetuals. */
export const kucoin: VenueAdapter = {
  id: 'kucoin',
  displayName: 'KuCoin Futures',
  kind: 'cex',
  sourceId: 6,
  takerFeeBps: TAKER_FEE_BPS,
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      "Weighted basket of other venues' spot prices, published per index; some baskets hold perpetuals, its own among them",
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://api-futures.kucoin.com',
    unified: 'https://api.kucoin.com',
    ws: 'wss://x-push-futures.kucoin.com',
  },
  heartbeat: {
    pingMs: { atLeast: 1_000, atMost: 18_000 },
    source: 'recorded welcome frame: pingInterval 18000; probes of 2026-09: one a second at most',
  },
  budget: {
    id: 'kucoin',
    pools: [{ name: 'default', limit: 2_000, perMs: 30_000 }],
    limitBody: { field: 'code', codes: ['429000', '200002'] },
  },
  refreshMs: 5_000,
  polls: [
    poll('instruments', contracts, {
      everyMs: 300_000,
      weight: 3,
      part: { name: 'contracts (without open interest)', decode: decodePolledContracts },
    }),
    poll('quotes', contracts, {
      everyMs: 5_000,
      weight: 3,
      part: { name: 'contracts (metrics)', decode: decodeContractQuotes },
    }),
    // Without a symbol: all contracts. Its weight is not published.
    poll('quotes', openInterest, { everyMs: 10_000, weight: 5 }),
    poll('quotes', allTickers, { everyMs: 10_000, weight: 5 }),
  ],
  books: kucoinBooks,
  calls: [
    contracts,
    markPrice,
    currentFunding,
    endpoint(`${UNIFIED}/funding-rate`, decodeUnifiedFunding, { name: 'unified funding-rate' }),
    interestHistory,
    fundingRates,
    endpoint(`${UNIFIED}/funding-rate-history`, decodeUnifiedFundingHistory, {
      name: 'unified funding-rate-history',
    }),
    markKline,
    level2,
    unifiedBook,
    frames,
  ],
  // https://www.kucoin.com/docs-new: `from` and `to` are both needed.
  backfill: [
    backfill('funding', fundingRates, {
      points: 100,
      weight: 5,
      query: ({ symbol }, from, to) => ({ symbol, from, to: to - 1 }),
    }),
    // The least bound that a client names: which one holds for marks is not known.
    backfill('mark', markKline, {
      points: 200,
      stepMs: HOUR_MS,
      weight: 3,
      query: ({ symbol }, from, to) => ({
        tradeType: 'FUTURES',
        symbol,
        klineType: 'MARK_PRICE',
        interval: '1hour',
        startAt: seconds(from),
        endAt: seconds(to) - 1,
      }),
    }),
    // Hours are kept for a week.
    backfill('interest', interestHistory, {
      points: 200,
      stepMs: HOUR_MS,
      reachMs: 7 * DAY_MS,
      weight: 5,
      query: ({ symbol }, from, to) => ({
        symbol,
        interval: '1hour',
        startAt: from,
        endAt: to - 1,
        pageSize: 200,
      }),
    }),
  ],
  second: {
    ways: [
      secondWay(markPrice),
      secondWay(currentFunding),
      secondWay(interestHistory, ({ symbol }, now) => ({
        symbol,
        interval: '5min',
        startAt: now - 15 * MINUTE_MS,
        endAt: now,
      })),
    ],
    missing: 'Volume: the list of contracts alone states it.',
  },
  baseOf,
};
