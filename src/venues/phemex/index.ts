import { isWire, readNumber, wireArray } from '../../domain/read.ts';
import { asBps } from '../../domain/units.ts';
import type { Poll, VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, get, poll } from '../grammar/calls.ts';
import { requestParam } from '../request-param.ts';
import { frames, orderbook, phemexBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingHistory,
  decodeFundingRates,
  decodeProducts,
  decodeTickers,
  PUBLISHED,
} from './wire.ts';

const products = endpoint('/public/products', decodeProducts, { alsoAt: ['/public/products-plus'] });
const fundingRates = endpoint('/contract-biz/public/real-funding-rates', decodeFundingRates);
const tickers = endpoint('/md/v3/ticker/24hr/all', decodeTickers, {
  name: 'ticker/24hr',
  alsoAt: ['/md/v3/ticker/24hr', '/md/ticker/24hr', '/md/ticker/24hr/all'],
});
const fundingHistory = endpoint('/api-data/public/data/funding-rate-history', decodeFundingHistory);

/** Rows on one page of the funding call; without the parameter a page has 20. */
const PAGE_SIZE = 200;

/** The page behind the one just read, while the stated total promises one. */
const nextFundingPage: Poll['nextPage'] = (payload, request) => {
  const data = isWire(payload) && isWire(payload.data) ? payload.data : undefined;
  const total = readNumber(data?.total);
  const rows = wireArray(data?.rows)?.length ?? 0;
  const page = Number(requestParam(request, 'pageNum') ?? '1');
  if (total === undefined || rows === 0 || page * PAGE_SIZE >= total) return undefined;
  return get(fundingRates, { pageSize: PAGE_SIZE, pageNum: page + 1 });
};

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
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.phemex.com', ws: 'wss://ws.phemex.com' },
  heartbeat: {
    pingMs: { atLeast: 5_000, atMost: 20_000 },
    source:
      'phemex-docs.github.io: a ping every 5 to 20 s; probes of 2026-09: 31 s without one end the connection',
  },
  // Documented: 5,000 requests in 5 minutes an address, and 100 a minute for calls of no group. `/md` has no group.
  budget: {
    id: 'api.phemex.com',
    pools: [
      { name: 'default', limit: 100, perMs: 60_000 },
      { name: 'md', limit: 500, perMs: 60_000 },
    ],
  },
  refreshMs: 5_000,
  polls: [
    // 2.5 MB with all that was ever listed: contracts come and go far less often than this.
    poll('instruments', products, { everyMs: 600_000, normalBytes: 3_000_000 }),
    poll('quotes', fundingRates, {
      everyMs: 15_000,
      query: { pageSize: PAGE_SIZE },
      nextPage: nextFundingPage,
    }),
    poll('quotes', tickers, { everyMs: 5_000, pool: 'md' }),
  ],
  books: phemexBooks,
  calls: [fundingHistory, orderbook, frames],
  // https://phemex-docs.github.io: the rate has a symbol of its own.
  backfill: [
    backfill('funding', fundingHistory, {
      points: 100,
      query: ({ symbol }, from, to) => ({ symbol: `.${symbol}FR8H`, start: from, end: to - 1, limit: 100 }),
    }),
  ],
  second: {
    ways: [],
    missing: 'Rate, mark, index, open interest and volume: the calls that state them serve the row.',
  },
  baseOf,
};
