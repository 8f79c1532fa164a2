import { asBps } from '../../domain/units.ts';
import type { PlanContext, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { fapiBooks } from '../binance-fapi/book-feed.ts';
import { baseOfSymbol } from '../binance-fapi/dialect.ts';
import { fapiPast } from '../binance-fapi/past.ts';
import { ASTER, asterCodec as codec } from './wire.ts';

const get = (path: string): readonly VenueRequest[] => [{ method: 'GET', path }];

function allSymbols(call: VenueCall, path: string, everyMs: number, weight: number): Poll {
  return { call, kind: 'quotes', everyMs, weight, requests: () => get(path) };
}

/** One call per contract, the most traded first. */
function openInterestRequests(plan: PlanContext): readonly VenueRequest[] {
  return plan.instruments.map(({ symbol }) => ({
    method: 'GET',
    path: `/fapi/v3/openInterest?symbol=${encodeURIComponent(symbol)}`,
    symbol,
  }));
}

/** About 1.3 requests a second, most of them open interest: other clients keep to three. */
const polls: readonly Poll[] = [
  {
    call: codec.exchangeInfo,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 1,
    requests: () => get('/fapi/v3/exchangeInfo'),
  },
  allSymbols(codec.fundingInfo, '/fapi/v3/fundingInfo', 120_000, 1),
  allSymbols(codec.premiumIndex, '/fapi/v3/premiumIndex', 10_000, 10),
  allSymbols(codec.bookTicker, '/fapi/v3/ticker/bookTicker', 10_000, 2),
  allSymbols(codec.ticker24h, '/fapi/v3/ticker/24hr', 30_000, 40),
  {
    call: codec.openInterest,
    kind: 'quotes',
    everyMs: 300_000,
    weight: 1,
    requests: openInterestRequests,
    spread: true,
  },
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
  openInterestUnit: 'base units as named (1000PEPE counts blocks of 1000), one side',
  volumeUnit: 'base units as named (1000PEPE counts blocks of 1000), rolling 24 h',
  bases: { rest: 'https://fapi.asterdex.com', ws: 'wss://fstream.asterdex.com' },
  budget: {
    id: 'aster-fapi',
    pools: [{ name: 'default', limit: 2400, perMs: 60_000, usedHeader: 'x-mbx-used-weight-1m' }],
  },
  refreshMs: 10_000,
  polls,
  books: fapiBooks(codec, { path: '/stream', depth: '/fapi/v3/depth', silenceMs: 30_000, share: 0.3 }),
  calls: [codec.depth, codec.fundingHistory, codec.markKlines, codec.hourKlines, codec.stream],
  past: fapiPast({ prefix: '/fapi/v3' }),
  baseOf: (symbol) => baseOfSymbol(symbol, ASTER),
};
