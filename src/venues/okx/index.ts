import { asBps } from '../../domain/units.ts';
import type { BudgetPool, Poll, VenueAdapter, VenueCall } from '../adapter.ts';
import { okxBackfill } from './backfill.ts';
import { okxBooks } from './book-feed.ts';
import { baseOfSymbol } from './contract.ts';
import { PUBLISHED } from './published.ts';
import { okxCalls as calls } from './wire.ts';

/** Limits are per endpoint: requests in two seconds, by pool. */
const LIMITS: Readonly<Record<string, number>> = {
  instruments: 20,
  'funding-rate': 10,
  'mark-price': 10,
  'index-tickers': 20,
  'open-interest': 20,
  tickers: 20,
  books: 40,
  'funding-rate-history': 10,
  'history-mark-price-candles': 10,
  'history-candles': 20,
  'open-interest-history': 10,
};

const pools: readonly BudgetPool[] = Object.entries(LIMITS).map(([name, limit]) => ({
  name,
  limit,
  perMs: 2_000,
}));

function poll(call: VenueCall, pool: string, everyMs: number, ...paths: readonly string[]): Poll {
  return {
    call,
    kind: pool === 'instruments' ? 'instruments' : 'quotes',
    everyMs,
    weight: 1,
    pool,
    requests: () => paths.map((path) => ({ method: 'GET', path: `/api/v5/${path}` })),
  };
}

export const okx: VenueAdapter = {
  id: 'okx',
  displayName: 'OKX',
  kind: 'cex',
  sourceId: 3,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'Weighted basket of at least three spot exchanges, outliers clamped; listed per index',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://www.okx.com', ws: 'wss://ws.okx.com:8443' },
  budget: { id: 'okx', pools },
  refreshMs: 5_000,
  polls: [
    poll(calls.instruments, 'instruments', 300_000, 'public/instruments?instType=SWAP'),
    poll(calls.markPrice, 'mark-price', 5_000, 'public/mark-price?instType=SWAP'),
    poll(calls.fundingRate, 'funding-rate', 5_000, 'public/funding-rate?instId=ANY'),
    poll(
      calls.indexTickers,
      'index-tickers',
      5_000,
      'market/index-tickers?quoteCcy=USDT',
      'market/index-tickers?quoteCcy=USDC',
      'market/index-tickers?quoteCcy=USD',
    ),
    poll(calls.tickers, 'tickers', 5_000, 'market/tickers?instType=SWAP'),
    poll(calls.openInterest, 'open-interest', 10_000, 'public/open-interest?instType=SWAP'),
  ],
  books: okxBooks,
  calls: [
    calls.books,
    calls.fundingHistory,
    calls.markCandles,
    calls.hourCandles,
    calls.openInterestHistory,
    calls.coinTotals,
    calls.stream,
  ],
  backfill: okxBackfill,
  baseOf: baseOfSymbol,
};
