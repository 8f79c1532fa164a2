import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, before, bestFirst, book, orNone } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { MICROSECONDS, ms, number } from '../grammar/field.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import type { QuoteStream, Stream } from '../stream.ts';
import { bookIn, joined, takeShort, takeTicker, takeTickerChange, unitsOf } from './wire.ts';

const bids = orNone('b', arrayLevels('b'));
const asks = orNone('a', arrayLevels('a'));
/** A snapshot arrives with its worst bid first; a side without levels is null. */
const WHOLE: BookTable = {
  bids: bestFirst(bids, 'bids'),
  asks: bestFirst(asks, 'asks'),
  sequence: number('u'),
  venueTime: ms('frameTime', MICROSECONDS),
};
const CHANGE: BookTable = {
  ...WHOLE,
  bids,
  asks,
  previousSequence: before('u'),
};
const takeWhole = book(WHOLE, 'snapshot');
const takeChange = book(CHANGE, 'delta');

export const depth = endpoint('/v3/depth', contractRows(bookIn, joined('s'), unitsOf, takeWhole));

/** Nothing proves that `u` of the REST book counts the same as the stream's: it is compared, never joined. */
const unnumberedDepth: Decoder = (payload, context) => {
  const decoded = depth.decode(payload, context);
  return { ...decoded, books: decoded.books.map(({ sequence: _, ...rest }) => rest) };
};

const BOOKS = new Map<unknown, RowDecoder>([
  ['snapshot', takeWhole],
  ['delta', takeChange],
]);
const TICKERS = new Map<unknown, RowDecoder>([
  ['snapshot', takeTicker],
  ['delta', takeTickerChange],
]);

/**
 * The topic decides how a frame's rows are read. A book must say whether it is whole; a ticker that does not
 * say so is.
 */
function takeOf(topic: string, type: unknown): readonly [symbol: string, take: RowDecoder] | undefined {
  const takeNone: RowDecoder = ({ symbol }, out) => {
    out.rejects.push(fieldFault(symbol, 'type', type));
  };
  if (topic.startsWith('orderBook')) return ['s', BOOKS.get(type) ?? takeNone];
  if (topic === 'instrumentInfo.all') return ['s', takeShort];
  if (!topic.startsWith('instrumentInfo')) return undefined;
  return ['symbol', TICKERS.get(type ?? 'snapshot') ?? takeNone];
}

/** Frames by topic; books are stamped in microseconds. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const topic = readText(frame.topic);
  if (topic !== undefined) {
    const [symbol, take] = takeOf(topic, frame.type) ?? [];
    const rows = [frame.data].flat().map((row) => (isWire(row) ? { ...row, frameTime: frame.ts } : row));
    if (symbol !== undefined && take !== undefined)
      takeEach(rows, joined(symbol), unitsOf, context, out, take);
  } else if (frame.success === false) rejectError(out, undefined, frame.ret_msg);
  else if (frame.op === undefined && frame.success === undefined) rejectShape(out, 'no topic');
  return out;
}

export const frames = socket('frame', /instrumentInfo|orderBook\d+|realtime_public/, decodeFrame);

const subscription = (op: string) => (args: readonly string[]) => [JSON.stringify({ op, args })];

/** Both sides ping in a text frame; the answer to the venue's repeats its argument. */
const PUBLIC: Pick<
  Stream,
  'base' | 'path' | 'compression' | 'subscribe' | 'topicsPerFrame' | 'keepAlive' | 'pong'
> = {
  base: 'ws',
  path: '/realtime_public?v=2',
  compression: 'none',
  subscribe: subscription('subscribe'),
  // One unknown topic refuses all of its frame, and the refusal names none.
  topicsPerFrame: 1,
  keepAlive: { everyMs: 15_000, frame: (now) => JSON.stringify({ op: 'ping', args: [String(now)] }) },
  pong: (frame) =>
    isWire(frame) && frame.op === 'ping' ? JSON.stringify({ op: 'pong', args: frame.args }) : undefined,
};

/** Marks and rates of all contracts in one topic. */
export const allMarks: QuoteStream = {
  repeats: true,
  ...PUBLIC,
  name: 'instrumentInfo.all',
  call: frames,
  topics: () => ['instrumentInfo.all'],
  topicsPerConnection: 10,
  framesPerSecond: 2,
  maxConnections: 1,
  silenceMs: 20_000,
  normalBytes: 64 * KIB,
};

/**
 * `orderBook200.H`: a snapshot of 200 levels a side, then changes each 100 ms, whose `u` is one more than
 * that of the message before; an empty change is a heartbeat. A topic that is held cannot be subscribed to
 * again: it ends first.
 */
export const apexBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'pair',
    ...PUBLIC,
    call: frames,
    topicOf: ({ symbol }) => `orderBook200.H.${symbol}`,
    unsubscribe: subscription('unsubscribe'),
    // No limit of topics is stated.
    topicsPerConnection: 50,
    framesPerSecond: 5,
    maxConnections: 2,
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
  rest: {
    // 100 levels are the most that the REST book gives.
    ...bookRequest(depth, ({ symbol }) => ({ symbol, limit: 100 }), { levels: 100 }),
    call: { name: 'depth', decode: unnumberedDepth },
    budgetShare: 0.3,
  },
};
