import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { edgexBooks } from './book-feed.ts';
import { heartbeat } from './heartbeat.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeDepth,
  decodeFrame,
  decodeFundingPage,
  decodeLatestFunding,
  decodeMetaData,
  decodeTicker,
} from './wire.ts';

const metaData: VenueCall = {
  name: 'getMetaData',
  matches: matchesPath(/\/meta\/getMetaData$/),
  decode: decodeMetaData,
};

const latestFunding: VenueCall = {
  name: 'getLatestFundingRate',
  matches: matchesPath(/\/funding\/getLatestFundingRate$/),
  decode: decodeLatestFunding,
};

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(/(^|")(bookTicker|ticker|depth|fundingRate)\.|public\/ws/),
  decode: decodeFrame,
};

const depth: VenueCall = {
  name: 'getDepth',
  matches: matchesPath(/\/quote\/getDepth$/),
  decode: decodeDepth,
};

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
  bases: { rest: 'https://edgex-prod-v2.edgex.exchange', ws: 'wss://edgex-quote-prod-v2.edgex.exchange' },
  // No figure is published: two calls a second.
  budget: { id: 'edgex-prod-v2.edgex.exchange', pools: [{ name: 'default', limit: 20, perMs: 10_000 }] },
  refreshMs: 5000,
  // Forecasts are stamped to the minute.
  rateEveryMs: 60_000,
  polls: [
    {
      call: metaData,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/api/v2/public/meta/getMetaData' }],
    },
    {
      call: latestFunding,
      kind: 'quotes',
      everyMs: 30_000,
      weight: 1,
      hasCoarseStamps: true,
      requests: (plan) => {
        const ids = plan.instruments.flatMap((i) => (i.altId === undefined ? [] : [i.altId]));
        const path = `/api/v2/public/funding/getLatestFundingRate?contractId=${ids.join(',')}`;
        return ids.length === 0 ? [] : [{ method: 'GET', path }];
      },
    },
  ],
  streams: [
    {
      name: 'ticker.all.1s',
      base: 'ws',
      path: '/api/v1/public/ws',
      call: frame,
      topics: () => ['ticker.all.1s', 'bookTicker.all.1s'],
      subscribe: (topics) => topics.map((channel) => JSON.stringify({ type: 'subscribe', channel })),
      topicsPerConnection: 20,
      topicsPerFrame: 1,
      framesPerSecond: 2,
      maxConnections: 1,
      compression: 'none',
      ...heartbeat,
      silenceMs: 30_000,
    },
  ],
  books: edgexBooks(frame, depth),
  calls: [
    { name: 'getTicker', matches: matchesPath(/\/quote\/getTicker$/), decode: decodeTicker },
    {
      name: 'getFundingRatePage',
      matches: matchesPath(/\/funding\/getFundingRatePage$/),
      decode: decodeFundingPage,
    },
    depth,
  ],
  baseOf,
};
