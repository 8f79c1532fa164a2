import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, pollEach, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { allMarks, apexBooks, depth, frames } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeAllTickers,
  decodeFundingHistory,
  decodeSymbols,
  decodeTicker,
  PUBLISHED,
} from './wire.ts';

const fundingHistory = endpoint('/v3/history-funding', decodeFundingHistory);
const allTickers = endpoint('/v3/data/all-ticker-info', decodeAllTickers);

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
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://omni.apex.exchange/api', ws: 'wss://quote.omni.apex.exchange' },
  heartbeat: {
    pingMs: { atMost: 15_000 },
    source: 'clients of the venue: both sides ping in text every 15 s',
  },
  liveWithout: {
    fields: ['isPrelaunch', 'enableDisplay', 'enableOpenPosition'],
    why: 'not on every row of a live contract, and on none of older payloads',
  },
  budget: {
    id: 'omni.apex.exchange',
    pools: [{ name: 'default', limit: 600, perMs: 60_000 }],
    limitBody: { field: 'code', codes: ['10003'] },
    limitStatus: { status: 403 },
  },
  refreshMs: 5000,
  // The rate comes with one ticker call a contract.
  rateEveryMs: 60_000,
  polls: [
    poll('instruments', endpoint('/v3/symbols', decodeSymbols), { everyMs: 300_000 }),
    pollEach(endpoint('/v3/ticker', decodeTicker), { everyMs: 60_000, query: ({ symbol }) => ({ symbol }) }),
  ],
  streams: [allMarks],
  books: apexBooks,
  calls: [fundingHistory, allTickers, depth, frames],
  second: {
    ways: [
      secondWay(allTickers, () => ({}), { isBulk: true }),
      secondWay(fundingHistory, ({ symbol, quote }) => ({
        symbol: `${baseOf(symbol)}-${quote}`,
        limit: SECOND_PAYMENTS,
      })),
    ],
    missing: 'None: the tickers of all contracts in one answer are read by a table of their own.',
  },
  baseOf,
};
