import type { Published } from '../../domain/amount.ts';
import type { VenueAdapter } from '../adapter.ts';
import { fapiBooks } from '../binance-fapi/books.ts';
import { fapiBackfill, fapiCalls } from '../binance-fapi/index.ts';
import { poll, pollEach } from '../grammar/calls.ts';
import { assetClassOf } from './asset-class.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { takerFeeOf, USUAL_TAKER_FEE } from './taker-fee.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
const PUBLISHED: Published = {
  openInterest: {
    field: 'fapi/v3/openInterest `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 6196.323; the website shows twice the API',
    date: '2026-09',
    confidence: 'high',
  },
  volume: {
    field: 'fapi/v3/ticker/24hr `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of whole lots: CAKE 15775',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'fapi v3',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; asterdex/api-docs changelog to 2026-06-30',
  },
};

/**
 * Order-book perpetuals. Symbols that end in a bare USD (`GNSUSD`) belong to another, oracle-priced product of the venue
 * and carry no funding.
 */
const { baseOf, ...calls } = fapiCalls({
  venue: 'aster',
  published: PUBLISHED,
  stamps: STAMPS,
  quotes: ['USDT', 'USDC', 'USD1', 'USDF'],
  perpetualTypes: ['PERPETUAL'],
  assetClassOf,
  takerFeeOf,
  terms: TERMS,
  bounds: { cap: 'fundingFeeCap', floor: 'fundingFeeFloor' },
  prefix: '/fapi/v3',
});

export const aster: VenueAdapter = {
  id: 'aster',
  displayName: 'Aster',
  kind: 'dex',
  sourceId: 106,
  takerFeeBps: USUAL_TAKER_FEE,
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: "Weighted basket of spot exchanges, nearly the weights of Binance's own index",
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://fapi.asterdex.com', ws: 'wss://fstream.asterdex.com' },
  heartbeat: { source: 'asterdex/api-docs, V3: the server pings every 5 min by the protocol' },
  budget: {
    id: 'aster-fapi',
    pools: [{ name: 'default', limit: 2400, perMs: 60_000, usedHeader: 'x-mbx-used-weight-1m' }],
  },
  refreshMs: 10_000,
  // About 1.3 requests a second, most of them open interest: other clients keep to three.
  polls: [
    poll('instruments', calls.exchangeInfo, { everyMs: 300_000 }),
    poll('quotes', calls.fundingInfo, { everyMs: 120_000 }),
    poll('quotes', calls.premiumIndex, { everyMs: 10_000, weight: 10 }),
    poll('quotes', calls.bookTicker, { everyMs: 10_000, weight: 2 }),
    poll('quotes', calls.ticker24h, { everyMs: 30_000, weight: 40 }),
    pollEach(calls.openInterest, { everyMs: 300_000, query: ({ symbol }) => ({ symbol }) }),
  ],
  books: fapiBooks({ ...calls, evidence: 'frames', path: '/stream', silenceMs: 30_000, budgetShare: 0.3 }),
  calls: [calls.depth, calls.fundingRate, calls.markPriceKlines, calls.klines, calls.frames],
  backfill: fapiBackfill(calls),
  second: {
    ways: [],
    missing: 'Rate, index and open interest: one call states each of them.',
  },
  baseOf,
};
