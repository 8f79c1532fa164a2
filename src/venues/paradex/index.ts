import { asBps } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { frames, orderbook, paradexBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeBestPrices,
  decodeCandles,
  decodeErrors,
  decodeFundingData,
  decodeMarkets,
  decodeSummary,
  PUBLISHED,
} from './wire.ts';

const summary = endpoint('/v1/markets/summary', decodeSummary, { name: 'markets/summary' });
const fundingData = endpoint('/v1/funding/data', decodeFundingData, { name: 'funding/data' });
const candles = endpoint('/v1/markets/klines', decodeCandles, { name: 'markets/klines' });

/** Paradex: funding accrues every second, so there is no time of a next payment. */
export const paradex: VenueAdapter = {
  id: 'paradex',
  displayName: 'Paradex',
  kind: 'dex',
  sourceId: 109,
  takerFeeBps: asBps(4.5),
  hasIndex: true,
  index: {
    family: 'pyth-stork',
    description:
      'Pyth and Stork spot prices; for assets of traditional markets a weighted median with index prices of other venues',
    evidence: 'documented',
  },
  continuousFunding: true,
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.prod.paradex.trade', ws: 'wss://ws-public.api.prod.paradex.trade' },
  heartbeat: { pingMs: { atMost: 60_000 }, source: 'no period is published: as other venues' },
  liveWithout: { fields: ['trading_mode'], why: 'rows of 2024 have none' },
  budget: { id: 'paradex', pools: [{ name: 'default', limit: 1500, perMs: 60_000 }] },
  refreshMs: 10_000,
  polls: [
    poll('instruments', endpoint('/v1/markets', decodeMarkets), { everyMs: 600_000 }),
    poll('quotes', summary, { everyMs: 10_000, query: { market: 'ALL' } }),
  ],
  calls: [
    orderbook,
    endpoint('/v1/bbo/*', decodeBestPrices, { alsoAt: ['/v1/bbo/*/interactive'] }),
    fundingData,
    candles,
    frames,
    // Time, state and private paths: nothing of ours in them.
    endpoint('/v1/system/config', decodeErrors, {
      name: 'system, config',
      alsoAt: ['/v1/system/time', '/v1/system/state', '/v1/config'],
    }),
  ],
  books: paradexBooks,
  second: {
    ways: [
      secondWay(fundingData, ({ symbol }) => ({ market: symbol, page_size: 1 })),
      secondWay(candles, ({ symbol }, now) => ({
        symbol,
        resolution: 1,
        price_kind: 'mark',
        start_at: now - 3 * MINUTE_MS,
        end_at: now,
      })),
      secondWay(candles, ({ symbol }, now) => ({
        symbol,
        resolution: 1,
        price_kind: 'underlying',
        start_at: now - 3 * MINUTE_MS,
        end_at: now,
      })),
    ],
    missing: 'Open interest and volume: one call states both.',
  },
  baseOf,
};
