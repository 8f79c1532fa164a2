import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll } from '../grammar/calls.ts';
import { extendedBooks, frames, orderbook } from './books.ts';
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
  polls: [poll('instruments', markets, { everyMs: 60_000 }), poll('quotes', markets, { everyMs: 5000 })],
  books: extendedBooks,
  calls: [
    endpoint('/info/markets/*/stats', decodeStats),
    orderbook,
    endpoint('/info/*/funding', decodeFundingHistory),
    endpoint('/info/*/open-interests', decodeOpenInterests),
    endpoint('/info/candles/*/mark-prices', decodeCandles('markPrice')),
    endpoint('/info/candles/*/index-prices', decodeCandles('indexPrice')),
    frames,
  ],
  baseOf,
};
