import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { extendedBooks } from './book-feed.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeCandles,
  decodeFrame,
  decodeFundingHistory,
  decodeMarkets,
  decodeOpenInterests,
  decodeOrderbook,
  decodeStats,
} from './wire.ts';

const markets: VenueCall = {
  name: 'info/markets',
  matches: matchesPath(/\/info\/markets$/),
  decode: decodeMarkets,
};

const orderbook: VenueCall = {
  name: 'orderbook',
  matches: matchesPath(/\/info\/markets\/[^/]+\/orderbook$/),
  decode: decodeOrderbook,
};

const frames: VenueCall = {
  name: 'frame',
  matches: matchesText(/(^|\/)(orderbooks|prices\/(mark|index)|funding)(\/|\?|$)/),
  decode: decodeFrame,
};

/** Extended: own book settled on Starknet, index and mark from Stork; evidence in VENUE.md. */
export const extended: VenueAdapter = {
  id: 'extended',
  displayName: 'Extended',
  kind: 'dex',
  sourceId: 112,
  takerFeeBps: asBps(2.5),
  hasIndex: true,
  index: {
    family: 'stork',
    description: 'Stork oracle network, in USD, for index and mark',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: {
    rest: 'https://api.starknet.extended.exchange/api/v1',
    ws: 'wss://api.starknet.extended.exchange/stream.extended.exchange/v1',
  },
  budget: {
    id: 'api.starknet.extended.exchange',
    pools: [{ name: 'default', limit: 1000, perMs: 60_000 }],
  },
  refreshMs: 5000,
  polls: [
    {
      call: markets,
      kind: 'instruments',
      everyMs: 60_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/info/markets' }],
    },
    {
      call: markets,
      kind: 'quotes',
      everyMs: 5000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/info/markets' }],
    },
  ],
  books: extendedBooks(frames, orderbook),
  calls: [
    { name: 'stats', matches: matchesPath(/\/info\/markets\/[^/]+\/stats$/), decode: decodeStats },
    orderbook,
    { name: 'funding', matches: matchesPath(/\/info\/[^/]+\/funding$/), decode: decodeFundingHistory },
    {
      name: 'open-interests',
      matches: matchesPath(/\/info\/[^/]+\/open-interests$/),
      decode: decodeOpenInterests,
    },
    {
      name: 'candles',
      matches: matchesPath(/\/info\/candles\/[^/]+\/(mark|index)-prices$/),
      decode: decodeCandles,
    },
    frames,
  ],
  baseOf,
};
