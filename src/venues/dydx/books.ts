import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { type Continuity, INCREASING } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book, objectLevels, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { number } from '../grammar/field.ts';
import { requested, requestedRows, takeOf } from '../grammar/rows.ts';
import { open, takeMarkets, unitsOf } from './wire.ts';

/** Levels are objects in snapshots and pairs in deltas. */
const side =
  (name: string): SideReader =>
  (row) =>
    (Array.isArray(wireArray(row.wire[name])?.[0]) ? arrayLevels(name) : objectLevels(name, 'price', 'size'))(
      row,
    );

/**
 * `message_id` counts over all channels of the connection: it tells the order of a book's messages, not their
 * continuity. REST has none.
 */
const BOOK: BookTable = { bids: side('bids'), asks: side('asks'), sequence: number('message_id') };
const takeWhole = book(BOOK, 'snapshot');
const takeChange = book(BOOK, 'delta');

/** A snapshot; the market stands in the request only. */
export const orderbooks = endpoint(
  '/v4/orderbooks/perpetualMarket/*',
  requestedRows(objectIn(open), requested(), unitsOf, takeWhole),
  { name: 'orderbooks' },
);

/** A part without either side is none, and without it the frame would not be whole. */
const isChange = (part: unknown): part is Wire => isWire(part) && (part.bids ?? part.asks ?? null) !== null;

/** A snapshot on subscription, then deltas, several in one batch: in order, so that the last word on a price counts. */
function takeBookFrame(frame: Wire, context: DecodeContext, out: Decoded): void {
  const { id, message_id, contents, type } = frame;
  const isWhole = type === 'subscribed' && isWire(contents);
  const parts = type === 'channel_batch_data' ? (wireArray(contents) ?? [undefined]) : [contents];
  const joined = (name: 'bids' | 'asks') =>
    parts.flatMap((part) => (isChange(part) ? (part[name] ?? []) : [undefined]));
  const row = isWhole
    ? { ...contents, message_id }
    : { bids: joined('bids'), asks: joined('asks'), message_id };
  takeOf(readText(id), [row], unitsOf, context, out, isWhole ? takeWhole : takeChange);
}

/** Any frame of the socket, told by `type` and `channel`. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = open(payload, out);
  if (out.rejects.length > 0) return out;
  const { type, channel, message }: Wire = isWire(frame) ? frame : {};
  if (type === 'error') rejectError(out, undefined, readText(message)?.slice(0, 120) ?? 'error');
  else if (/^(?:connected|unsubscribed|pong)$/.test(String(type))) return out;
  else if (!isWire(frame) || !/^(?:subscribed|channel_data|channel_batch_data)$/.test(String(type)))
    rejectShape(out, `type ${type}`.slice(0, 40));
  else if (channel === 'v4_orderbook') takeBookFrame(frame, context, out);
  else if (channel === 'v4_markets') return takeMarkets(frame, context, out);
  else rejectShape(out, 'channel');
  return out;
}

export const frames = socket(
  'v4_markets, v4_orderbook',
  /\bv4_(?:markets|orderbook)\b|\/v4\/ws\/?$/,
  decodeFrame,
);

/** Books have no numbers of their own: theirs only grow, and a lost message shows in the count of the connection. */
const COUNTED: Continuity = { ...INCREASING, detectsLoss: true };

const frame = (type: string, more: object) => (tickers: readonly string[]) =>
  tickers.map((id) => JSON.stringify({ type, channel: 'v4_orderbook', id, ...more }));

/**
 * `v4_orderbook`: a snapshot on subscription, then changes. The indexer merges the views of several
 * validators, so a book may cross; the venue's documentation asks clients to drop the older level at the
 * touch.
 */
export const dydxBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: COUNTED,
  crossed: 'uncross',
  joinsLate: true,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/v4/ws',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe', { batched: true }),
    unsubscribe: frame('unsubscribe', {}),
    // The indexer's default: 32 books a connection.
    topicsPerConnection: 32,
    topicsPerFrame: 1,
    // A gap makes all books of a connection restart. Of one book two subscriptions a second are taken.
    framesPerSecond: 20,
    renewGapMs: 600,
    maxConnections: 4,
    compression: 'none',
    silenceMs: 30_000,
    // Unmeasured: the first frame has the whole book, whose levels nobody limits.
    normalBytes: 512 * KIB,
    connectionSequence: (payload) => (isWire(payload) ? readNumber(payload.message_id) : undefined),
    // The indexer numbers a subscription, then fetches the snapshot; an error may repeat the number that is reached.
    answersSubscription: (payload) => isWire(payload) && /^(?:subscribed|error)$/.test(String(payload.type)),
  },
  rest: bookRequest(orderbooks, () => ({}), { levels: 100 }),
};
