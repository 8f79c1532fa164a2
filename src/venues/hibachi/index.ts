import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import type { Decoder } from '../call.ts';
import { endpoint, poll, pollEach } from '../grammar/calls.ts';
import { frames, hibachiBooks, orderbook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeExchangeInfo,
  decodeFundingRates,
  decodeOpenInterest,
  decodePrices,
  decodeStats,
  PUBLISHED,
} from './wire.ts';

const pollData = (name: string, decode: Decoder, everyMs: number) =>
  pollEach(endpoint(`/market/data/${name}`, decode), { everyMs, query: ({ symbol }) => ({ symbol }) });

/** Hibachi: four calls a contract, few contracts; the interval is read from settlements. Evidence in VENUE.md. */
export const hibachi: VenueAdapter = {
  id: 'hibachi',
  displayName: 'Hibachi',
  kind: 'dex',
  sourceId: 118,
  takerFeeBps: asBps(4.5),
  hasIndex: true,
  index: { family: 'hibachi-spot', description: 'spot price, source not published', evidence: 'unknown' },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://data-api.hibachi.xyz', ws: 'wss://data-api.hibachi.xyz' },
  heartbeat: { pingMs: { atMost: 30_000 }, source: 'no period is published: as other venues' },
  // No figure is published; a public client spaces its calls by 100 ms.
  budget: { id: 'data-api.hibachi.xyz', pools: [{ name: 'default', limit: 10, perMs: 1000 }] },
  refreshMs: 10_000,
  polls: [
    poll('instruments', endpoint('/market/exchange-info', decodeExchangeInfo), { everyMs: 300_000 }),
    pollData('prices', decodePrices, 10_000),
    pollData('open-interest', decodeOpenInterest, 60_000),
    pollData('stats', decodeStats, 60_000),
    pollData('funding-rates', decodeFundingRates, 900_000),
  ],
  books: hibachiBooks,
  calls: [orderbook, frames],
  second: {
    ways: [],
    missing: 'All fields: each is stated by the one call that serves it.',
  },
  baseOf,
};
