import { asBps } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS_MS } from '../second-way.ts';
import { extendedBooks, frames, orderbook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeCandles,
  decodeFundingHistory,
  decodeMarkets,
  decodeOpenInterests,
  decodeStats,
  PUBLISHED,
} from './wire.ts';

const markets = endpoint('/info/markets', decodeMarkets, { name: 'info/markets' });
const stats = endpoint('/info/markets/*/stats', decodeStats);
const fundingHistory = endpoint('/info/*/funding', decodeFundingHistory);
const openInterests = endpoint('/info/*/open-interests', decodeOpenInterests);
const markCandles = endpoint('/info/candles/*/mark-prices', decodeCandles('markPrice'));

/** A megabyte, which takes half a minute at times. */
const DEADLINE_MS = 40_000;

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
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://api.starknet.extended.exchange/api/v1',
    ws: 'wss://api.starknet.extended.exchange/stream.extended.exchange/v1',
  },
  heartbeat: {
    pingMs: { atLeast: 10_000, atMost: 15_000 },
    source: 'clients with captures of 2026-09: pings of the protocol every 10 to 15 s',
  },
  liveWithout: { fields: ['type'], why: 'not on every row of a perpetual' },
  budget: {
    id: 'api.starknet.extended.exchange',
    pools: [{ name: 'default', limit: 1000, perMs: 60_000 }],
  },
  refreshMs: 5000,
  polls: [
    poll('instruments', markets, { everyMs: 60_000, deadlineMs: DEADLINE_MS }),
    poll('quotes', markets, { everyMs: 5000, deadlineMs: DEADLINE_MS }),
  ],
  books: extendedBooks,
  calls: [
    stats,
    orderbook,
    fundingHistory,
    openInterests,
    markCandles,
    endpoint('/info/candles/*/index-prices', decodeCandles('indexPrice')),
    frames,
  ],
  second: {
    ways: [
      secondWay(stats),
      secondWay(openInterests, (_, now) => ({
        interval: 'PT1H',
        startTime: now - 3 * HOUR_MS,
        endTime: now,
      })),
      secondWay(markCandles, () => ({ interval: 'PT1M', limit: 2 })),
      secondWay(fundingHistory, (_, now) => ({ startTime: now - SECOND_PAYMENTS_MS, endTime: now })),
    ],
    missing:
      'None; rate, index and volume come from the statistics of one contract, which are read by the table that reads those of all.',
  },
  baseOf,
};
