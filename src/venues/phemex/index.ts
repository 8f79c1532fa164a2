import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath } from '../call-match.ts';
import { isChannel } from '../channel-match.ts';
import { phemexBackfill } from './backfill.ts';
import { decodeOrderbook } from './book.ts';
import { phemexBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import { decodeFundingHistory } from './history.ts';
import { decodeProducts } from './products.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import { decodeFundingRates, decodeTickers, fundingPage, nextFundingPage } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const products = call('products', /public\/products(?:-plus)?$/, decodeProducts);
const fundingRates = call('real-funding-rates', /public\/real-funding-rates$/, decodeFundingRates);
const tickers = call('ticker/24hr', /md\/(?:v\d\/)?ticker\/24hr(?:\/all)?$/, decodeTickers);
const orderbook = call('orderbook', /md\/(?:v\d\/)?(?:orderbook|fullbook)$/, decodeOrderbook);
const socket: VenueCall = { name: 'socket', matches: isChannel, decode: decodeFrame };

const polls: readonly Poll[] = [
  {
    // 2.5 MB with all that was ever listed: contracts come and go far less often than this.
    call: products,
    kind: 'instruments',
    everyMs: 600_000,
    weight: 1,
    requests: () => [{ method: 'GET', path: '/public/products' }],
  },
  {
    call: fundingRates,
    kind: 'quotes',
    everyMs: 15_000,
    weight: 1,
    requests: () => [fundingPage(1)],
    nextPage: nextFundingPage,
  },
  {
    call: tickers,
    kind: 'quotes',
    everyMs: 5_000,
    weight: 1,
    pool: 'md',
    requests: () => [{ method: 'GET', path: '/md/v3/ticker/24hr/all' }],
  },
];

/** Phemex perpetuals margined in USDT and USDC; evidence in VENUE.md. */
export const phemex: VenueAdapter = {
  id: 'phemex',
  displayName: 'Phemex',
  kind: 'cex',
  sourceId: 12,
  takerFeeBps: asBps(6),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Published weights of spot venues, Binance before all others; baskets of shares and unlisted companies hold perpetuals of other venues',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.phemex.com', ws: 'wss://ws.phemex.com' },
  // Documented: 5,000 requests in 5 minutes an address, and 100 a minute for calls of no group. `/md` has no group.
  budget: {
    id: 'api.phemex.com',
    pools: [
      { name: 'default', limit: 100, perMs: 60_000 },
      { name: 'md', limit: 500, perMs: 60_000 },
    ],
  },
  refreshMs: 5_000,
  polls,
  books: phemexBooks(socket, orderbook),
  calls: [
    call('funding-rate-history', /public\/data\/funding-rate-history$/, decodeFundingHistory),
    orderbook,
    socket,
  ],
  backfill: phemexBackfill,
  baseOf,
};
