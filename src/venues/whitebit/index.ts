import { asMs } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, seconds, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS, SECOND_PAYMENTS_MS } from '../second-way.ts';
import { frames, orderbook, whitebitBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingHistory,
  decodeFutures,
  decodeMarkets,
  decodeTicker,
  PUBLISHED,
  TAKER_FEE,
} from './wire.ts';

const markets = endpoint('/api/v4/public/markets', decodeMarkets, {
  alsoAt: ['/api/v4/public/collateral/markets'],
});
const ticker = endpoint('/api/v4/public/ticker', decodeTicker);
const fundingHistory = endpoint('/api/v4/public/funding-history/*', decodeFundingHistory);

/** WhiteBIT perpetuals in USDT; evidence in VENUE.md. */
export const whitebit: VenueAdapter = {
  id: 'whitebit',
  displayName: 'WhiteBIT',
  kind: 'cex',
  sourceId: 13,
  takerFeeBps: TAKER_FEE,
  hasIndex: true,
  index: {
    family: 'own-opaque',
    description:
      'Own index without a published basket; falls back to the last spot trade, then to the last trade of the contract itself, as it mostly is for shares and metals',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://whitebit.com', ws: 'wss://wss.whitebit.com' },
  heartbeat: {
    pingMs: { atLeast: 20_000, atMost: 50_000 },
    source: 'docs.whitebit.com: a ping every 20 to 50 s; a minute without one ends the connection',
  },
  // The smaller of the two published figures for public calls, an address.
  budget: {
    id: 'whitebit.com',
    pools: [
      { name: 'default', limit: 2_000, perMs: 10_000 },
      { name: 'orderbook', limit: 600, perMs: 10_000 },
    ],
  },
  refreshMs: 5_000,
  polls: [
    poll('instruments', markets, { everyMs: 300_000 }),
    // Values step every 5 s.
    poll('quotes', endpoint('/api/v4/public/futures', decodeFutures), { everyMs: 5_000 }),
  ],
  books: whitebitBooks,
  calls: [ticker, fundingHistory, orderbook, frames],
  second: {
    ways: [
      secondWay(ticker, () => ({}), { isBulk: true }),
      secondWay(fundingHistory, (_, now) => ({
        startDate: seconds(asMs(now - SECOND_PAYMENTS_MS)),
        limit: SECOND_PAYMENTS,
      })),
    ],
    missing: 'Rate, mark, index and open interest: one call states them all.',
  },
  baseOf,
};
