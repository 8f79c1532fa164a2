import { asBps } from '../../domain/units.ts';
import type { Poll, VenueAdapter } from '../adapter.ts';
import { fapiBooks } from '../binance-fapi/book-feed.ts';
import { baseOfSymbol } from '../binance-fapi/dialect.ts';
import { allSymbols, contractList, eachSymbol } from '../binance-fapi/polls.ts';
import { binanceBackfill } from './backfill.ts';
import { PUBLISHED } from './published.ts';
import { BINANCE, binanceCodec as codec } from './wire.ts';

/** Settled rates and the funding table have a limit of their own. */
const FUNDING_POOL = 'funding';

/** Weight a minute: 120 marks + 60 tops + 160 volumes + about 600 open interest (740 contracts) of 2400. */
const polls: readonly Poll[] = [
  contractList(codec.exchangeInfo, '/fapi/v1/exchangeInfo'),
  { ...allSymbols(codec.fundingInfo, '/fapi/v1/fundingInfo', 60_000, 1), pool: FUNDING_POOL },
  allSymbols(codec.premiumIndex, '/fapi/v1/premiumIndex', 5_000, 10),
  allSymbols(codec.bookTicker, '/fapi/v1/ticker/bookTicker', 5_000, 5),
  allSymbols(codec.ticker24h, '/fapi/v1/ticker/24hr', 15_000, 40),
  eachSymbol(codec.openInterest, '/fapi/v1/openInterest', 75_000),
];

export const binance: VenueAdapter = {
  id: 'binance',
  displayName: 'Binance',
  kind: 'cex',
  sourceId: 1,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'Weighted basket of spot exchanges, Binance itself the heaviest; listed per symbol',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://fapi.binance.com', ws: 'wss://fstream.binance.com' },
  budget: {
    id: 'binance-fapi',
    pools: [
      { name: 'default', limit: 2400, perMs: 60_000, usedHeader: 'x-mbx-used-weight-1m' },
      { name: FUNDING_POOL, limit: 500, perMs: 300_000 },
      { name: 'data', limit: 1000, perMs: 300_000 },
    ],
  },
  refreshMs: 5_000,
  polls,
  books: fapiBooks(codec, {
    path: '/public/stream',
    depth: '/fapi/v1/depth',
    silenceMs: 15_000,
    budgetShare: 0.45,
  }),
  calls: [
    codec.depth,
    codec.fundingHistory,
    codec.openInterestHistory,
    codec.markKlines,
    codec.hourKlines,
    codec.stream,
  ],
  backfill: binanceBackfill,
  baseOf: (symbol) => baseOfSymbol(symbol, BINANCE),
};
