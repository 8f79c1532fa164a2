import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { frames, orderbook, orderlyBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingHistory,
  decodeFundingRates,
  decodeFutures,
  decodeInfo,
  PUBLISHED,
} from './wire.ts';

const API = '/v1/public';
const info = endpoint(`${API}/info`, decodeInfo, { alsoAt: [`${API}/info/*`] });
const futures = endpoint(`${API}/futures`, decodeFutures, { alsoAt: [`${API}/futures/*`] });
const fundingRates = endpoint(`${API}/funding_rates`, decodeFundingRates, {
  alsoAt: [`${API}/funding_rates/*`, `${API}/funding_rate/*`],
});
const fundingHistory = endpoint(`${API}/funding_rate_history`, decodeFundingHistory);

/** Orderly Network: one shared book behind several front ends; evidence in VENUE.md. */
export const orderly: VenueAdapter = {
  id: 'orderly',
  displayName: 'Orderly Network',
  kind: 'dex',
  sourceId: 110,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'own basket of spot exchanges, for some symbols of other venues’ perpetuals; Stork as a check',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://api.orderly.org',
    ws: 'wss://ws-evm.orderly.org',
  },
  heartbeat: {
    pingMs: { atMost: 10_000 },
    source: 'OrderlyNetwork/documentation-public: a ping every 10 s, of either side',
  },
  budget: {
    id: 'api.orderly.org',
    pools: [
      { name: 'info', limit: 10, perMs: 1000 },
      { name: 'futures', limit: 10, perMs: 1000 },
      { name: 'query', limit: 1200, perMs: 60_000 },
    ],
  },
  refreshMs: 5000,
  polls: [
    poll('instruments', info, { everyMs: 60_000, pool: 'info' }),
    poll('quotes', futures, { everyMs: 5000, pool: 'futures' }),
  ],
  books: orderlyBooks,
  calls: [fundingRates, fundingHistory, orderbook, frames],
  second: {
    ways: [
      secondWay(fundingRates, () => ({}), { pool: 'query', isBulk: true }),
      secondWay(fundingHistory, ({ symbol }) => ({ symbol, size: SECOND_PAYMENTS }), { pool: 'query' }),
    ],
    missing: 'Mark, index, open interest and volume: one call states them all.',
  },
  baseOf,
};
