import { asBps } from '../../domain/units.ts';
import type { PlanContext, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { hibachiBooks } from './book-feed.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeExchangeInfo,
  decodeFrame,
  decodeFundingRates,
  decodeOpenInterest,
  decodeOrderbook,
  decodePrices,
  decodeStats,
} from './wire.ts';

function data(name: string, decode: VenueCall['decode']): VenueCall {
  return { name, matches: matchesPath(new RegExp(`/market/data/${name}$`)), decode };
}

const exchangeInfo: VenueCall = {
  name: 'exchange-info',
  matches: matchesPath(/\/market\/exchange-info$/),
  decode: decodeExchangeInfo,
};

const perSymbol =
  (name: string) =>
  (plan: PlanContext): readonly VenueRequest[] =>
    plan.instruments.map(({ symbol }) => ({
      method: 'GET',
      path: `/market/data/${name}?symbol=${encodeURIComponent(symbol)}`,
      symbol,
    }));

const poll = (call: VenueCall, everyMs: number) =>
  ({ call, kind: 'quotes', everyMs, weight: 1, spread: true, requests: perSymbol(call.name) }) as const;

const orderbook = data('orderbook', decodeOrderbook);

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(/"topic"|ws\/market|^orderbook\b/),
  decode: decodeFrame,
};

/** Hibachi: three calls a contract, few contracts; the interval is read from settlements. Evidence in VENUE.md. */
export const hibachi: VenueAdapter = {
  id: 'hibachi',
  displayName: 'Hibachi',
  kind: 'dex',
  sourceId: 118,
  takerFeeBps: asBps(4.5),
  hasIndex: true,
  index: { family: 'hibachi-spot', description: 'spot price, source not published', evidence: 'unknown' },
  ...PUBLISHED,
  bases: { rest: 'https://data-api.hibachi.xyz', ws: 'wss://data-api.hibachi.xyz' },
  // No figure is published; a public client spaces its calls by 100 ms.
  budget: { id: 'data-api.hibachi.xyz', pools: [{ name: 'default', limit: 10, perMs: 1000 }] },
  refreshMs: 10_000,
  polls: [
    {
      call: exchangeInfo,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/market/exchange-info' }],
    },
    poll(data('prices', decodePrices), 10_000),
    poll(data('open-interest', decodeOpenInterest), 60_000),
    poll(data('stats', decodeStats), 60_000),
    poll(data('funding-rates', decodeFundingRates), 900_000),
  ],
  books: hibachiBooks(frame, orderbook),
  calls: [orderbook, frame],
  baseOf,
};
