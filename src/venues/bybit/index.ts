import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { bybitBackfill } from './backfill.ts';
import { bybitBooks } from './book-feed.ts';
import { baseOfSymbol } from './contract.ts';
import { nextInstrumentPage } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { bybitCalls as calls } from './wire.ts';

export const bybit: VenueAdapter = {
  id: 'bybit',
  displayName: 'Bybit',
  kind: 'cex',
  sourceId: 2,
  takerFeeBps: asBps(5.5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'Weighted basket of spot exchanges, listed per index with price and weight',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.bybit.com', ws: 'wss://stream.bybit.com' },
  budget: { id: 'bybit', pools: [{ name: 'default', limit: 600, perMs: 5_000 }] },
  refreshMs: 5_000,
  polls: [
    {
      call: calls.instruments,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/v5/market/instruments-info?category=linear&limit=1000' }],
      nextPage: nextInstrumentPage,
    },
    {
      call: calls.tickers,
      kind: 'quotes',
      everyMs: 5_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/v5/market/tickers?category=linear' }],
    },
  ],
  books: bybitBooks,
  calls: [
    calls.orderbook,
    calls.fundingHistory,
    calls.openInterestHistory,
    calls.markKlines,
    calls.hourKlines,
    calls.stream,
  ],
  backfill: bybitBackfill,
  baseOf: baseOfSymbol,
};
