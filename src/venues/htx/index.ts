import { asBps, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll, pollEach, secondWay } from '../grammar/calls.ts';
import { statedTotal } from '../grammar/stated-total.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { depth, htxBooks, marks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { decodeFundingHistory, decodeInterestHistory, decodeMarkCandles } from './history.ts';
import { PUBLISHED } from './published.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeContracts,
  decodeFunding,
  decodeIndex,
  decodeOpenInterest,
  decodeOverview,
  decodeOverviews,
  decodeOverviewsV2,
  decodeTouch,
} from './wire.ts';

const API = '/linear-swap-api/v1';
const V5 = '/v5/market';
const funding = endpoint(`${API}/swap_batch_funding_rate`, decodeFunding, {
  name: 'funding_rate',
  alsoAt: [`${API}/swap_funding_rate`, `${V5}/funding_rate`],
});
const openInterest = endpoint(`${API}/swap_open_interest`, decodeOpenInterest, { name: 'open_interest' });

const overviewsV2 = endpoint('/v2/linear-swap-ex/market/detail/batch_merged', decodeOverviewsV2, {
  name: 'batch_merged (v2)',
});
const fundingHistory = endpoint(`${API}/swap_historical_funding_rate`, decodeFundingHistory, {
  name: 'funding history',
  alsoAt: [`${V5}/funding_rate_history`],
});
const interestHistory = endpoint(`${API}/swap_his_open_interest`, decodeInterestHistory);
const markKline = endpoint('/index/market/history/linear_swap_mark_price_kline', decodeMarkCandles, {
  name: 'mark_price_kline',
});

/** Newest hours that an answer has at most. */
const MARKS = 2000;
const INTERESTS = 200;
/** As many of them as lie in a span that ends now, and the running one. */
const hoursOf = (from: UnixMs, to: UnixMs, most: number): number =>
  Math.min(most, Math.ceil((to - from) / HOUR_MS) + 1);

/** HTX USDT-margined perpetual swaps; evidence in VENUE.md. */
export const htx: VenueAdapter = {
  id: 'htx',
  displayName: 'HTX',
  kind: 'cex',
  sourceId: 8,
  takerFeeBps: asBps(6),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Own weighted mean of last prices of several exchanges, held to 3 % around their median; basket and weights are not published',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.hbdm.com', ws: 'wss://api.hbdm.com' },
  heartbeat: { source: 'probes of 2026-09 (arbitrage-observatory): a ping every 5 s wants its number back' },
  budget: {
    id: 'api.hbdm.com',
    pools: [
      { name: 'default', limit: 240, perMs: 3000 },
      { name: 'market', limit: 800, perMs: 1000 },
    ],
    limitBody: { field: 'err_code', codes: ['1032'] },
  },
  refreshMs: 5000,
  polls: [
    // It also states the interval, which changes.
    poll('instruments', endpoint(`${API}/swap_contract_info`, decodeContracts), {
      everyMs: 60_000,
      query: { business_type: 'swap' },
    }),
    poll('quotes', funding, { everyMs: 5000 }),
    poll('quotes', endpoint(`${API}/swap_index`, decodeIndex), { everyMs: 5000 }),
    poll('quotes', openInterest, { everyMs: 10_000, query: { business_type: 'swap' } }),
    // The same numbers one by one from the fifth version, should the first one be switched off.
    pollEach(endpoint(`${V5}/open_interest`, decodeOpenInterest, { name: 'open_interest (v5)' }), {
      everyMs: 300_000,
      query: ({ symbol }) => ({ contract_code: symbol }),
    }),
    poll('quotes', endpoint('/linear-swap-ex/market/bbo', decodeTouch), {
      everyMs: 5000,
      pool: 'market',
      query: { business_type: 'swap' },
    }),
  ],
  streams: [marks],
  books: htxBooks,
  calls: [
    overviewsV2,
    endpoint('/linear-swap-ex/market/detail/batch_merged', decodeOverviews),
    endpoint('/linear-swap-ex/market/detail/merged', decodeOverview),
    depth,
    fundingHistory,
    interestHistory,
    markKline,
  ],
  // Payments by number of page; marks and open interest are the newest alone, whatever span is asked for.
  backfill: [
    backfill('funding', fundingHistory, {
      points: 50,
      pages: 200,
      totalOf: statedTotal('total_size'),
      query: ({ symbol }, _from, _to, page, size) => ({
        contract_code: symbol,
        page_index: page,
        page_size: size,
      }),
    }),
    backfill('mark', markKline, {
      points: MARKS,
      stepMs: HOUR_MS,
      reachMs: MARKS * HOUR_MS,
      isLatestOnly: true,
      pool: 'market',
      query: ({ symbol }, from, to) => ({
        contract_code: symbol,
        period: '60min',
        size: hoursOf(from, to, MARKS),
      }),
    }),
    backfill('interest', interestHistory, {
      points: INTERESTS,
      stepMs: HOUR_MS,
      reachMs: INTERESTS * HOUR_MS,
      isLatestOnly: true,
      query: ({ symbol }, from, to) => ({
        contract_code: symbol,
        period: '60min',
        amount_type: 1,
        size: hoursOf(from, to, INTERESTS),
      }),
    }),
  ],
  second: {
    ways: [
      secondWay(overviewsV2, () => ({ business_type: 'swap' }), { pool: 'market', isBulk: true }),
      secondWay(interestHistory, ({ symbol }) => ({
        contract_code: symbol,
        period: '60min',
        size: 2,
        amount_type: 1,
      })),
      secondWay(markKline, ({ symbol }) => ({ contract_code: symbol, period: '1min', size: 2 }), {
        pool: 'market',
      }),
      secondWay(fundingHistory, ({ symbol }) => ({ contract_code: symbol, page_size: SECOND_PAYMENTS })),
    ],
    missing: 'Rate and index: the calls of a single contract answer with the rows of those for all.',
  },
  baseOf,
};
