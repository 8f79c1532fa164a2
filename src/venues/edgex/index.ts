import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { allTickers, depth, edgexBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingPage,
  decodeLatestFunding,
  decodeMetaData,
  decodeTicker,
  PUBLISHED,
} from './wire.ts';

const API = '/api/v2/public';
const latestFunding = endpoint(`${API}/funding/getLatestFundingRate`, decodeLatestFunding);

const getTicker = endpoint(`${API}/quote/getTicker`, decodeTicker);
const fundingPage = endpoint(`${API}/funding/getFundingRatePage`, decodeFundingPage);

/** edgeX, second engine: tickers of all contracts on one channel, forecasts in one call; evidence in VENUE.md. */
export const edgex: VenueAdapter = {
  id: 'edgex',
  displayName: 'edgeX',
  kind: 'dex',
  sourceId: 117,
  takerFeeBps: asBps(4.5),
  hasIndex: true,
  index: {
    family: 'edgex-spot-index',
    description: 'own spot index beside a signed oracle price; providers not published',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://edgex-prod-v2.edgex.exchange', ws: 'wss://edgex-quote-prod-v2.edgex.exchange' },
  heartbeat: { pingMs: { atMost: 30_000 }, source: 'clients with captures of 2026-09: a ping every 30 s' },
  // No figure is published: two calls a second.
  budget: {
    id: 'edgex-prod-v2.edgex.exchange',
    pools: [{ name: 'default', limit: 20, perMs: 10_000 }],
    limitBody: { field: 'code', codes: ['RATE_LIMIT_EXCEEDED'] },
    // The content network before the venue.
    limitStatus: { status: 403 },
  },
  refreshMs: 5000,
  // Forecasts are stamped to the minute.
  rateEveryMs: 60_000,
  polls: [
    poll('instruments', endpoint(`${API}/meta/getMetaData`, decodeMetaData), { everyMs: 300_000 }),
    {
      ...poll('quotes', latestFunding, { everyMs: 30_000, hasCoarseStamps: true }),
      requests: ({ instruments }) => {
        const ids = instruments.flatMap(({ altId }) => altId ?? []);
        const path = `${latestFunding.path}?contractId=${ids.join(',')}`;
        return ids.length === 0 ? [] : [{ method: 'GET', path }];
      },
    },
  ],
  streams: [allTickers],
  books: edgexBooks,
  calls: [getTicker, fundingPage, depth],
  second: {
    ways: [
      secondWay(getTicker, ({ altId = '' }) => ({ contractId: altId })),
      secondWay(fundingPage, ({ altId = '' }) => ({
        contractId: altId,
        size: SECOND_PAYMENTS,
        filterSettlementFundingRate: 'true',
      })),
    ],
    missing: 'None; the ticker of one contract is read by the table that reads the channel of all.',
  },
  baseOf,
};
