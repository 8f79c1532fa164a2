import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire } from '../../domain/read.ts';
import { asBps } from '../../domain/units.ts';
import type { Decoder, Stream, VenueAdapter, VenueCall } from '../adapter.ts';
import { lighterBooks } from './book-feed.ts';
import { decodeOrders } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeFundings, decodeRates } from './funding.ts';
import { decodeMarkets } from './markets.ts';
import { PUBLISHED } from './published.ts';
import { errorBody } from './wire.ts';

const LISTING_EVERY_MS = 300_000;
const REFRESH_MS = 10_000;

/** A REST call by the last part of its path. */
function restCall(name: string, decode: Decoder): VenueCall {
  const path = new RegExp(`(^|/)${name}/?$`);
  return { name, matches: (ref) => path.test(ref.path), decode };
}

const markets = restCall('orderBookDetails', decodeMarkets);
const orders = restCall('orderBookOrders', decodeOrders);

/** Frames by channel, however it is written: `order_book/1`, `market_stats:all`, `ticker/1`, a subscription. */
const frames: VenueCall = {
  name: 'market_stats, order_book, ticker',
  matches: (ref) =>
    /(^|["\s,;])(market_stats|order_book|ticker)([/:]|$)/.test(ref.raw) || /\/stream$/.test(ref.path),
  decode: decodeFrame,
};

/** Last-price candles and the server's time: nothing of ours in them; their error bodies are still told. */
const silent: VenueCall = {
  name: 'candles, status',
  matches: (ref) => /(^|\/)candles\/?$/.test(ref.path) || ref.path === '/',
  decode: (payload) => {
    const error = errorBody(payload);
    return error === undefined ? emptyDecoded() : { ...emptyDecoded(), rejects: [error] };
  },
};

const stats: Stream = {
  name: 'market_stats',
  base: 'ws',
  path: '/stream',
  call: frames,
  topics: () => ['market_stats/all'],
  subscribe: (topics) => topics.map((channel) => JSON.stringify({ type: 'subscribe', channel })),
  topicsPerConnection: 100,
  topicsPerFrame: 1,
  // 200 client messages a minute and address, of which the books' stream may send 120.
  framesPerSecond: 1,
  maxConnections: 4,
  compression: 'none',
  keepAlive: { everyMs: 60_000, frame: () => '{"type":"ping"}' },
  pong: (frame) => (isWire(frame) && frame.type === 'ping' ? '{"type":"pong"}' : undefined),
  silenceMs: 30_000,
};

/** Lighter: mark, index and the estimated rate come by the socket only. */
export const lighter: VenueAdapter = {
  id: 'lighter',
  displayName: 'Lighter',
  kind: 'dex',
  sourceId: 107,
  takerFeeBps: asBps(0),
  hasIndex: true,
  index: {
    family: 'lighter-basket',
    description:
      'The venue’s own index price; its sources are not published (an oracle network is suspected)',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  bases: {
    rest: 'https://mainnet.zklighter.elliot.ai',
    ws: 'wss://mainnet.zklighter.elliot.ai',
  },
  budget: { id: 'lighter', pools: [{ name: 'default', limit: 60, perMs: 60_000 }] },
  refreshMs: REFRESH_MS,
  polls: [
    {
      call: markets,
      kind: 'instruments',
      everyMs: LISTING_EVERY_MS,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/api/v1/orderBookDetails' }],
    },
  ],
  streams: [stats],
  books: lighterBooks(frames, orders),
  calls: [restCall('funding-rates', decodeRates), restCall('fundings', decodeFundings), orders, silent],
  // A text of digits is a market id: frames name no symbol, and without a list it stands for one.
  baseOf: (symbol) => (/^\d*$/.test(symbol) || symbol.includes('/') ? undefined : symbol),
};
