import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { nadoBooks } from './book-feed.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeContractList,
  decodeContracts,
  decodeFrame,
  decodeFundingHistory,
  decodeLiquidity,
  decodeOrderbook,
} from './wire.ts';

const metrics: VenueCall = {
  name: 'v2/contracts',
  matches: matchesPath(/\/v2\/(contracts|tickers)$/),
  decode: (payload, context) => {
    const quotes = decodeContracts(payload, context);
    return context.instruments.size > 0
      ? quotes
      : { ...quotes, instruments: decodeContractList(payload).instruments };
  },
};

const list: VenueCall = { name: 'v2/contracts list', matches: () => false, decode: decodeContractList };

const contractsRequest = { method: 'GET', path: '/v2/contracts', base: 'archive' } as const;

const liquidity: VenueCall = {
  name: 'market_liquidity',
  matches: ({ query }) => query.get('type') === 'market_liquidity',
  decode: decodeLiquidity,
};

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(/book_depth|best_bid_offer|all_bbo|v1\/subscribe/),
  decode: decodeFrame,
};

/** Nado on Ink: hourly payments of a rate stated per day; evidence in VENUE.md. */
export const nado: VenueAdapter = {
  id: 'nado',
  displayName: 'Nado',
  kind: 'dex',
  sourceId: 116,
  takerFeeBps: asBps(3.5),
  hasIndex: true,
  index: {
    family: 'nado-oracle',
    description: 'oracle prices pushed to the sequencer; provider not published',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  bases: {
    rest: 'https://api.prod.nado.xyz/gateway',
    archive: 'https://api.prod.nado.xyz/archive',
    ws: 'wss://api.prod.nado.xyz/gateway',
  },
  budget: { id: 'prod.nado.xyz', pools: [{ name: 'default', limit: 2400, perMs: 60_000 }] },
  refreshMs: 5000,
  polls: [
    {
      call: list,
      kind: 'instruments',
      everyMs: 120_000,
      weight: 1,
      requests: () => [contractsRequest],
    },
    { call: metrics, kind: 'quotes', everyMs: 5000, weight: 1, requests: () => [contractsRequest] },
  ],
  books: nadoBooks(frame, liquidity),
  calls: [
    {
      name: 'funding_rate_history',
      matches: (ref) => /"funding_rate_history"/.test(ref.body ?? ref.raw),
      decode: decodeFundingHistory,
    },
    { name: 'v2/orderbook', matches: matchesPath(/\/v2\/orderbook$/), decode: decodeOrderbook },
    liquidity,
    frame,
  ],
  baseOf,
};
