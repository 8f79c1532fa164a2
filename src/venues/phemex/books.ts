import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { type Continuity, INCREASING } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { DecodeContext } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { objectIn } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book, type SideReader } from '../grammar/book.ts';
import { ANY_CHANNEL, bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, NANOSECONDS, number } from '../grammar/field.ts';
import { takeEach } from '../grammar/rows.ts';
import { readLevels } from '../levels.ts';
import { decodeQuoteFrame } from './frames.ts';
import { oldUnitsOf, open, unitsOf } from './wire.ts';

const kindOf = ({ type }: Wire) => (type === 'incremental' ? 'delta' : 'snapshot');

/**
 * A snapshot replaces the book, an `incremental` sets sizes. The sequence is shared by several contracts: it only ever
 * grows, and a lost frame cannot be seen in it. Times are numbers beyond 2^53: good to the millisecond, not beyond.
 */
const BOOK: BookTable = {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('sequence'),
  venueTime: ms('timestamp', NANOSECONDS),
};
const takeDecimals = book(BOOK, kindOf);

/** Prices of the old model are integers of which ten thousand make one. */
const scaled =
  (name: string): SideReader =>
  ({ wire }) => {
    const levels = wire[name];
    if (!Array.isArray(levels)) return undefined;
    return readLevels(
      levels.map((level) =>
        Array.isArray(level) ? [(readNumber(level[0]) ?? Number.NaN) / 10_000, level[1]] : level,
      ),
    );
  };
const takeIntegers = book({ ...BOOK, bids: scaled('bids'), asks: scaled('asks') }, kindOf);

/**
 * A message of REST or the socket: `orderbook_p`, or `book` of coin-margined contracts, spot and the old model. The
 * venue sends both today: the field tells the family of a contract, not the age of a frame.
 */
export function takeBook(row: Wire, context: DecodeContext, out: Decoded): void {
  const isOld = row.orderbook_p === undefined;
  const sides = isOld ? row.book : row.orderbook_p;
  const { bids, asks }: Wire = isWire(sides) ? sides : {};
  const [units, take] = isOld ? [oldUnitsOf, takeIntegers] : [unitsOf, takeDecimals];
  takeEach([{ ...row, bids, asks }], 'symbol', units, context, out, take);
}

const bookIn = objectIn(open);

export const orderbook = endpoint(
  '/md/v2/fullbook',
  (payload, context) => {
    const out = emptyDecoded();
    for (const row of bookIn(payload, out)) takeBook(row, context, out);
    return out;
  },
  { name: 'orderbook', alsoAt: ['/md/v2/orderbook', '/md/orderbook'] },
);

export const frames = socket('socket', ANY_CHANNEL, (payload, context) => {
  if (!isWire(payload) || (payload.orderbook_p ?? payload.book) === undefined)
    return decodeQuoteFrame(payload, context);
  const out = emptyDecoded();
  takeBook(payload, context, out);
  return out;
});

const DEPTH = literal('{"depth":');
const SENT = literal(',"dts":');
const MADE = literal(',"mts":');
const ASKS = literal(',"orderbook_p":{"asks":');
const BIDS = literal(',"bids":');
const SEQUENCE = literal('},"sequence":');
const SYMBOL = literal(',"symbol":"');
const TIME = literal('","timestamp":');
const SNAPSHOT = literal(',"type":"snapshot"}');
const CHANGE = literal(',"type":"incremental"}');

/**
 * Scans the pushes of `orderbook_p`: `{"depth":…,"dts":…,"mts":…,"orderbook_p":{"asks":[…],"bids":[…]},"sequence":…,
 * "symbol":…,"timestamp":…,"type":…}`; `dts` and `mts` are absent in frames of before 2026.
 */
function orderbookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(DEPTH) || Number.isNaN(scan.number())) return false;
    if (scan.skip(SENT) && Number.isNaN(scan.number())) return false;
    if (scan.skip(MADE) && Number.isNaN(scan.number())) return false;
    if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    return readStamps(scan, into) && scan.ended();
  };
}

function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SEQUENCE)) return false;
  into.sequence = scan.sequence();
  if (!scan.skip(SYMBOL)) return false;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip(TIME)) return false;
  into.venueTime = readMs(scan.number(), NANOSECONDS) ?? Number.NaN;
  if (Number.isNaN(into.sequence + into.venueTime)) return false;
  if (scan.skip(CHANGE)) return true;
  into.isSnapshot = true;
  return scan.skip(SNAPSHOT);
}

/**
 * `sequence` is counted over a group of contracts: that of one contract grows with holes, so that a lost message does
 * not show; one that is lower came out of order. A snapshot repeats the number of the change before it, or has a
 * higher one: changes up to it are in it.
 */
const continuity: Continuity = {
  ...INCREASING,
  checkFirstDelta: (last, { sequence }) => (sequence > last ? 'apply' : 'stale'),
};

/** One contract a frame. `true`: the snapshot, 100 ms apart. */
const subscribe = (symbols: readonly string[], id: number): readonly string[] =>
  symbols.map((symbol) => JSON.stringify({ id, method: 'orderbook_p.subscribe', params: [symbol, true] }));

/**
 * `orderbook_p` with all levels: a snapshot, then changes, and a snapshot again each minute, which ends what a lost
 * message left wrong. One contract cannot be unsubscribed from alone: ending takes every book of the connection.
 */
export const phemexBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity,
  stream: {
    evidence: 'older session',
    base: 'ws',
    path: '',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    subscribe,
    // Documented: 20 subscriptions a connection, 5 connections, 20 requests a second.
    topicsPerConnection: 20,
    topicsPerFrame: 1,
    framesPerSecond: 10,
    maxConnections: 5,
    compression: 'none',
    // Without it the connection ends after half a minute, whatever it carries.
    keepAlive: { everyMs: 5_000, frame: () => '{"id":0,"method":"server.ping","params":[]}' },
    // A book at rest has nothing but its snapshot each minute.
    silenceMs: 65_000,
    normalBytes: 256 * KIB,
    scanner: orderbookScanner,
  },
  rest: { ...bookRequest(orderbook, ({ symbol }) => ({ symbol })), pool: 'md', budgetShare: 0.2 },
};
