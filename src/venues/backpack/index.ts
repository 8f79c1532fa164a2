import { asBps } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, get, poll, seconds } from '../grammar/calls.ts';
import { backpackBooks, depth, frames } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingRates,
  decodeKlines,
  decodeMarkets,
  decodeMarkPrices,
  decodeOpenInterest,
  decodeTickers,
  PUBLISHED,
} from './wire.ts';

const API = '/api/v1';
const markets = endpoint(`${API}/markets`, decodeMarkets, { alsoAt: [`${API}/market`] });
const markPrices = endpoint(`${API}/markPrices`, decodeMarkPrices);
const tickers = endpoint(`${API}/tickers`, decodeTickers, { alsoAt: [`${API}/ticker`] });
const fundingRates = endpoint(`${API}/fundingRates`, decodeFundingRates);
const klines = endpoint(`${API}/klines`, decodeKlines);
/** Payments that one answer has at most: six weeks of hourly ones. */
const PAGE = 1000;

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
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.backpack.exchange', ws: 'wss://ws.backpack.exchange' },
  heartbeat: { source: 'docs.backpack.exchange: the server pings each minute by the protocol' },
  // No figure is published; five a second were never refused.
  budget: { id: 'api.backpack.exchange', pools: [{ name: 'default', limit: 50, perMs: 10_000 }] },
  refreshMs: 5_000,
  polls: [
    poll('instruments', markets, { everyMs: 300_000, query: { marketType: 'PERP' } }),
    {
      ...poll('quotes', markPrices, { everyMs: 5_000 }),
      // While the origin fails, its cache serves rows of up to an hour ago, and they carry no stamp. Every query has
      // an entry of its own there, so one that was never asked before is answered by the origin or fails.
      requests: ({ now }) => [get(markPrices, { _: now })],
    },
    poll('quotes', tickers, { everyMs: 10_000 }),
    poll('quotes', endpoint(`${API}/openInterest`, decodeOpenInterest), { everyMs: 15_000 }),
  ],
  books: backpackBooks,
  calls: [fundingRates, klines, depth, frames],
  // https://docs.backpack.exchange: payments newest first, by offset.
  backfill: [
    backfill('funding', fundingRates, {
      points: PAGE,
      pages: 20,
      query: ({ symbol }, _from, _to, page, size) => ({ symbol, limit: size, offset: (page - 1) * size }),
    }),
    backfill('mark', klines, {
      points: 1000,
      stepMs: HOUR_MS,
      query: ({ symbol }, from, to) => ({
        symbol,
        interval: '1h',
        startTime: seconds(from),
        endTime: seconds(to) - 1,
        priceType: 'MarkPrice',
      }),
    }),
  ],
  second: {
    ways: [],
    missing: 'Rate, index, open interest and volume: one call states each of them.',
  },
  baseOf,
};
