import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { pacificaBooks } from './book-feed.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeBook,
  decodeFrame,
  decodeFundingHistory,
  decodeInfo,
  decodeMarkKline,
  decodePrices,
} from './wire.ts';

const info: VenueCall = { name: 'info', matches: matchesPath(/(^|\/)info$/), decode: decodeInfo };

const prices: VenueCall = {
  name: 'info/prices',
  matches: matchesPath(/\/info\/prices$/),
  decode: decodePrices,
};

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(/pacifica\.fi\/ws|"source"|^(prices|book|bbo)\b/),
  decode: decodeFrame,
};

const book: VenueCall = { name: 'book', matches: matchesPath(/\/book$/), decode: decodeBook };

/** Pacifica: central book settled on Solana, hourly funding; evidence in VENUE.md. */
export const pacifica: VenueAdapter = {
  id: 'pacifica',
  displayName: 'Pacifica',
  kind: 'dex',
  sourceId: 113,
  takerFeeBps: asBps(4),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'weighted median of Binance 2, OKX 1, Bybit 1 every 3 s; DEX average for unlisted assets',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.pacifica.fi/api/v1', ws: 'wss://ws.pacifica.fi' },
  // Credits a minute without a key: the lower of the two published figures; a market GET costs 12.
  budget: { id: 'api.pacifica.fi', pools: [{ name: 'default', limit: 100, perMs: 60_000 }] },
  refreshMs: 5000,
  polls: [
    {
      call: info,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 12,
      requests: () => [{ method: 'GET', path: '/info' }],
    },
    {
      call: prices,
      kind: 'quotes',
      everyMs: 20_000,
      weight: 12,
      requests: () => [{ method: 'GET', path: '/info/prices' }],
    },
  ],
  streams: [
    {
      name: 'prices',
      base: 'ws',
      path: '/ws',
      call: frame,
      topics: () => ['prices'],
      subscribe: (topics) =>
        topics.map((source) => JSON.stringify({ method: 'subscribe', params: { source } })),
      topicsPerConnection: 10,
      topicsPerFrame: 1,
      framesPerSecond: 2,
      maxConnections: 1,
      compression: 'none',
      keepAlive: { everyMs: 25_000, frame: () => '{"method":"ping"}' },
      silenceMs: 30_000,
    },
  ],
  books: pacificaBooks(frame, book),
  calls: [
    {
      name: 'funding_rate/history',
      matches: matchesPath(/\/funding_rate\/history$/),
      decode: decodeFundingHistory,
    },
    book,
    { name: 'kline/mark', matches: matchesPath(/\/kline\/mark$/), decode: decodeMarkKline },
  ],
  baseOf,
};
