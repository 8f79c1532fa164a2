import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { DecodeContext } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { rejectShape, rowsIn } from '../grammar/answer.ts';
import { book, levelsOf, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { type RowDecoder, requestedRows, takeOf } from '../grammar/rows.ts';
import type { QuoteStream, Stream } from '../stream.ts';
import { contractOf, open, takeTicker, unitsOf, VALUATIONS } from './wire.ts';

/** Changes stand under `update`; quantity "0" removes the level. */
const side =
  (name: 'bids' | 'asks'): SideReader =>
  (row) =>
    levelsOf((isWire(row.wire.update) ? row.wire.update : row.wire)[name], row);

const takeBook = book(
  {
    bids: side('bids'),
    asks: side('asks'),
    sequence: number('u'),
    previousSequence: number('pu'),
    venueTime: ms('t'),
  },
  ({ update }) => (isWire(update) ? 'delta' : 'snapshot'),
);

/** A snapshot without a number. */
export const getBook = endpoint(
  '/public/get-book',
  requestedRows(
    rowsIn(open, { list: 'data', row: 'bids' }),
    (context, payload) => contractOf(open(payload, emptyDecoded()), context),
    unitsOf,
    takeBook,
  ),
);

const CHANNELS: Readonly<Record<string, RowDecoder>> = {
  ...VALUATIONS,
  ticker: takeTicker,
  book: takeBook,
  'book.update': takeBook,
};

/**
 * A push names channel and instrument under `result`, with or without its envelope. Acknowledgements and heartbeats
 * carry none.
 */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = open(payload, out);
  if (out.rejects.length > 0) return out;
  const { channel: name, data }: Wire = isWire(result) ? result : {};
  const channel = readText(name);
  const rows = wireArray(data);
  if (channel === undefined || rows === undefined) {
    const isSilent = isWire(payload) && payload.method !== undefined && (payload.result ?? null) === null;
    if (!isSilent) rejectShape(out, 'no channel');
    return out;
  }
  const take = CHANNELS[channel];
  if (take === undefined) rejectShape(out, `channel ${channel.slice(0, 40)}`);
  else takeOf(contractOf(result, context), rows, unitsOf, context, out, take);
  return out;
}

/** Channels by name, the socket's address, and subscriptions. */
export const frames = socket('market socket', /^(?!(?:https?:\/\/|\/|[\w-]+\/|get-))/i, decodeFrame);

/** Answers the venue's heartbeat with its own id. */
const pong: Stream['pong'] = (message) =>
  isWire(message) && message.method === 'public/heartbeat'
    ? JSON.stringify({ id: message.id, method: 'public/respond-heartbeat' })
    : undefined;

const request =
  (method: string, more: Readonly<Record<string, unknown>> = {}) =>
  (channels: readonly string[], id: number) => [
    JSON.stringify({ id, method, params: { channels, ...more } }),
  ];

/** Mark and index each second, the rate in force each minute: no bulk call has any of them. */
export const valuations: QuoteStream = {
  repeats: true,
  name: 'valuations',
  base: 'ws',
  path: '/market',
  call: frames,
  topics: ({ instruments }) =>
    instruments.flatMap(({ symbol, indexId }) => [
      `mark.${symbol}`,
      `funding.${symbol}`,
      ...(indexId === undefined ? [] : [`index.${indexId}`]),
    ]),
  subscribe: request('subscribe'),
  unsubscribe: request('unsubscribe'),
  // The venue allows 400 channels a connection; three belong to each contract.
  topicsPerConnection: 399,
  topicsPerFrame: 100,
  // A hundred a second are allowed, by the share of the second that is left at the connect.
  framesPerSecond: 2,
  maxConnections: 4,
  compression: 'none',
  pong,
  silenceMs: 30_000,
  normalBytes: 16 * KIB,
};

const HEAD = literal('{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"');
const TOPIC = literal('","subscription":"');
const WHOLE = literal('","channel":"book","depth":');
const CHANGE = literal('","channel":"book.update","depth":');
const ROW = literal(',"data":[{"asks":');
const UPDATE = literal(',"data":[{"update":{"asks":');
const BIDS = literal(',"bids":');
const UPDATE_END = literal('}');
const TIME = literal(',"t":');
const CHANGED = literal(',"tt":');
const SEQUENCE = literal(',"u":');
const BEFORE = literal(',"pu":');
const CHECKSUM = literal(',"cs":');
const MINUS = literal('-');
const END = literal('}]}}');

/**
 * Scans the pushes of `book`: `{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":…,"subscription":…,
 * "channel":…,"depth":…,"data":[…]}}`, whose one row is `{"asks":[…],"bids":[…],"t":…,"tt":…,"u":…,"cs":…}` or, of a
 * change, `{"update":{"asks":[…],"bids":[…]},"t":…,"tt":…,"u":…,"pu":…,"cs":…}`.
 */
function bookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(HEAD)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(TOPIC) || scan.name() === '') return false;
    if (scan.skip(WHOLE)) into.isSnapshot = true;
    else if (!scan.skip(CHANGE)) return false;
    if (Number.isNaN(scan.number()) || !scan.skip(into.isSnapshot ? ROW : UPDATE)) return false;
    if (!scan.quotedLevels(into.asks) || !scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    return (into.isSnapshot || scan.skip(UPDATE_END)) && readStamps(scan, into) && scan.ended();
  };
}

function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(TIME)) return false;
  into.venueTime = scan.time();
  if (!scan.skip(CHANGED) || Number.isNaN(scan.number()) || !scan.skip(SEQUENCE)) return false;
  into.sequence = scan.sequence();
  if (!into.isSnapshot) {
    if (!scan.skip(BEFORE)) return false;
    into.previousSequence = scan.sequence();
    if (Number.isNaN(into.previousSequence)) return false;
  }
  if (Number.isNaN(into.venueTime + into.sequence) || !scan.skip(CHECKSUM)) return false;
  scan.skip(MINUS);
  return !Number.isNaN(scan.number()) && scan.skip(END);
}

/** The most that the documents name, for stream and REST. */
const LEVELS = 50;

/**
 * `book.{instrument}.50`: a snapshot first, then changes each 100 ms; the `pu` of each is the `u` before. A
 * book without trades sends an empty change each five seconds, whose `pu` is its own `u`. Levels that leave
 * the window are deleted. The REST book is not numbered: it is compared, never joined. The checksum is not
 * published.
 */
export const cryptocomBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/market',
    call: frames,
    topicOf: ({ symbol }) => `book.${symbol}.${LEVELS}`,
    subscribe: request('subscribe', {
      book_subscription_type: 'SNAPSHOT_AND_UPDATE',
      book_update_frequency: 100,
    }),
    unsubscribe: request('unsubscribe'),
    // 400 channels are allowed to a connection.
    topicsPerConnection: 200,
    topicsPerFrame: 100,
    framesPerSecond: 10,
    maxConnections: 2,
    compression: 'none',
    pong,
    silenceMs: 20_000,
    normalBytes: 64 * KIB,
    scanner: bookScanner,
  },
  rest: {
    ...bookRequest(getBook, ({ symbol }) => ({ instrument_name: symbol, depth: LEVELS }), { levels: LEVELS }),
    pool: 'get-book',
    budgetShare: 0.15,
  },
};
