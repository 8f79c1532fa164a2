import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { type BookTable, book, levelsOf, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { type RowDecoder, requestedRows, takeOf } from '../grammar/rows.ts';
import { isStated } from '../quote-field.ts';
import { asked, open, takePerpetual, takeTicker, takeTickerChange, takeTouch, unitsOf } from './wire.ts';

const ACTIONS = new Set<unknown>(['new', 'change', 'delete']);

/** Levels `[price, amount]`, or `[action, price, amount]` with 0 for what is deleted. */
const side =
  (name: string): SideReader =>
  (row) => {
    const levels = wireArray(row.wire[name]);
    if (!levels?.some((level) => Array.isArray(level) && ACTIONS.has(level[0])))
      return levelsOf(row.wire[name], row);
    const plain = levels.map((level): unknown => {
      const [action, price, amount] = wireArray(level) ?? [];
      return ACTIONS.has(action) ? [price, action === 'delete' ? 0 : amount] : undefined;
    });
    return levelsOf(plain, row);
  };

/** `change_id` is shared by many instruments and skips; a change follows the message with its `prev_change_id`. */
const WHOLE: BookTable = {
  bids: side('bids'),
  asks: side('asks'),
  sequence: number('change_id'),
  venueTime: ms('timestamp'),
};
const takeWhole = book(WHOLE, 'snapshot');
const takeChange = book({ ...WHOLE, previousSequence: number('prev_change_id') }, 'delta');

/** A stated type rules; without one a frame that follows another is a change. Grouped books are whole each time. */
const takeBook: RowDecoder = (row, out) => {
  const { type, prev_change_id: previous } = row.wire;
  const isChange = type === 'change' || (type !== 'snapshot' && readNumber(previous) !== undefined);
  (isChange ? takeChange : takeWhole)(row, out);
};

/** The best levels, and the contract's metrics beside them. */
export const orderBook = endpoint(
  '/public/get_order_book',
  requestedRows(
    objectIn(open),
    (context, _, [row]) => (isWire(row) ? readText(row.instrument_name) : undefined) ?? asked(context),
    unitsOf,
    (row, out) => {
      takeTicker(row, out);
      takeBook(row, out);
    },
  ),
  { alsoAt: ['/public/get_order_book_by_instrument_id'] },
);

/** The first frame of `incremental_ticker` is the whole ticker. */
const takeIncrement: RowDecoder = (row, out) =>
  (row.wire.type === 'snapshot' ? takeTicker : takeTickerChange)(row, out);

const TOPICS: Readonly<Record<string, RowDecoder>> = {
  book: takeBook,
  ticker: takeTicker,
  incremental_ticker: takeIncrement,
  perpetual: takePerpetual,
  quote: takeTouch,
};

/** Reads the content of a push without its envelope. */
const takeBare: RowDecoder = (row, out) => {
  const { bids, asks, type } = row.wire;
  const take = type === 'change' ? takeTickerChange : takeTicker;
  (bids !== undefined || asks !== undefined ? takeBook : take)(row, out);
};

/** Frames of the socket: pushes of a channel; answers to the client's own requests and heartbeats hold nothing. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  if (frame.method === 'heartbeat') return out;
  const symbol = readText(frame.instrument_name);
  if (frame.method === 'subscription' || isWire(frame.params)) takePush(frame, context, out);
  else if (symbol !== undefined) takeOf(symbol, [frame], unitsOf, context, out, takeBare);
  else if (frame.error !== undefined) open(frame, out);
  else if (frame.result === undefined) rejectShape(out, 'no push');
  // A channel that does not exist is silently left out of the list of those taken.
  else if (Array.isArray(frame.result) && frame.result.length === 0)
    rejectError(out, undefined, 'no channel was taken');
  return out;
}

/** `book.BTC_USDC-PERPETUAL.100ms`: what is stated, and of which instrument. */
function takePush({ params }: Wire, context: DecodeContext, out: Decoded): void {
  const { channel, channels, data }: Wire = isWire(params) ? params : {};
  if (isStated(channel) && readText(channel) === undefined) {
    rejectShape(out, 'channel');
    return;
  }
  const [, topic, named] = /^([a-z_]+)\.([^.]+)/.exec(readText(channel) ?? '') ?? [];
  // A subscription of the client's own names channels, and a platform's notice no contract.
  if ((topic === undefined && (Array.isArray(channels) || channel !== undefined)) || Array.isArray(data))
    return;
  const take = TOPICS[topic ?? ''];
  if (!isWire(data)) rejectShape(out, 'no data');
  else if (take !== undefined)
    takeOf(readText(data.instrument_name) ?? named, [data], unitsOf, context, out, take);
}

export const frames = socket(
  'frame',
  /\b(?:book|ticker|incremental_ticker|perpetual|quote)\.[A-Z0-9<{*]|\/ws\/api\/v2\b|"channels?"|^(?:heartbeat|errors|public\/subscribe|public\/set_heartbeat)$/,
  decodeFrame,
);

const TEST = '{"jsonrpc":"2.0","id":0,"method":"public/test","params":{}}';

function isTestRequest(message: unknown): boolean {
  if (!isWire(message) || message.method !== 'heartbeat') return false;
  return isWire(message.params) && message.params.type === 'test_request';
}

const frame = (method: string) => (channels: readonly string[], id: number) => [
  JSON.stringify({ jsonrpc: '2.0', id, method: `public/${method}`, params: { channels } }),
];

/**
 * `book.{instrument}.100ms`: all levels first, then changes; the `prev_change_id` of each is the `change_id` before.
 * A second subscription brings no second snapshot: it has to end first.
 */
export const deribitBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'older session',
    base: 'ws',
    path: '/ws/api/v2',
    call: frames,
    topicOf: ({ symbol }) => `book.${symbol}.100ms`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // 32 connections an address and 500 channels a call are allowed; 131 books on one connection were probed.
    topicsPerConnection: 130,
    topicsPerFrame: 100,
    // A subscription costs 3,000 of 10,000 credits a second.
    framesPerSecond: 3,
    maxConnections: 3,
    compression: 'none',
    keepAlive: { everyMs: 25_000, frame: () => TEST },
    pong: (message) => (isTestRequest(message) ? TEST : undefined),
    // A still book is silent; one was for 54 seconds.
    silenceMs: 30_000,
    // Unmeasured: the first frame has the whole book, below 10,000 levels a side of some 26 bytes each.
    normalBytes: 512 * KIB,
  },
  rest: {
    // No perpetual had as many levels; the weight is in credits.
    ...bookRequest(orderBook, ({ symbol }) => ({ instrument_name: symbol, depth: 1000 }), {
      levels: 1000,
      weight: 500,
    }),
    budgetShare: 0.2,
  },
};
