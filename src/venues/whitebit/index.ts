import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath } from '../call-match.ts';
import { isChannel } from '../channel-match.ts';
import { whitebitBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import { decodeFundingHistory, decodeOrderbook } from './history.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import { decodeFutures, decodeMarkets, decodeTicker, TAKER_FEE_BPS } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const markets = call('markets', /(?:^|\/)markets$/, decodeMarkets);
const futures = call('futures', /(?:^|\/)futures$/, decodeFutures);
const orderbook = call('orderbook', /(?:^|\/)orderbook\/[^/]+$/, decodeOrderbook);
const socket: VenueCall = { name: 'socket', matches: isChannel, decode: decodeFrame };

const polls: readonly Poll[] = [
  {
    call: markets,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 1,
    requests: () => [{ method: 'GET', path: '/api/v4/public/markets' }],
  },
  {
    // Values step every 5 s.
    call: futures,
    kind: 'quotes',
    everyMs: 5_000,
    weight: 1,
    requests: () => [{ method: 'GET', path: '/api/v4/public/futures' }],
  },
];

/** WhiteBIT perpetuals in USDT; evidence in VENUE.md. */
export const whitebit: VenueAdapter = {
  id: 'whitebit',
  displayName: 'WhiteBIT',
  kind: 'cex',
  sourceId: 13,
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: {
    family: 'own-opaque',
    description:
      'Own index without a published basket; falls back to the last spot trade, then to the last trade of the contract itself, as it mostly is for shares and metals',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  bases: { rest: 'https://whitebit.com', ws: 'wss://wss.whitebit.com' },
  // The smaller of the two published figures for public calls, an address.
  budget: {
    id: 'whitebit.com',
    pools: [
      { name: 'default', limit: 2_000, perMs: 10_000 },
      { name: 'orderbook', limit: 600, perMs: 10_000 },
    ],
  },
  refreshMs: 5_000,
  polls,
  books: whitebitBooks(socket, orderbook),
  calls: [
    call('ticker', /v4\/public\/ticker$/, decodeTicker),
    call('funding-history', /(?:^|\/)funding-history\/[^/]+$/, decodeFundingHistory),
    orderbook,
    socket,
  ],
  baseOf,
};
