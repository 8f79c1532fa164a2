import { emptyDecoded } from '../../domain/decoded.ts';
import { asBps } from '../../domain/units.ts';
import type { Decoder, VenueAdapter, VenueCall } from '../adapter.ts';
import { paradexBooks } from './book-feed.ts';
import { decodeBook } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeCandles, decodeFundingData } from './history.ts';
import { decodeMarkets } from './markets.ts';
import { PUBLISHED } from './published.ts';
import { decodeSummary, readBestPrices } from './summary.ts';
import { baseOfSymbol, errorBody } from './wire.ts';

const LISTING_EVERY_MS = 600_000;
const QUOTES_EVERY_MS = 10_000;

function restCall(name: string, path: RegExp, decode: Decoder): VenueCall {
  return { name, matches: (ref) => path.test(ref.path), decode };
}

const markets = restCall('markets', /(^|\/)markets\/?$/, decodeMarkets);
const summary = restCall('markets/summary', /(^|\/)markets\/summary\/?$/, decodeSummary);

const bestPrices = restCall('bbo', /(^|\/)bbo\/[^/]+(\/interactive)?\/?$/, (payload, context) => {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  if (error !== undefined) decoded.rejects.push(error);
  else readBestPrices(payload, context, decoded);
  return decoded;
});

/** Frames by channel, however it is written: `order_book.X.snapshot@15@100ms`, a subscription. */
const frames: VenueCall = {
  name: 'order_book, markets_summary, funding_data, bbo',
  matches: (ref) =>
    /(^|["\s,;])(order_book|bbo)\.|(^|["\s,;])(markets_summary|funding_data)\b/.test(ref.raw) ||
    /^wss:.*\/v1\/?$/.test(ref.raw),
  decode: decodeFrame,
};

const orderbook = restCall('orderbook', /(^|\/)orderbook\/[^/]+(\/interactive)?\/?$/, decodeBook);

/** Time, state and private paths: nothing of ours in them; their error bodies are still told. */
const silent: VenueCall = {
  name: 'system, config',
  matches: (ref) => /(^|\/)(system\/(time|state|config)|config)\/?$/.test(ref.path),
  decode: (payload) => {
    const error = errorBody(payload);
    return error === undefined ? emptyDecoded() : { ...emptyDecoded(), rejects: [error] };
  },
};

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
  bases: { rest: 'https://api.prod.paradex.trade', ws: 'wss://ws-public.api.prod.paradex.trade' },
  budget: { id: 'paradex', pools: [{ name: 'default', limit: 1500, perMs: 60_000 }] },
  refreshMs: QUOTES_EVERY_MS,
  polls: [
    {
      call: markets,
      kind: 'instruments',
      everyMs: LISTING_EVERY_MS,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/v1/markets' }],
    },
    {
      call: summary,
      kind: 'quotes',
      everyMs: QUOTES_EVERY_MS,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/v1/markets/summary?market=ALL' }],
    },
  ],
  calls: [
    orderbook,
    bestPrices,
    restCall('funding/data', /(^|\/)funding\/data\/?$/, decodeFundingData),
    restCall('markets/klines', /(^|\/)markets\/klines\/?$/, decodeCandles),
    frames,
    silent,
  ],
  books: paradexBooks(frames, orderbook),
  baseOf: baseOfSymbol,
};
