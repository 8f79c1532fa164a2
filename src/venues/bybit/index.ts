import { asBps } from '../../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll } from '../grammar/calls.ts';
import { bybitBooks, orderbook, stream } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFormerTickers,
  decodeFundingHistory,
  decodeHourKlines,
  decodeInstruments,
  decodeMarkKlines,
  decodeOpenInterestHistory,
  decodeTickers,
  nextInstrumentPage,
  PUBLISHED,
} from './wire.ts';

const MARKET = '/v5/market';
const instruments = endpoint(`${MARKET}/instruments-info`, decodeInstruments);
const tickers = endpoint(`${MARKET}/tickers`, decodeTickers, {
  former: { until: '2023-01-01', decode: decodeFormerTickers },
});
const fundingHistory = endpoint(`${MARKET}/funding/history`, decodeFundingHistory);
const openInterest = endpoint(`${MARKET}/open-interest`, decodeOpenInterestHistory);
const markKlines = endpoint(`${MARKET}/mark-price-kline`, decodeMarkKlines);
const hourKlines = endpoint(`${MARKET}/kline`, decodeHourKlines);

export const bybit: VenueAdapter = {
  id: 'bybit',
  displayName: 'Bybit',
  kind: 'cex',
  sourceId: 2,
  takerFeeBps: asBps(5.5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'Weighted basket of spot exchanges, listed per index with price and weight',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.bybit.com', ws: 'wss://stream.bybit.com' },
  heartbeat: { pingMs: { atMost: 20_000 }, source: 'bybit-exchange/docs: a ping every 20 s' },
  budget: {
    id: 'bybit',
    pools: [{ name: 'default', limit: 600, perMs: 5_000 }],
    limitBody: { field: 'retCode', codes: ['10006', '10018', '10429'] },
    // Of other reasons (a blocked country) it says so; bybit-exchange/docs, rate limits: wait at least 10 minutes.
    limitStatus: { status: 403, text: 'access too frequent', banMs: 10 * MINUTE_MS },
  },
  refreshMs: 5_000,
  polls: [
    poll('instruments', instruments, {
      everyMs: 300_000,
      query: { category: 'linear', limit: 1000 },
      nextPage: nextInstrumentPage,
    }),
    poll('quotes', tickers, { everyMs: 5_000, query: { category: 'linear' } }),
  ],
  books: bybitBooks,
  calls: [orderbook, fundingHistory, openInterest, markKlines, hourKlines, stream],
  // https://bybit-exchange.github.io/docs/v5/market: newest first, both ends stated.
  backfill: [
    backfill('funding', fundingHistory, {
      points: 200,
      query: ({ symbol }, from, to) => ({
        category: 'linear',
        symbol,
        startTime: from,
        endTime: to - 1,
        limit: 200,
      }),
    }),
    backfill('mark', markKlines, {
      points: 1000,
      stepMs: HOUR_MS,
      query: ({ symbol }, from, to) => ({
        category: 'linear',
        symbol,
        interval: '60',
        start: from,
        end: to - 1,
        limit: 1000,
      }),
    }),
    backfill('interest', openInterest, {
      points: 200,
      stepMs: HOUR_MS,
      query: ({ symbol }, from, to) => ({
        category: 'linear',
        symbol,
        intervalTime: '1h',
        startTime: from,
        endTime: to - 1,
        limit: 200,
      }),
    }),
    backfill('volume', hourKlines, {
      points: 1000,
      stepMs: HOUR_MS,
      query: ({ symbol }, from, to) => ({
        category: 'linear',
        symbol,
        interval: '60',
        start: from,
        end: to - 1,
        limit: 1000,
      }),
    }),
  ],
  second: {
    ways: [],
    missing: 'Rate and index: one call states both.',
  },
  baseOf,
};
