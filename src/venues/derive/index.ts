import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWayByPost } from '../grammar/calls.ts';
import { deriveBooks, frames } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingHistory,
  decodeInstruments,
  decodeTicker,
  decodeTickers,
  PUBLISHED,
} from './wire.ts';

const instruments = endpoint('/public/get_all_instruments', decodeInstruments, {
  alsoAt: ['/public/get_instruments', '/public/get_instrument'],
});
const getTicker = endpoint('/public/get_ticker', decodeTicker);
const PERPETUALS = { instrument_type: 'perp' };

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
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.derive.xyz/v3', ws: 'wss://api.derive.xyz/v3' },
  heartbeat: {
    pingMs: { atMost: 30_000 },
    source: 'nautilus pings by the protocol every 30 s; no period is published',
  },
  budget: { id: 'api.derive.xyz', pools: [{ name: 'default', limit: 10, perMs: 1000 }] },
  refreshMs: 5000,
  polls: [
    poll('instruments', instruments, {
      everyMs: 300_000,
      body: { expired: false, ...PERPETUALS, page: 1, page_size: 1000 },
    }),
    poll('quotes', endpoint('/public/get_tickers', decodeTickers), { everyMs: 5000, body: PERPETUALS }),
  ],
  books: deriveBooks,
  calls: [getTicker, endpoint('/public/get_funding_rate_history', decodeFundingHistory), frames],
  second: {
    ways: [secondWayByPost(getTicker, ({ symbol }) => ({ instrument_name: symbol }))],
    missing: 'None; the ticker of one contract is read by the table that reads those of all.',
  },
  baseOf,
};
