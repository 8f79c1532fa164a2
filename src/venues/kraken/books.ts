import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { Decoder } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, before, book, levelsOf, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { type RowDecoder, requestedRows, takeEach } from '../grammar/rows.ts';
import type { QuoteStream } from '../stream.ts';
import { asked, contractAt, openTo, takeLite, takeTicker, unitsOf } from './wire.ts';

/** Not numbered, so that it cannot be joined with the socket's. */
export const orderbook = endpoint(
  '/derivatives/api/v3/orderbook',
  requestedRows(
    objectIn(openTo('orderBook')),
    asked,
    unitsOf,
    book({ bids: arrayLevels('bids'), asks: arrayLevels('asks') }, 'snapshot'),
  ),
);

/** A level as a pair; the venue may write a negative quantity where nothing is left. */
const pair = (level: unknown): unknown =>
  isWire(level) ? [level.price, Math.max(0, readNumber(level.qty) ?? Number.NaN)] : undefined;

/** All levels of a side but the empty ones. */
const whole =
  (name: string): SideReader =>
  (row) =>
    levelsOf(wireArray(row.wire[name])?.map(pair), row)?.filter(([, size]) => size > 0);

/** The side of the one changed level; the other has none. */
const changed =
  (wanted: 'buy' | 'sell'): SideReader =>
  (row) => {
    const { side } = row.wire;
    if (side !== 'buy' && side !== 'sell') return undefined;
    return levelsOf(side === wanted ? [pair(row.wire)] : [], row);
  };

const WHOLE: BookTable = {
  bids: whole('bids'),
  asks: whole('asks'),
  sequence: number('seq'),
  venueTime: ms('timestamp'),
};
const CHANGE: BookTable = {
  ...WHOLE,
  bids: changed('buy'),
  asks: changed('sell'),
  previousSequence: before('seq'),
};

/** Decoders of frames, by feed. */
const FEEDS: Readonly<Record<string, RowDecoder>> = {
  book_snapshot: book(WHOLE, 'snapshot'),
  book: book(CHANGE, 'delta'),
  ticker: takeTicker,
  ticker_lite: takeLite,
};
const OTHER_FEEDS = ['heartbeat', 'trade', 'trade_snapshot'];

/** An alert that follows a subscription made twice: nothing is lost. */
const HARMLESS = /already subscribed/i;

/** A frame by its `feed`; the others are events of the connection, of which `alert` and `error` are refusals. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const { event, message } = frame;
  const feed = String(frame.feed);
  if (event !== undefined) {
    const isRefusal = event === 'alert' || event === 'error';
    if (isRefusal && !HARMLESS.test(readText(message) ?? '')) rejectError(out, event, message);
  } else if (FEEDS[feed] !== undefined)
    takeEach([frame], contractAt('product_id'), unitsOf, context, out, FEEDS[feed]);
  else if (!OTHER_FEEDS.includes(feed)) rejectShape(out, 'no known feed');
  return out;
};

export const frames = socket(
  'frame',
  /\bfeeds?\b|"event"|\/ws\/v1\b|^(?:ticker(?:_lite)?|book(?:_snapshot)?|heartbeat)(?:[\s:,].*)?$/i,
  decodeFrame,
);

const CHANGED = literal('{"feed":"book","product_id":"');
const BUY = literal('","side":"buy","seq":');
const SELL = literal('","side":"sell","seq":');
const PRICE = literal(',"price":');
const QUANTITY = literal(',"qty":');
const TIME = literal(',"timestamp":');
const END = literal('}');

const SNAPSHOT = literal('{"feed":"book_snapshot","product_id":"');
const SNAPSHOT_TIME = literal('","timestamp":');
const SEQUENCE = literal(',"seq":');
const BIDS = literal(',"tickSize":null,"bids":');
const ASKS = literal(',"asks":');
const LEVEL_PRICE = literal('{"price":');

/**
 * Scans the frames of the `book` feed: changes of one level,
 * `{"feed":"book","product_id":…,"side":…,"seq":…,"price":…,"qty":…,"timestamp":…}`, and snapshots,
 * `{"feed":"book_snapshot","product_id":…,"timestamp":…,"seq":…,"tickSize":null,"bids":[{"price":…,"qty":…}],…}`.
 * Negative quantities, which count as none, are left to the decoder.
 */
function bookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    const isRead = scan.skip(CHANGED) ? readChange(scan, into) : readSnapshot(scan, into);
    return isRead && scan.skip(END) && scan.ended();
  };
}

function readChange(scan: FrameScanner, into: BookFrame): boolean {
  into.symbol = scan.name();
  const isBid = scan.skip(BUY);
  if (into.symbol === '' || (!isBid && !scan.skip(SELL))) return false;
  into.sequence = scan.sequence();
  into.previousSequence = into.sequence - 1;
  if (!scan.skip(PRICE)) return false;
  const price = scan.number();
  if (!scan.skip(QUANTITY)) return false;
  const size = scan.number();
  if (!(price > 0 && price < 1e15 && size < 1e24) || !scan.skip(TIME)) return false;
  into.venueTime = scan.time();
  (isBid ? into.bids : into.asks).add(price, size);
  return !Number.isNaN(into.sequence + into.venueTime);
}

function readSnapshot(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SNAPSHOT)) return false;
  into.isSnapshot = true;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip(SNAPSHOT_TIME)) return false;
  into.venueTime = scan.time();
  if (!scan.skip(SEQUENCE)) return false;
  into.sequence = scan.sequence();
  if (Number.isNaN(into.sequence + into.venueTime)) return false;
  if (!scan.skip(BIDS) || !scan.keyedLevels(into.bids, LEVEL_PRICE, QUANTITY)) return false;
  return scan.skip(ASKS) && scan.keyedLevels(into.asks, LEVEL_PRICE, QUANTITY);
}

const frame = (event: string, feed: string) => (ids: readonly string[]) => [
  JSON.stringify({ event, feed, product_ids: ids }),
];

/** The one place that states rates as fractions: whole frames, of a contract of which a field changed, at most one a second. */
export const tickerStream: QuoteStream = {
  repeats: false,
  name: 'ticker',
  base: 'ws',
  path: '/ws/v1',
  call: frames,
  topics: ({ instruments }) => instruments.map(({ symbol }) => symbol),
  subscribe: frame('subscribe', 'ticker'),
  unsubscribe: frame('unsubscribe', 'ticker'),
  topicsPerConnection: 100,
  topicsPerFrame: 50,
  framesPerSecond: 10,
  maxConnections: 6,
  compression: 'none',
  keepAlive: { everyMs: 30_000 },
  silenceMs: 20_000,
  normalBytes: 16 * KIB,
};

/**
 * The `book` feed: a snapshot of all levels, then every change by itself; `seq` grows by one a product. The REST book
 * is not numbered: it is compared, never joined.
 */
export const krakenBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  splitsMoments: true,
  stream: {
    evidence: 'older session',
    base: 'ws',
    path: '/ws/v1',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe', 'book'),
    unsubscribe: frame('unsubscribe', 'book'),
    topicsPerConnection: 100,
    topicsPerFrame: 50,
    framesPerSecond: 10,
    maxConnections: 5,
    compression: 'none',
    keepAlive: { everyMs: 30_000 },
    silenceMs: 20_000,
    normalBytes: 256 * KIB,
    scanner: bookScanner,
  },
  rest: { ...bookRequest(orderbook, ({ symbol }) => ({ symbol })), budgetShare: 0.3 },
};
