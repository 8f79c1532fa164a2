import { emptyDecoded } from '../../domain/decoded.ts';
import { asBps } from '../../domain/units.ts';
import type { Decoder, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { dydxBackfill } from './backfill.ts';
import { dydxBooks } from './book-feed.ts';
import { decodeBook } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeCandles, decodeFunding } from './history.ts';
import { decodeMarkets } from './markets.ts';
import { PUBLISHED } from './published.ts';
import { baseOfTicker, errorBody } from './wire.ts';

const LISTING_EVERY_MS = 300_000;
const QUOTES_EVERY_MS = 5000;

function restCall(name: string, path: RegExp, decode: Decoder): VenueCall {
  return { name, matches: (ref) => path.test(ref.path), decode };
}

const markets = restCall('perpetualMarkets', /(^|\/)perpetualMarkets\/?$/, decodeMarkets);

const MARKETS: VenueRequest = { method: 'GET', path: '/v4/perpetualMarkets' };

/** Frames by channel, however it is written: `v4_markets`, a subscription, the socket's address. */
const frames: VenueCall = {
  name: 'v4_markets, v4_orderbook',
  matches: (ref) => /\bv4_(markets|orderbook)\b/.test(ref.raw) || /\/v4\/ws\/?$/.test(ref.path),
  decode: decodeFrame,
};

const orderbooks = restCall('orderbooks', /(^|\/)orderbooks\/perpetualMarket\/[^/]+\/?$/, decodeBook);

/** The server's time and height: nothing of ours in them; their error bodies are still told. */
const silent: VenueCall = {
  name: 'time, height',
  matches: (ref) => /(^|\/)(time|height)\/?$/.test(ref.path),
  decode: (payload) => {
    const error = errorBody(payload);
    return error === undefined ? emptyDecoded() : { ...emptyDecoded(), rejects: [error] };
  },
};

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
  bases: { rest: 'https://indexer.dydx.trade', ws: 'wss://indexer.dydx.trade' },
  budget: {
    id: 'dydx',
    pools: [{ name: 'default', limit: 100, perMs: 10_000 }],
    // The indexer's limiter writes milliseconds.
    retryAfterUnit: 'milliseconds',
  },
  refreshMs: QUOTES_EVERY_MS,
  polls: [
    {
      call: markets,
      kind: 'instruments',
      everyMs: LISTING_EVERY_MS,
      weight: 1,
      requests: () => [MARKETS],
    },
    { call: markets, kind: 'quotes', everyMs: QUOTES_EVERY_MS, weight: 1, requests: () => [MARKETS] },
  ],
  calls: [
    frames,
    orderbooks,
    restCall('historicalFunding', /(^|\/)historicalFunding(\/[^/]+)?\/?$/, decodeFunding),
    restCall('candles', /(^|\/)candles\/perpetualMarkets(\/[^/]+)?\/?$/, decodeCandles),
    silent,
  ],
  books: dydxBooks(frames, orderbooks),
  backfill: dydxBackfill,
  baseOf: (symbol) => {
    const base = baseOfTicker(symbol);
    return base === undefined ? undefined : base.split(',', 1)[0] || base;
  },
};
