import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { apexBooks } from './book-feed.ts';
import { heartbeat } from './heartbeat.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeAllWithoutRate,
  decodeDepth,
  decodeFrame,
  decodeFundingHistory,
  decodeSymbols,
  decodeTicker,
} from './wire.ts';

const symbols: VenueCall = {
  name: 'symbols',
  matches: matchesPath(/\/v3\/symbols$/),
  decode: decodeSymbols,
};

const ticker: VenueCall = {
  name: 'ticker',
  matches: matchesPath(/\/v3\/ticker$/),
  decode: decodeTicker,
};

const depth: VenueCall = { name: 'depth', matches: matchesPath(/\/v3\/depth$/), decode: decodeDepth };

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(/instrumentInfo|orderBook\d+|realtime_public/),
  decode: decodeFrame,
};

/** ApeX Omni: one socket topic for all marks, one ticker call a contract for the rate; evidence in VENUE.md. */
export const apex: VenueAdapter = {
  id: 'apex',
  displayName: 'ApeX Omni',
  kind: 'dex',
  sourceId: 115,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'own index of spot exchanges; members not published',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  bases: { rest: 'https://omni.apex.exchange/api', ws: 'wss://quote.omni.apex.exchange' },
  budget: { id: 'omni.apex.exchange', pools: [{ name: 'default', limit: 600, perMs: 60_000 }] },
  refreshMs: 5000,
  // The rate comes with one ticker call a contract.
  rateEveryMs: 60_000,
  polls: [
    {
      call: symbols,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/v3/symbols' }],
    },
    {
      call: ticker,
      kind: 'quotes',
      everyMs: 60_000,
      weight: 1,
      spread: true,
      requests: (plan) =>
        plan.instruments.map(({ symbol }) => ({
          method: 'GET',
          path: `/v3/ticker?symbol=${encodeURIComponent(symbol)}`,
          symbol,
        })),
    },
  ],
  streams: [
    {
      name: 'instrumentInfo.all',
      base: 'ws',
      path: '/realtime_public?v=2',
      call: { name: 'instrumentInfo.all', matches: () => false, decode: decodeAllWithoutRate },
      topics: () => ['instrumentInfo.all'],
      subscribe: (topics) => [JSON.stringify({ op: 'subscribe', args: topics })],
      topicsPerConnection: 10,
      topicsPerFrame: 10,
      framesPerSecond: 2,
      maxConnections: 1,
      compression: 'none',
      ...heartbeat,
      silenceMs: 20_000,
    },
  ],
  books: apexBooks(frame, depth),
  calls: [
    { name: 'history-funding', matches: matchesPath(/\/v3\/history-funding$/), decode: decodeFundingHistory },
    depth,
    frame,
  ],
  baseOf,
};
