import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { DecodeContext } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book, objectLevels, orNone } from '../grammar/book.ts';
import { bookRequest, endpoint, seconds, socket } from '../grammar/calls.ts';
import { ms, number, SECONDS } from '../grammar/field.ts';
import { type RowDecoder, requested, requestedRows, type SymbolOf, takeEach } from '../grammar/rows.ts';
import { open, QUOTE_CHANNELS, unitsOf } from './wire.ts';

/** `current` is when the answer was made, `update` when the book last changed. */
const WHOLE: BookTable = {
  bids: objectLevels('bids', 'p', 's'),
  asks: objectLevels('asks', 'p', 's'),
  sequence: number('id'),
};

/** `id` (with `with_id=true`) counts in the sockets' sequence. */
export const orderBook = endpoint(
  '/futures/usdt/order_book',
  requestedRows(
    objectIn(open),
    requested('contract'),
    unitsOf,
    book({ ...WHOLE, venueTime: ms('current', SECONDS) }, 'snapshot'),
  ),
);

/** Sequences U..u, `t` the time of the change. A side is left out where nothing of it changed. */
const CHANGES: BookTable = {
  bids: orNone('b', objectLevels('b', 'p', 's')),
  asks: orNone('a', objectLevels('a', 'p', 's')),
  sequence: number('u'),
  firstSequence: number('U'),
  venueTime: ms('t'),
};

const OBU: BookTable = {
  ...CHANGES,
  bids: orNone('b', arrayLevels('b')),
  asks: orNone('a', arrayLevels('a')),
};
const takeObu = book(OBU, 'delta');
/** `t` is the last change before a snapshot, which may be long ago, and therefore stamps nothing. */
const takeWholeObu = book({ bids: OBU.bids, asks: OBU.asks, sequence: number('u') }, 'snapshot');

/** Stream name of the channel `futures.obu`: `ob.BTC_USDT.50`. */
const symbolOfStream = (stream: unknown): string | undefined =>
  /^ob\.(.+)\.\d+$/.exec(readText(stream) ?? '')?.[1];

/** Channels by name: how their rows name the contract, and what they state. */
const CHANNELS: Readonly<Record<string, readonly [SymbolOf, RowDecoder]>> = {
  ...QUOTE_CHANNELS,
  'futures.order_book': ['contract', book(WHOLE, 'snapshot')],
  'futures.order_book_update': ['s', book(CHANGES, 'delta')],
  'futures.obu': [
    ({ s }) => symbolOfStream(s),
    (row, out) => {
      const full = row.wire.full ?? false;
      if (typeof full === 'boolean') (full ? takeWholeObu : takeObu)(row, out);
      else out.rejects.push({ symbol: row.symbol, reason: 'malformed', detail: 'full' });
    },
  ],
};

/** A frame of the futures socket: `subscribe` and `unsubscribe` acknowledge, `update` and `all` carry data. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { channel: name, error, event, result }: Wire = isWire(payload) ? payload : {};
  const channel = readText(name);
  if (channel === undefined) rejectShape(out, 'no channel');
  else if (isWire(error)) rejectError(out, error.code, error.message);
  else if (!channel.endsWith('.pong') && event !== 'subscribe' && event !== 'unsubscribe')
    takeResult(channel, result, context, out);
  return out;
}

function takeResult(channel: string, result: unknown, context: DecodeContext, out: Decoded): void {
  const known = CHANNELS[channel];
  // The second form of `futures.order_book` is a list of single changes without their place in the sequence.
  if (known === undefined || (channel === 'futures.order_book' && Array.isArray(result))) {
    rejectShape(out, `channel ${channel.slice(0, 40)}`);
    return;
  }
  const [symbolOf, take] = known;
  // One row, a list of rows, or (old captures) a list in a list.
  takeEach([result].flat(2), symbolOf, unitsOf, context, out, take);
}

export const frames = socket(
  'futures socket',
  /\bfutures\.[a-z_]+\b|fx-ws\.gateio\.ws|\/v4\/ws\//,
  decodeFrame,
);

const TIME = literal('{"time":');
const TIME_MS = literal(',"time_ms":');
const CHANNEL = literal(',"channel":"futures.obu","event":"update","result":{"t":');
const FULL = literal(',"full":true');
const STREAM = literal(',"s":"');
const FIRST = literal('","U":');
const LAST = literal(',"u":');
const LAST_FULL = literal('","u":');
const BIDS = literal(',"b":');
const ASKS = literal(',"a":');
const END = literal('}}');

/**
 * Scans the pushes of `futures.obu`:
 * `{"time":…,"time_ms":…,"channel":…,"event":…,"result":{"t":…,"full":true,"s":…,"U":…,"u":…,"b":[…],"a":[…]}}`. A whole
 * book has `full` and no `U`; a side without changes is left out.
 */
function obuScanner(): BookScan {
  const scan = new FrameScanner();
  /** Contracts by the stream's name. */
  const symbols = new Map<string, string>();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(TIME) || Number.isNaN(scan.number())) return false;
    if (!scan.skip(TIME_MS) || Number.isNaN(scan.number()) || !scan.skip(CHANNEL)) return false;
    const changedAt = scan.time();
    into.isSnapshot = scan.skip(FULL);
    if (Number.isNaN(changedAt) || !scan.skip(STREAM)) return false;
    const stream = scan.name();
    into.symbol = symbols.get(stream) ?? remember(symbols, stream);
    if (into.symbol === '' || !readNumbers(scan, into)) return false;
    // The last change before a snapshot may be long ago.
    if (!into.isSnapshot) into.venueTime = changedAt;
    return readSides(scan, into) && scan.skip(END) && scan.ended();
  };
}

function remember(symbols: Map<string, string>, stream: string): string {
  const symbol = symbolOfStream(stream) ?? '';
  if (symbol !== '') symbols.set(stream, symbol);
  return symbol;
}

function readNumbers(scan: FrameScanner, into: BookFrame): boolean {
  if (into.isSnapshot) {
    if (!scan.skip(LAST_FULL)) return false;
  } else {
    if (!scan.skip(FIRST)) return false;
    into.firstSequence = scan.sequence();
    if (Number.isNaN(into.firstSequence) || !scan.skip(LAST)) return false;
  }
  into.sequence = scan.sequence();
  return !Number.isNaN(into.sequence);
}

function readSides(scan: FrameScanner, into: BookFrame): boolean {
  if (scan.skip(BIDS) && !scan.quotedLevels(into.bids)) return false;
  return !scan.skip(ASKS) || scan.quotedLevels(into.asks);
}

/** Subscriptions need no time that is right; the one of keep-alives is. */
const frame = (event: string) => (payload: readonly string[], id: number) => [
  JSON.stringify({ time: id, channel: 'futures.obu', event, payload }),
];

/** Levels of the stream; 50 come every 20 ms, 400 every 100 ms. */
const STREAM_LEVELS = 400;

/** REST gives 300 at most. */
const upTo = (levels: number) =>
  bookRequest(orderBook, ({ symbol }) => ({ contract: symbol, limit: levels, with_id: 'true' }), { levels });

/**
 * `futures.obu`: a snapshot (`full`), which may come again at any time, then changes, each of which begins
 * right behind the end of the one before; empty changes count too. A second subscription to the same stream
 * is refused: it has to end first. Books have their snapshot here, so none begins by REST.
 */
export const gateBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'older session',
    base: 'ws',
    path: '/v4/ws/usdt',
    call: frames,
    topicOf: ({ symbol }) => `ob.${symbol}.${STREAM_LEVELS}`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // No limit is stated; 150 streams on one connection were probed.
    topicsPerConnection: 100,
    topicsPerFrame: 50,
    framesPerSecond: 10,
    maxConnections: 3,
    compression: 'none',
    keepAlive: {
      everyMs: 15_000,
      frame: (now) => JSON.stringify({ time: seconds(now), channel: 'futures.ping' }),
    },
    // One quiet book was silent for 36 seconds.
    silenceMs: 40_000,
    normalBytes: 128 * KIB,
    scanner: obuScanner,
  },
  rest: { ...upTo(300), pool: 'order_book', shallow: upTo(50), budgetShare: 0.5 },
};
