import type { IndexSource, VenueId } from '../../domain/venue.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { Budget, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import type { BackfillEndpoint } from '../backfill-endpoint.ts';
import { hyperliquidBooks } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { anyInfoCall, INFO_TYPES, infoCall, silentCall } from './info.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import { BASE_TAKER_BPS, type DexName, liveDexes, PUBLISHED, symbolsOf, venueIdOf } from './wire.ts';

/** One limit for the main dex and all builder-deployed ones: 1,200 weight a minute and address. */
const BUDGET: Budget = {
  id: 'hyperliquid',
  pools: [{ name: 'default', limit: 1200, perMs: 60_000 }],
};

const INFO_WEIGHT = 20;
const MAIN_EVERY_MS = 6000;
const DEX_EVERY_MS = 15_000;
/** All dexes together are asked 20 times a minute at most. */
const MS_PER_DEX = 3000;
const LISTING_EVERY_MS = 300_000;
/** Parts of the one limit that books may use. */
const MAIN_BOOK_SHARE = 0.15;
const DEX_BOOK_SHARE = 0.04;
const DISCOVERY_EVERY_MS = 3_600_000;

/** Builder-deployed dexes with a fixed number. Others get a stored one when they are found. */
const KNOWN_DEXES: ReadonlyMap<DexName, { readonly sourceId: number; readonly fullName: string }> = new Map([
  ['xyz', { sourceId: 102, fullName: 'XYZ' }],
  ['para', { sourceId: 103, fullName: 'Paragon' }],
  ['io', { sourceId: 104, fullName: 'EntropyIO' }],
  ['mkts', { sourceId: 105, fullName: 'Markets by Kinetiq (mkts)' }],
  ['flx', { sourceId: 119, fullName: 'Felix' }],
  ['vntl', { sourceId: 120, fullName: 'Ventuals' }],
  ['hyna', { sourceId: 121, fullName: 'HyENA' }],
  ['km', { sourceId: 122, fullName: 'Markets by Kinetiq (km)' }],
  ['cash', { sourceId: 123, fullName: 'dreamcash' }],
  ['abcd', { sourceId: 124, fullName: 'ABCDEx' }],
]);

/** A read at `POST /info`; the main dex is asked without a name. */
function info(type: string, dex: DexName = ''): VenueRequest {
  const body = dex === '' ? { type } : { type, dex };
  return { method: 'POST', path: '/info', body: JSON.stringify(body), weight: INFO_WEIGHT };
}

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs: payments of every hour, 500 an answer, oldest first; 20 weight and one
 * more for every 20 rows, so that short answers leave more to others.
 */
const fundingHistory = (call: VenueCall): BackfillEndpoint => ({
  call,
  kind: 'funding',
  points: 200,
  stepMs: HOUR_MS,
  weight: 30,
  request: ({ symbol }, from, to) => ({
    method: 'POST',
    path: '/info',
    body: JSON.stringify({ type: 'fundingHistory', coin: symbol, startTime: from, endTime: to - 1 }),
    symbol,
  }),
});

const pollOf = (kind: Poll['kind'], type: string, dex: DexName, everyMs: number): Poll => ({
  call: infoCall(type, dex),
  kind,
  everyMs,
  weight: INFO_WEIGHT,
  requests: () => [info(type, dex)],
});

/** Addresses, limits, units and calls that are the same on every dex. */
function sharedParts(dex: DexName, everyMs: number) {
  const call = (type: string): VenueCall => infoCall(type, dex);
  const polled = ['meta', 'metaAndAssetCtxs'];
  return {
    bases: { rest: 'https://api.hyperliquid.xyz', ws: 'wss://api.hyperliquid.xyz' },
    heartbeat: {
      pingMs: { atMost: 60_000 },
      source:
        'probes of 2026-09 (arbitrage-observatory): a socket without a frame of the server for 60 s ends',
    },
    liveWithout: { fields: ['isDelisted'], why: 'written only where it is true' },
    budget: BUDGET,
    kind: 'dex',
    hasIndex: true,
    ...PUBLISHED,
    stamps: STAMPS,
    fundingBounds: BOUNDS,
    terms: TERMS,
    refreshMs: everyMs,
    polls: [
      pollOf('instruments', 'meta', dex, LISTING_EVERY_MS),
      pollOf('quotes', 'metaAndAssetCtxs', dex, everyMs),
    ],
    books: hyperliquidBooks(call('l2Book'), dex === '' ? MAIN_BOOK_SHARE : DEX_BOOK_SHARE),
    calls: [
      ...INFO_TYPES.filter((type) => !polled.includes(type)).map(call),
      silentCall(dex),
      anyInfoCall(dex),
    ],
    backfill: [fundingHistory(call('fundingHistory'))],
    second: {
      ways: [],
      missing:
        'Rate, mark, index, open interest and volume: one call states them all, and the socket repeats it.',
    },
    baseOf: symbolsOf(dex).baseOf,
  } as const;
}

const VALIDATOR_ORACLE: IndexSource = {
  family: 'validator-cex-basket',
  description:
    'Stake-weighted median over validators of weighted medians of spot mids on Binance, OKX, Bybit, Kraken, KuCoin, Gate, MEXC and Hyperliquid',
  evidence: 'documented',
};

/** The main dex. */
export const hyperliquid: VenueAdapter = {
  id: 'hyperliquid',
  displayName: 'Hyperliquid',
  sourceId: 101,
  takerFeeBps: BASE_TAKER_BPS,
  index: VALIDATOR_ORACLE,
  ...sharedParts('', MAIN_EVERY_MS),
  discovery: {
    everyMs: DISCOVERY_EVERY_MS,
    weight: INFO_WEIGHT,
    request: info('allPerpMetas'),
    adapters: (payload) => {
      const dexes = liveDexes(payload).filter(isDexName);
      return dexes.map((dex) => hyperliquidDex(dex, dexes.length));
    },
  },
};

/**
 * A builder-deployed dex, known or not. Its fee differs by contract and stands there.
 *
 * @param dex lower-case name as in the prefix of its coins
 * @param dexes how many there are: they share one limit
 */
export function hyperliquidDex(dex: DexName, dexes = 1): VenueAdapter {
  const known = KNOWN_DEXES.get(dex);
  return {
    id: venueIdOf(dex),
    displayName: `Hyperliquid ${known?.fullName ?? dex}`,
    ...(known === undefined ? {} : { sourceId: known.sourceId }),
    parent: hyperliquid.id,
    index: {
      family: `deployer-oracle-${dex}`,
      description: `Prices posted by the deployer of ${dex} or its oracle updater; the protocol does not check them`,
      evidence: 'documented',
    },
    ...sharedParts(dex, Math.max(DEX_EVERY_MS, dexes * MS_PER_DEX)),
  };
}

const isDexName = (text: string): boolean => /^[a-z0-9_-]{1,32}$/.test(text);

/** The adapter behind `hyperliquid` or `hyperliquid-<dex>`, for any dex name; undefined for other identifiers. */
export function adapterFor(id: VenueId): VenueAdapter | undefined {
  if (id === hyperliquid.id) return hyperliquid;
  const dex = id.startsWith('hyperliquid-') ? id.slice('hyperliquid-'.length) : '';
  return isDexName(dex) ? hyperliquidDex(dex) : undefined;
}
