import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { orderlyBooks } from './book-feed.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeFrame,
  decodeFundingHistory,
  decodeFundingRates,
  decodeFutures,
  decodeInfo,
  decodeOrderbook,
} from './wire.ts';

const info: VenueCall = {
  name: 'info',
  matches: matchesPath(/\/v1\/public\/info(\/\w+)?$/),
  decode: decodeInfo,
};

const futures: VenueCall = {
  name: 'futures',
  matches: matchesPath(/\/v1\/public\/futures(\/\w+)?$/),
  decode: decodeFutures,
};

const orderbook: VenueCall = {
  name: 'query orderbook',
  matches: (ref) => /\/v1\/public\/query$/.test(ref.path) && /"orderbook"/.test(ref.body ?? ref.raw),
  decode: decodeOrderbook,
};

const frames: VenueCall = {
  name: 'frame',
  matches: matchesText(
    /@?(orderbook|orderbookupdate|estfundingrate|bbos?|tickers?)\b|^(@?markprices?)\b|ws\/stream|"topic"/,
  ),
  decode: decodeFrame,
};

const calls: readonly VenueCall[] = [
  {
    name: 'funding_rates',
    matches: matchesPath(/\/v1\/public\/funding_rates?(\/\w+)?$/),
    decode: decodeFundingRates,
  },
  {
    name: 'funding_rate_history',
    matches: matchesPath(/\/v1\/public\/funding_rate_history$/),
    decode: decodeFundingHistory,
  },
  orderbook,
  frames,
];

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
  bases: {
    rest: 'https://api.orderly.org',
    ws: 'wss://ws-evm.orderly.org',
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
    {
      call: info,
      kind: 'instruments',
      everyMs: 60_000,
      weight: 1,
      pool: 'info',
      requests: () => [{ method: 'GET', path: '/v1/public/info' }],
    },
    {
      call: futures,
      kind: 'quotes',
      everyMs: 5000,
      weight: 1,
      pool: 'futures',
      requests: () => [{ method: 'GET', path: '/v1/public/futures' }],
    },
  ],
  books: orderlyBooks(frames, orderbook),
  calls,
  baseOf,
};
