import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { Decoder } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { field, ms, number } from '../grammar/field.ts';
import { type RowDecoder, requested, requestedRows, takeEach } from '../grammar/rows.ts';
import { QUOTES, rows, takeIndexTickers, unitsOf } from './wire.ts';

const BOOK: BookTable = {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('seqId'),
  // A snapshot states -1: it follows nothing.
  previousSequence: field('prevSeqId', (raw) => {
    const previous = readNumber(raw) ?? -1;
    return previous < 0 ? undefined : previous;
  }),
  venueTime: ms('ts'),
};
const takeWhole = book(BOOK, 'snapshot');

/** A snapshot; the answer does not name its contract, the request does. */
export const books = endpoint(
  '/api/v5/market/books',
  requestedRows(rows, requested('instId'), unitsOf, takeWhole),
  { name: 'market/books', alsoAt: ['/api/v5/market/books-full'] },
);

/** Books that come as a snapshot and its updates, told apart by the action of the frame. */
const CHAINED_BOOKS = ['books', 'books-l2-tbt', 'books50-l2-tbt'];
const ACTIONS: Readonly<Record<string, RowDecoder>> = { snapshot: takeWhole, update: book(BOOK, 'delta') };

/** Channels that are whole in every push. */
const WHOLE: Readonly<Record<string, RowDecoder>> = { ...QUOTES, books5: takeWhole, 'bbo-tbt': takeWhole };

/** A frame: a push `{arg, data}`, an event, or the text `pong`. Books are named by the argument alone. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const { event, code, msg, arg, action, data }: Wire = isWire(payload) ? payload : {};
  const { channel: name, instId }: Wire = isWire(arg) ? arg : {};
  const channel = readText(name) ?? '';
  const take = CHAINED_BOOKS.includes(channel) ? ACTIONS[String(action)] : WHOLE[channel];
  if (event === 'error') rejectError(out, code, msg);
  else if (event !== undefined || payload === 'pong') return out;
  else if (channel === '' || !Array.isArray(data)) rejectShape(out, 'push');
  else if (channel === 'index-tickers') takeIndexTickers(data, context, out);
  else if (take === undefined) rejectShape(out, channel.slice(0, 60));
  else {
    const named = data.map((row: unknown) => (isWire(row) ? { instId, ...row } : row));
    takeEach(named, 'instId', unitsOf, context, out, take);
  }
  return out;
};

/** A channel with or without its instrument, the socket's address, or a subscription that names channels. */
export const stream = socket(
  'stream',
  /^(?!\/)[^?]*(?<![\w/-])(?:funding-rate|mark-price|index-tickers|open-interest|tickers|books(?:5|-l2-tbt|50-l2-tbt)?|bbo-tbt)(?![\w-])|^subscribe$|\/ws\/v5\//,
  decodeFrame,
);

const CHANNEL = literal('{"arg":{"channel":"books","instId":"');
const ACTION = literal('"},"action":"');
const SNAPSHOT = literal('snapshot","data":[{"asks":');
const UPDATE = literal('update","data":[{"asks":');
const BIDS = literal(',"bids":');
const TIME = literal(',"ts":"');
const CHECKSUM = literal('","checksum":');
const SEQUENCE = literal(',"seqId":');
const BEFORE = literal(',"prevSeqId":');
const MINUS = literal('-');
const NONE_BEFORE = literal('-1');
const END = literal('}]}');

/**
 * Scans the pushes of `books`: `{"arg":{"channel":"books","instId":…},"action":…,"data":[{"asks":[…],"bids":[…],
 * "ts":…,"checksum":…,"seqId":…,"prevSeqId":…}]}`; the two numbers at the end are absent in frames of before 2023.
 */
function booksScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(CHANNEL)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(ACTION)) return false;
    if (scan.skip(SNAPSHOT)) into.isSnapshot = true;
    else if (!scan.skip(UPDATE)) return false;
    if (!scan.quotedLevels(into.asks) || !scan.skip(BIDS)) return false;
    if (!scan.quotedLevels(into.bids) || !scan.skip(TIME)) return false;
    into.venueTime = scan.time();
    return readSequence(scan, into) && scan.skip(END) && scan.ended();
  };
}

/** Reads the fields behind the levels. A snapshot states -1 as the one before: it follows nothing. */
function readSequence(scan: FrameScanner, into: BookFrame): boolean {
  if (Number.isNaN(into.venueTime) || !scan.skip(CHECKSUM)) return false;
  scan.skip(MINUS);
  if (Number.isNaN(scan.number())) return false;
  if (!scan.skip(SEQUENCE)) return true;
  into.sequence = scan.sequence();
  if (Number.isNaN(into.sequence) || !scan.skip(BEFORE)) return false;
  if (scan.skip(NONE_BEFORE)) return true;
  into.previousSequence = scan.sequence();
  return !Number.isNaN(into.previousSequence);
}

const LEVELS = 400;

const frame = (op: string) => (ids: readonly string[]) => [
  JSON.stringify({ op, args: ids.map((instId) => ({ channel: 'books', instId })) }),
];

/**
 * `books`: 400 levels, changes every 100 ms. Each `prevSeqId` is the `seqId` before; after maintenance `seqId` may
 * be lower than its `prevSeqId`, and a quiet book repeats with both the same. The first snapshot may stay away: then
 * the REST book is numbered alike.
 */
export const okxBooks: BookFeed = {
  initialSnapshot: 'either',
  continuity: CHAINED,
  stream: {
    evidence: 'older session',
    base: 'ws',
    path: '/ws/v5/public',
    call: stream,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    topicsPerConnection: 100,
    topicsPerFrame: 50,
    // 480 client frames an hour and connection: breaks are mended over REST first.
    framesPerSecond: 2,
    maxConnections: 5,
    compression: 'none',
    keepAlive: { everyMs: 20_000, frame: () => 'ping' },
    silenceMs: 15_000,
    normalBytes: 128 * KIB,
    scanner: booksScanner,
  },
  rest: {
    ...bookRequest(books, ({ symbol }) => ({ instId: symbol, sz: LEVELS }), { levels: LEVELS }),
    pool: 'books',
    budgetShare: 0.3,
  },
};
