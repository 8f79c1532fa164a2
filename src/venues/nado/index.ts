import type { VenueAdapter } from '../adapter.ts';
import type { Decoder } from '../call.ts';
import { endpoint, poll, seconds, secondWayByPost } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { frames, liquidity, nadoBooks, orderbook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeContractList,
  decodeFundingHistory,
  decodeMetrics,
  decodePerpPrices,
  decodeRates,
  PUBLISHED,
  TAKER_FEE,
} from './wire.ts';

const symbols = endpoint('/v1/query', decodeContractList, {
  name: 'symbols',
  answers: (query) => query.get('type') === 'symbols',
});
const contracts = endpoint('/v2/contracts', decodeMetrics, {
  name: 'v2/contracts',
  base: 'archive',
  alsoAt: ['/v2/tickers'],
});

/** A query of the archive, which all go to one address. */
const query = (name: string, decode: Decoder) =>
  endpoint('/v1', decode, {
    name,
    base: 'archive',
    answers: (_, body) => body?.includes(`"${name}"`) === true,
  });
const fundingHistory = query('funding_rate_history', decodeFundingHistory);
const fundingRates = query('funding_rates', decodeRates);
const perpPrices = query('perp_prices', decodePerpPrices);

const TWO = { weight: 2 };

/** Nado on Ink: hourly payments of a rate stated per day; evidence in VENUE.md. */
export const nado: VenueAdapter = {
  id: 'nado',
  displayName: 'Nado',
  kind: 'dex',
  sourceId: 116,
  takerFeeBps: TAKER_FEE,
  hasIndex: true,
  index: {
    family: 'nado-oracle',
    description: 'oracle prices pushed to the sequencer; provider not published',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://api.prod.nado.xyz/gateway',
    archive: 'https://api.prod.nado.xyz/archive',
    ws: 'wss://api.prod.nado.xyz/gateway',
  },
  heartbeat: { pingMs: { atMost: 30_000 }, source: 'docs.nado.xyz: a ping every 30 s' },
  budget: { id: 'prod.nado.xyz', pools: [{ name: 'default', limit: 400, perMs: 10_000 }] },
  refreshMs: 5000,
  polls: [
    poll('instruments', symbols, {
      everyMs: 120_000,
      weight: 2,
      query: { type: 'symbols', product_type: 'perp' },
    }),
    poll('quotes', contracts, { everyMs: 5000 }),
  ],
  books: nadoBooks,
  calls: [fundingHistory, fundingRates, perpPrices, orderbook, liquidity, frames],
  second: {
    ways: [
      secondWayByPost(
        fundingRates,
        ({ altId }) => ({ funding_rates: { product_ids: [Number(altId)] } }),
        TWO,
      ),
      secondWayByPost(perpPrices, ({ altId }) => ({ perp_prices: { product_ids: [Number(altId)] } }), TWO),
      secondWayByPost(
        fundingHistory,
        ({ altId = '' }, now) => ({
          funding_rate_history: { product_id: Number(altId), end_time: seconds(now), limit: SECOND_PAYMENTS },
        }),
        { weight: Math.ceil(2 + SECOND_PAYMENTS / 100) },
      ),
    ],
    missing: 'Open interest and volume: one call states them both.',
  },
  baseOf,
};
