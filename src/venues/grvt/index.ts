import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { grvtBooks } from './book-feed.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeBook,
  decodeFrame,
  decodeFundingHistory,
  decodeInstruments,
  decodeKline,
  decodeTicker,
} from './wire.ts';

const instruments: VenueCall = {
  name: 'all_instruments',
  matches: matchesPath(/\/(all_)?instruments?$/),
  decode: decodeInstruments,
};

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(/\bv1\.(ticker|mini|book)\b|ws\/full/),
  decode: decodeFrame,
};

const book: VenueCall = {
  name: 'book',
  matches: matchesPath(/\/full\/v1\/book$/),
  decode: decodeBook,
};

/** Rate of the ticker stream in ms: one of those the venue offers. */
const RATE_MS = 5000;

/** GRVT: no bulk call, all metrics come by the ticker stream; evidence in VENUE.md. */
export const grvt: VenueAdapter = {
  id: 'grvt',
  displayName: 'GRVT',
  kind: 'dex',
  sourceId: 114,
  takerFeeBps: asBps(5.5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'weighted average of several external exchanges, each second; members not published',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://market-data.grvt.io', ws: 'wss://market-data.grvt.io' },
  // No figure is published for the open tier: half of what a public client budgets for itself.
  budget: { id: 'market-data.grvt.io', pools: [{ name: 'default', limit: 600, perMs: 60_000 }] },
  refreshMs: RATE_MS,
  polls: [
    {
      call: instruments,
      kind: 'instruments',
      everyMs: 120_000,
      weight: 1,
      requests: () => [
        { method: 'POST', path: '/full/v1/all_instruments', body: JSON.stringify({ is_active: true }) },
      ],
    },
  ],
  streams: [
    {
      name: 'ticker',
      base: 'ws',
      path: '/ws/full',
      call: frame,
      topics: (plan) => plan.instruments.map((i) => `${i.symbol}@${RATE_MS}`),
      subscribe: (selectors, id) => [
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'subscribe',
          params: { stream: 'v1.ticker.s', selectors },
          id,
        }),
      ],
      topicsPerConnection: 200,
      topicsPerFrame: 50,
      framesPerSecond: 2,
      maxConnections: 2,
      compression: 'none',
      silenceMs: 30_000,
    },
  ],
  books: grvtBooks(frame, book),
  calls: [
    { name: 'ticker', matches: matchesPath(/\/full\/v1\/(ticker|mini)$/), decode: decodeTicker },
    { name: 'funding', matches: matchesPath(/\/full\/v1\/funding$/), decode: decodeFundingHistory },
    { name: 'kline', matches: matchesPath(/\/full\/v1\/kline$/), decode: decodeKline },
    book,
  ],
  baseOf,
};
