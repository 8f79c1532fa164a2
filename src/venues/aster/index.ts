import { asBps } from '../../domain/units.ts';
import type { Poll, VenueAdapter } from '../adapter.ts';
import { fapiBackfill } from '../binance-fapi/backfill.ts';
import { fapiBooks } from '../binance-fapi/book-feed.ts';
import { baseOfSymbol } from '../binance-fapi/dialect.ts';
import { allSymbols, contractList, eachSymbol } from '../binance-fapi/polls.ts';
import { PUBLISHED } from './published.ts';
import { ASTER, asterCodec as codec } from './wire.ts';

/** About 1.3 requests a second, most of them open interest: other clients keep to three. */
const polls: readonly Poll[] = [
  contractList(codec.exchangeInfo, '/fapi/v3/exchangeInfo'),
  allSymbols(codec.fundingInfo, '/fapi/v3/fundingInfo', 120_000, 1),
  allSymbols(codec.premiumIndex, '/fapi/v3/premiumIndex', 10_000, 10),
  allSymbols(codec.bookTicker, '/fapi/v3/ticker/bookTicker', 10_000, 2),
  allSymbols(codec.ticker24h, '/fapi/v3/ticker/24hr', 30_000, 40),
  eachSymbol(codec.openInterest, '/fapi/v3/openInterest', 300_000),
];

export const aster: VenueAdapter = {
  id: 'aster',
  displayName: 'Aster',
  kind: 'dex',
  sourceId: 106,
  takerFeeBps: asBps(4),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: "Weighted basket of spot exchanges, nearly the weights of Binance's own index",
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://fapi.asterdex.com', ws: 'wss://fstream.asterdex.com' },
  budget: {
    id: 'aster-fapi',
    pools: [{ name: 'default', limit: 2400, perMs: 60_000, usedHeader: 'x-mbx-used-weight-1m' }],
  },
  refreshMs: 10_000,
  polls,
  books: fapiBooks(codec, { path: '/stream', depth: '/fapi/v3/depth', silenceMs: 30_000, budgetShare: 0.3 }),
  calls: [codec.depth, codec.fundingHistory, codec.markKlines, codec.hourKlines, codec.stream],
  backfill: fapiBackfill({ prefix: '/fapi/v3' }),
  baseOf: (symbol) => baseOfSymbol(symbol, ASTER),
};
