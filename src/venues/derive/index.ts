import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { deriveBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import { PUBLISHED } from './published.ts';
import { decodeTicker, decodeTickers } from './tickers.ts';
import { baseOf, decodeFundingHistory, decodeInstruments } from './wire.ts';

const PAGE = 1000;

const instruments: VenueCall = {
  name: 'get_all_instruments',
  matches: matchesPath(/\/get_(all_)?instruments?$/),
  decode: decodeInstruments,
};

const tickers: VenueCall = {
  name: 'get_tickers',
  matches: matchesPath(/\/get_tickers$/),
  decode: decodeTickers,
};

const frames: VenueCall = {
  name: 'frame',
  matches: matchesText(/\b(ticker_slim|ticker|orderbook)\.|\/ws\/?$|"channels"/),
  decode: decodeFrame,
};

/** Derive (formerly Lyra), version 3 of its interface: linear perpetuals beside options; evidence in VENUE.md. */
export const derive: VenueAdapter = {
  id: 'derive',
  displayName: 'Derive',
  kind: 'dex',
  sourceId: 111,
  takerFeeBps: asBps(3),
  hasIndex: true,
  index: {
    family: 'derive-signed-feed',
    description: "spot feed signed by the venue's data providers and submitted on its chain",
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.derive.xyz/v3', ws: 'wss://api.derive.xyz/v3' },
  budget: { id: 'api.derive.xyz', pools: [{ name: 'default', limit: 10, perMs: 1000 }] },
  refreshMs: 5000,
  polls: [
    {
      call: instruments,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [
        {
          method: 'POST',
          path: '/public/get_all_instruments',
          body: JSON.stringify({ expired: false, instrument_type: 'perp', page: 1, page_size: PAGE }),
        },
      ],
    },
    {
      call: tickers,
      kind: 'quotes',
      everyMs: 5000,
      weight: 1,
      requests: () => [
        { method: 'POST', path: '/public/get_tickers', body: JSON.stringify({ instrument_type: 'perp' }) },
      ],
    },
  ],
  books: deriveBooks(frames),
  calls: [
    { name: 'get_ticker', matches: matchesPath(/\/get_ticker$/), decode: decodeTicker },
    {
      name: 'get_funding_rate_history',
      matches: matchesPath(/\/get_funding_rate_history$/),
      decode: decodeFundingHistory,
    },
    frames,
  ],
  baseOf,
};
