import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { type BookTable, book, objectLevels, ordersAddedUp, orNone } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { type RowDecoder, requestedRows, takeEach } from '../grammar/rows.ts';
import type { QuoteStream, Stream } from '../stream.ts';
import { marketAsked, marketOf, open, takeStats, takeTicker, unitsOf } from './wire.ts';

const side = (name: string) => ordersAddedUp(name, 'price', 'remaining_base_amount');

export const orders = endpoint(
  '/api/v1/orderBookOrders',
  requestedRows(
    objectIn(open),
    marketAsked,
    unitsOf,
    book({ bids: side('bids'), asks: side('asks') }, 'snapshot'),
  ),
);

const WHOLE: BookTable = {
  bids: orNone('bids', objectLevels('bids', 'price', 'size')),
  asks: orNone('asks', objectLevels('asks', 'price', 'size')),
  sequence: number('nonce'),
  venueTime: ms('frameTime'),
};
const takeWhole = book(WHOLE, 'snapshot');
const takeChange = book({ ...WHOLE, previousSequence: number('begin_nonce') }, 'delta');

/** Decoders of frames, by channel. */
const CHANNELS: Readonly<Record<string, RowDecoder>> = {
  market_stats: takeStats,
  ticker: takeTicker,
  order_book: (row, out) => (row.wire.isWhole === true ? takeWhole : takeChange)(row, out),
};

/** Price of a side of the touch, which is missing or an empty object where there is none, and else states one. */
const priceOf = (side: unknown): unknown => {
  if (isWire(side) && 'price' in side) return side.price;
  const isEmpty = (side ?? '') === '' || (isWire(side) && Object.keys(side).length === 0);
  return isEmpty ? undefined : { side };
};

/**
 * The rows of a frame, which lies under its channel's name: `market_stats:all` maps markets by id, the others hold one
 * market, named by symbol or by the channel, `order_book:1`. Markets that are not stated keep their values.
 */
function rowsOf(frame: Wire, channel: string, data: Wire): readonly unknown[] {
  const frameTime = frame.timestamp;
  if (channel === 'market_stats' && !('market_id' in data))
    return Object.entries(data).map(([id, row]) =>
      isWire(row) ? { market_id: id, ...row, frameTime } : row,
    );
  const market_id = data.market_id ?? /^\w+[:/](\d+)$/.exec(readText(frame.channel) ?? '')?.[1];
  const { s: symbol, b, a } = data;
  if (channel === 'ticker') return [{ symbol, market_id, bid: priceOf(b), ask: priceOf(a) }];
  return [{ ...data, market_id, frameTime, isWhole: frame.type === 'subscribed/order_book' }];
}

/** A frame, told by its `type`. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const type = readText(frame.type);
  const channel = /^(?:subscribed|update)\/(\w+)$/.exec(type ?? '')?.[1] ?? '';
  const take = CHANNELS[channel];
  const data = frame[channel];
  if (type === undefined) {
    if (open(payload, out) !== undefined) rejectShape(out, 'type');
  } else if (channel.startsWith('spot_')) out.rejects.push({ symbol: null, reason: 'spot' });
  else if (take !== undefined && isWire(data))
    takeEach(rowsOf(frame, channel, data), marketOf, unitsOf, context, out, take);
  else if (!/^(connected|ping|pong|unsubscribed(\/.*)?)$/.test(type))
    rejectShape(out, take === undefined ? type.slice(0, 40) : channel);
  return out;
};

/** Frames by channel, however it is written: `order_book/1`, `market_stats:all`, `ticker/1`, a subscription. */
const frames = socket(
  'market_stats, order_book, ticker',
  /(^|["\s,;])(market_stats|order_book|ticker)([/:]|$)|\/stream$/,
  decodeFrame,
);

const frame = (type: string) => (channels: readonly string[]) =>
  channels.map((channel) => JSON.stringify({ type, channel }));

/** Both sides ping. */
const SOCKET = {
  base: 'ws',
  path: '/stream',
  call: frames,
  subscribe: frame('subscribe'),
  topicsPerConnection: 100,
  topicsPerFrame: 1,
  compression: 'none',
  keepAlive: { everyMs: 60_000, frame: () => '{"type":"ping"}' },
  pong: (message) => (isWire(message) && message.type === 'ping' ? '{"type":"pong"}' : undefined),
  silenceMs: 30_000,
  normalBytes: 256 * KIB,
} satisfies Partial<Stream>;

/** Metrics of all markets in one topic, and the touch of each in one of its own, which no other states. */
export const stats: QuoteStream = {
  repeats: false,
  ...SOCKET,
  name: 'market_stats',
  topics: ({ instruments }) => [
    'market_stats/all',
    ...instruments.flatMap(({ altId }) => (altId === undefined ? [] : [`ticker/${altId}`])),
  ],
  unsubscribe: frame('unsubscribe'),
  // 200 client messages a minute and address, of which the books' stream may send 120: one in three seconds for
  // each of three connections.
  framesPerSecond: 1 / 3,
  maxConnections: 3,
};

/** Single orders a side that the REST book gives at most. */
const ORDERS = 250;

/**
 * `order_book/<id>`: a snapshot on subscription, then changes whose `begin_nonce` is the `nonce` before. REST lists
 * single orders without a number, under a limit of one request a second for everything.
 */
export const lighterBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'pair',
    ...SOCKET,
    topicOf: ({ altId }) => (altId === undefined ? undefined : `order_book/${altId}`),
    unsubscribe: frame('unsubscribe'),
    // Unmeasured: the first frame has the whole book, whose levels nobody limits.
    normalBytes: 512 * KIB,
    framesPerSecond: 2,
    maxConnections: 1,
  },
  rest: {
    ...bookRequest(orders, ({ altId = '' }) => ({ market_id: altId, limit: ORDERS })),
    budgetShare: 0.5,
  },
};
