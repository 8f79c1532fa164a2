import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath } from '../call-match.ts';
import { isChannel } from '../channel-match.ts';
import { backpackBackfill } from './backfill.ts';
import { backpackBooks } from './book-feed.ts';
import { decodeDepth, decodeFrame } from './frames.ts';
import { decodeFundingRates, decodeKlines } from './history.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import { decodeMarkets, decodeMarkPrices, decodeOpenInterest, decodeTickers } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const markets = call('markets', /(?:^|v1\/)markets?$/, decodeMarkets);
const markPrices = call('markPrices', /(?:^|\/)markPrices$/, decodeMarkPrices);
const tickers = call('tickers', /(?:^|\/)tickers?$/, decodeTickers);
const openInterest = call('openInterest', /(?:^|\/)openInterest$/, decodeOpenInterest);
const depth = call('depth', /(?:^|v1\/)depth$/, decodeDepth);
const socket: VenueCall = { name: 'socket', matches: isChannel, decode: decodeFrame };

const polls: readonly Poll[] = [
  {
    call: markets,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 1,
    requests: () => [{ method: 'GET', path: '/api/v1/markets?marketType=PERP' }],
  },
  {
    // While the origin fails, its cache serves rows of up to an hour ago, and they carry no stamp. Every query has
    // an entry of its own there, so one that was never asked before is answered by the origin or fails.
    call: markPrices,
    kind: 'quotes',
    everyMs: 5_000,
    weight: 1,
    requests: ({ now }) => [{ method: 'GET', path: `/api/v1/markPrices?_=${now}` }],
  },
  {
    call: tickers,
    kind: 'quotes',
    everyMs: 10_000,
    weight: 1,
    requests: () => [{ method: 'GET', path: '/api/v1/tickers' }],
  },
  {
    call: openInterest,
    kind: 'quotes',
    everyMs: 15_000,
    weight: 1,
    requests: () => [{ method: 'GET', path: '/api/v1/openInterest' }],
  },
];

/** Backpack Exchange perpetuals in USDC; evidence in VENUE.md. */
export const backpack: VenueAdapter = {
  id: 'backpack',
  displayName: 'Backpack Exchange',
  kind: 'cex',
  sourceId: 15,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted mean over exchanges that are not named, outliers pulled to 1 % from their median; shares by Pyth in the American session, else by the own book',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.backpack.exchange', ws: 'wss://ws.backpack.exchange' },
  // No figure is published; five a second were never refused.
  budget: { id: 'api.backpack.exchange', pools: [{ name: 'default', limit: 50, perMs: 10_000 }] },
  refreshMs: 5_000,
  polls,
  books: backpackBooks(socket, depth),
  calls: [
    call('fundingRates', /(?:^|\/)fundingRates$/, decodeFundingRates),
    call('klines', /(?:^|\/)klines$/, decodeKlines),
    depth,
    socket,
  ],
  backfill: backpackBackfill,
  baseOf,
};
