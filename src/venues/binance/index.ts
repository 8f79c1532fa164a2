import type { Published } from '../../domain/amount.ts';
import { asBps } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { fapiBooks } from '../binance-fapi/books.ts';
import { fapiBackfill, fapiCalls } from '../binance-fapi/index.ts';
import { backfill, poll, pollEach } from '../grammar/calls.ts';
import { assetClassOf } from './asset-class.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
const PUBLISHED: Published = {
  openInterest: {
    field: 'fapi/v1/openInterest `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence:
      "statement of the venue's account of July 2025; public fifteen-minute record of raw BTC open interest, September and October 2026: 15 of 31 counts of lots odd",
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'fapi/v1/ticker/24hr `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 105892.131 BTC',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'fapi v1, routed sockets',
    date: '2026-10-10',
    source:
      "record of answered calls (mannoj93-spec/jbm-desk-data); the venue's notice on routed stream paths, in force since 2026-04-23",
  },
};

/** Live linear perpetuals: crypto and, since 2025, stocks, commodities and a currency, in USDT or USDC. */
const { baseOf, ...calls } = fapiCalls({
  venue: 'binance',
  published: PUBLISHED,
  stamps: STAMPS,
  quotes: ['USDT', 'USDC'],
  perpetualTypes: ['PERPETUAL', 'TRADIFI_PERPETUAL'],
  assetClassOf,
  bounds: { cap: 'adjustedFundingRateCap', floor: 'adjustedFundingRateFloor' },
  terms: TERMS,
  prefix: '/fapi/v1',
});

/** Settled rates and the funding table have a limit of their own. */
const FUNDING_POOL = 'funding';

export const binance: VenueAdapter = {
  id: 'binance',
  displayName: 'Binance',
  kind: 'cex',
  sourceId: 1,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'Weighted basket of spot exchanges, Binance itself the heaviest; listed per symbol',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://fapi.binance.com', ws: 'wss://fstream.binance.com' },
  heartbeat: { source: 'developers.binance.com: the server pings every 3 min by the protocol' },
  budget: {
    id: 'binance-fapi',
    pools: [
      { name: 'default', limit: 2400, perMs: 60_000, usedHeader: 'x-mbx-used-weight-1m' },
      { name: FUNDING_POOL, limit: 500, perMs: 300_000 },
      { name: 'data', limit: 1000, perMs: 300_000 },
    ],
  },
  refreshMs: 5_000,
  // Weight a minute: 120 marks + 60 tops + 160 volumes + about 600 open interest (740 contracts) of 2400.
  polls: [
    poll('instruments', calls.exchangeInfo, { everyMs: 300_000 }),
    poll('quotes', calls.fundingInfo, {
      everyMs: 60_000,
      pool: FUNDING_POOL,
      mayBeEmpty:
        'developers.binance.com, Get Funding Rate Info: only contracts whose cap, floor or interval was adjusted',
    }),
    poll('quotes', calls.premiumIndex, { everyMs: 5_000, weight: 10 }),
    poll('quotes', calls.bookTicker, { everyMs: 5_000, weight: 5 }),
    poll('quotes', calls.ticker24h, { everyMs: 15_000, weight: 40 }),
    pollEach(calls.openInterest, { everyMs: 75_000, query: ({ symbol }) => ({ symbol }) }),
  ],
  books: fapiBooks({
    ...calls,
    evidence: 'session',
    path: '/public/stream',
    silenceMs: 15_000,
    budgetShare: 0.45,
  }),
  calls: [
    calls.depth,
    calls.fundingRate,
    calls.openInterestHist,
    calls.markPriceKlines,
    calls.klines,
    calls.frames,
  ],
  // https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api
  backfill: [
    ...fapiBackfill(calls, FUNDING_POOL),
    // Of the last month, 500 rows an answer, in a pool of its own.
    backfill('interest', calls.openInterestHist, {
      points: 500,
      stepMs: HOUR_MS,
      reachMs: 29 * DAY_MS,
      pool: 'data',
      query: ({ symbol }, from, to) => ({
        symbol,
        period: '1h',
        startTime: from,
        endTime: to - 1,
        limit: 500,
      }),
    }),
  ],
  second: {
    ways: [],
    missing: 'Rate and index: one call states both.',
  },
  baseOf,
};
