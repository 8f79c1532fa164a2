import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, get, poll, secondWay } from '../grammar/calls.ts';
import { dydxBooks, frames, orderbooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { decodePremiums } from './chain.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import { baseOf, decodeCandles, decodeFunding, decodeMarkets, decodeSilent, PUBLISHED } from './wire.ts';

const markets = endpoint('/v4/perpetualMarkets', decodeMarkets);
const funding = endpoint('/v4/historicalFunding/*', decodeFunding, { alsoAt: ['/v4/historicalFunding'] });

const candles = endpoint('/v4/candles/perpetualMarkets/*', decodeCandles, {
  name: 'candles',
  alsoAt: ['/v4/candles/perpetualMarkets'],
});

/**
 * Inputs of the indexer's estimate, from a node of the chain: samples by number, markets by number and name.
 */
const samples = endpoint('/dydxprotocol/perpetuals/premium_samples', decodePremiums, {
  name: 'premium_samples, perpetual',
  base: 'chain',
  alsoAt: ['/dydxprotocol/perpetuals/perpetual'],
});
const perpetuals = get(
  { ...samples, path: '/dydxprotocol/perpetuals/perpetual' },
  { 'pagination.limit': 1000 },
);

/** dYdX (v4 chain): one oracle price, which is the mark; there is no index besides. */
export const dydx: VenueAdapter = {
  id: 'dydx',
  displayName: 'dYdX',
  kind: 'dex',
  sourceId: 108,
  takerFeeBps: asBps(5),
  hasIndex: false,
  index: {
    family: 'validator-cex-basket',
    description:
      'Stake-weighted median over validators of medians of spot prices on large exchanges; it is the mark price itself',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://indexer.dydx.trade',
    ws: 'wss://indexer.dydx.trade',
    chain: 'https://dydx-ops-rest.kingnodes.com',
  },
  heartbeat: { source: 'dydxprotocol/v4-chain, socks: the server pings every 30 s by the protocol' },
  budget: {
    id: 'dydx',
    pools: [
      { name: 'default', limit: 100, perMs: 10_000 },
      { name: 'chain', limit: 250, perMs: 60_000 },
    ],
    // The indexer's limiter writes milliseconds.
    retryAfterUnit: 'milliseconds',
  },
  refreshMs: 5000,
  polls: [poll('instruments', markets, { everyMs: 300_000 }), poll('quotes', markets, { everyMs: 5000 })],
  calls: [
    frames,
    orderbooks,
    funding,
    candles,
    samples,
    endpoint('/v4/time', decodeSilent, { name: 'time, height', alsoAt: ['/v4/height'] }),
  ],
  books: dydxBooks,
  // https://docs.dydx.xyz/indexer-client: newest first, up to a time.
  backfill: [
    backfill('funding', funding, {
      points: 100,
      takesOnly: 'to',
      query: (_one, _from, to) => ({ limit: 100, effectiveBeforeOrAt: new Date(to - 1).toISOString() }),
    }),
  ],
  second: {
    ways: [
      secondWay(candles, () => ({ resolution: '1MIN', limit: 2 })),
      secondWay(samples, () => ({}), { beside: perpetuals, pool: 'chain', isBulk: true }),
    ],
    missing: 'Mark and volume: one call states them both. There is no index beside the mark.',
  },
  baseOf,
};
