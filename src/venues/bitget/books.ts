import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { DecodeContext } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { field, ms, number } from '../grammar/field.ts';
import { type RowDecoder, requested, requestedRows, takeOf } from '../grammar/rows.ts';
import { open, takeTicker, takeUnifiedTicker, unitsOf } from './wire.ts';

/** `pseq` is the `seq` of the message before; a message that names 0 follows none. */
const CLASSIC_BOOK: BookTable = {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('seq'),
  previousSequence: field('pseq', (raw) => readNumber(raw) || undefined),
  venueTime: ms('ts'),
};
const UNIFIED_BOOK: BookTable = { ...CLASSIC_BOOK, bids: arrayLevels('b'), asks: arrayLevels('a') };

/** Snapshots; the request names the contract. */
const restBook = (path: string, name: string, table: BookTable) =>
  endpoint(path, requestedRows(objectIn(open), requested(), unitsOf, book(table, 'snapshot')), { name });

export const mergeDepth = restBook('/api/v2/mix/market/merge-depth', 'merge-depth', CLASSIC_BOOK);
export const unifiedBook = restBook('/api/v3/market/orderbook', 'v3 orderbook', UNIFIED_BOOK);

/** Channels whose every message is a snapshot, whatever its action says. */
const isWhole = (channel: string, action: unknown): boolean =>
  /^books\d+$/.test(channel) || action === 'snapshot';

const BOOKS = {
  classic: { whole: book(CLASSIC_BOOK, 'snapshot'), change: book(CLASSIC_BOOK, 'delta'), ticker: takeTicker },
  unified: {
    whole: book(UNIFIED_BOOK, 'snapshot'),
    change: book(UNIFIED_BOOK, 'delta'),
    ticker: takeUnifiedTicker,
  },
};

/** Product types that are no linear perpetuals, lower case; `mc` of the v1 stream holds all contracts. */
const OUT_OF_SCOPE_TYPES: Readonly<Record<string, OutOfScopeReason>> = {
  spot: 'spot',
  sp: 'spot',
  'coin-futures': 'inverse',
  'susdt-futures': 'foreign_quote',
  'susdc-futures': 'foreign_quote',
  'scoin-futures': 'foreign_quote',
};

/**
 * A frame of `/v2/ws/public` or `/v3/ws/public` (and of the v1 stream, whose books have the same form). Acknowledgements
 * carry no data; neither do login and unsubscribe answers.
 */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (payload === 'pong' || payload === 'ping') return out;
  if (!isWire(payload)) rejectShape(out, 'no frame');
  else if (payload.event === 'error' || (payload.event === undefined && payload.code !== undefined))
    rejectError(out, payload.code, payload.msg);
  else if (payload.event === undefined) takePush(payload, context, out);
  return out;
}

/** v2 names `channel` and `instId`, v3 `topic` and `symbol`. */
function takePush({ arg, action, data, ts }: Wire, context: DecodeContext, out: Decoded): void {
  const { channel: classic, topic, instId, symbol, instType }: Wire = isWire(arg) ? arg : {};
  const channel = readText(classic) ?? readText(topic);
  if (channel === undefined || !Array.isArray(data)) {
    rejectShape(out, 'arg or data');
    return;
  }
  const takes = classic === undefined ? BOOKS.unified : BOOKS.classic;
  const take = takeOfChannel(channel, action, takes);
  if (take === undefined) {
    rejectShape(out, `channel ${channel.slice(0, 40)}`);
    return;
  }
  const outOfScope = OUT_OF_SCOPE_TYPES[String(instType).toLowerCase()];
  const units: UnitsLookup = outOfScope === undefined ? unitsOf : () => outOfScope;
  const rows = data.map((row: unknown) => (isWire(row) ? { ...row, frameTime: ts } : row));
  takeOf(readText(classic === undefined ? symbol : instId), rows, units, context, out, take);
}

function takeOfChannel(
  channel: string,
  action: unknown,
  takes: typeof BOOKS.classic,
): RowDecoder | undefined {
  if (channel === 'ticker') return takes.ticker;
  if (!channel.startsWith('books')) return undefined;
  if (isWhole(channel, action)) return takes.whole;
  if (action === 'update') return takes.change;
  return ({ symbol }, out) => {
    out.rejects.push(fieldFault(symbol, 'action', action));
  };
}

export const frames = socket(
  'public socket',
  /\bbooks\d*\b|\bticker\b(?!\?)|\/v[23]\/ws\/public/,
  decodeFrame,
);

const UPDATE = literal('{"action":"update","arg":{"instType":"');
const SNAPSHOT = literal('{"action":"snapshot","arg":{"instType":"');
const USDT = literal('usdt-futures","topic":"books","symbol":"');
const USDC = literal('usdc-futures","topic":"books","symbol":"');
const ASKS = literal('"},"data":[{"a":');
const BIDS = literal(',"b":');
const CHECKSUM = literal(',"checksum":');
const MINUS = literal('-');
const SEQUENCE = literal(',"seq":');
const BEFORE = literal(',"pseq":');
const TIME = literal(',"ts":"');
const MAX_DEPTH = literal('","maxdepth":"');
const MAX_DEPTH_DOCUMENTED = literal('","maxDepth":"');
const SENT = literal('"}],"ts":');
const END = literal('}');

/**
 * Scans the pushes of `books` of the unified socket: `{"action":…,"arg":{"instType":…,"topic":"books","symbol":…},
 * "data":[{"a":[…],"b":[…],"seq":…,"pseq":…,"ts":…,"maxdepth":…}],"ts":…}`. Frames of 2026-04 have a checksum before `seq`, and
 * no depth.
 */
function booksScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (scan.skip(SNAPSHOT)) into.isSnapshot = true;
    else if (!scan.skip(UPDATE)) return false;
    if (!scan.skip(USDT) && !scan.skip(USDC)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids) || !passChecksum(scan)) return false;
    return readStamps(scan, into) && scan.skip(END) && scan.ended();
  };
}

/** False where a checksum stands that is no number. */
function passChecksum(scan: FrameScanner): boolean {
  if (!scan.skip(CHECKSUM)) return true;
  scan.skip(MINUS);
  return !Number.isNaN(scan.number());
}

/** False where the most levels of the book are stated, and are no number. */
function passMaxDepth(scan: FrameScanner): boolean {
  return !(scan.skip(MAX_DEPTH) || scan.skip(MAX_DEPTH_DOCUMENTED)) || !Number.isNaN(scan.number());
}

/** A message that names 0 as the one before follows none. */
function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SEQUENCE)) return false;
  into.sequence = scan.sequence();
  if (!scan.skip(BEFORE)) return false;
  const before = scan.sequence();
  if (before !== 0) into.previousSequence = before;
  if (!scan.skip(TIME)) return false;
  into.venueTime = scan.time();
  if (Number.isNaN(into.sequence + before + into.venueTime)) return false;
  return passMaxDepth(scan) && scan.skip(SENT) && !Number.isNaN(scan.number());
}

type Rule = Continuity['checkDelta'];

/** A change that names none before it comes after the venue has begun to count again. */
const named =
  (rule: Rule): Rule =>
  (last, stamps) =>
    Number.isNaN(stamps.previousSequence) ? 'gap' : rule(last, stamps);

/** Snapshots and changes are numbered alike, so that the first change behind a snapshot names it. */
const continuity: Continuity = {
  ...CHAINED,
  checkDelta: named(CHAINED.checkDelta),
  checkFirstDelta: named(CHAINED.checkDelta),
};

const productOf = ({ quote }: Instrument): string => (quote === 'USDC' ? 'usdc-futures' : 'usdt-futures');

/** Topics are `usdt-futures BTCUSDT`: a subscription names the product too. */
const frame = (op: string) => (topics: readonly string[]) => {
  const args = topics.map((topic) => {
    const [instType, symbol] = topic.split(' ');
    return { instType, topic: 'books', symbol };
  });
  return [JSON.stringify({ op, args })];
};

const bookOf = (more: Readonly<Record<string, number>>, levels: number) =>
  bookRequest(
    mergeDepth,
    (instrument) => ({
      symbol: instrument.symbol,
      productType: productOf(instrument).toUpperCase(),
      precision: 'scale0',
      ...more,
    }),
    { levels },
  );

/**
 * `books` of the unified (v3) socket: all levels first, then changes each 50 to 65 ms; the `pseq` of each is the
 * `seq` before. The REST book is not numbered: it is compared, never joined.
 */
export const bitgetBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity,
  stream: {
    evidence: 'older session',
    base: 'ws',
    path: '/v3/ws/public',
    call: frames,
    topicOf: (instrument) => `${productOf(instrument)} ${instrument.symbol}`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // 1000 channels are allowed, 50 are advised; 240 subscriptions an hour and 10 messages a second.
    topicsPerConnection: 50,
    topicsPerFrame: 10,
    framesPerSecond: 5,
    maxConnections: 4,
    compression: 'none',
    // The connection ends after two minutes without one.
    keepAlive: { everyMs: 25_000, frame: () => 'ping' },
    silenceMs: 30_000,
    normalBytes: 128 * KIB,
    scanner: booksScanner,
  },
  // Where no number is asked for, there are 100.
  rest: { ...bookOf({}, 100), pool: 'merge-depth', shallow: bookOf({ limit: 15 }, 15), budgetShare: 0.4 },
};
