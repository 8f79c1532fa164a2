import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { DecodeContext } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, before, book } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number, required } from '../grammar/field.ts';
import { contractRows, takeEach } from '../grammar/rows.ts';
import { requestParam } from '../request-param.ts';
import { resultIn, takeTicker, takeTickerChange, unitsIn, unitsOf } from './wire.ts';

/** `u` grows by one from frame to frame of a topic; `seq` is shared by all depths and may skip. */
const BOOK: BookTable = {
  bids: arrayLevels('b'),
  asks: arrayLevels('a'),
  sequence: number('u'),
  // Of the matching engine, else of the push.
  venueTime: { ...ms('cts'), raw: ({ cts, ts }) => cts ?? ts },
};
const takeWhole = book(BOOK, 'snapshot');
const takeChange = book({ ...BOOK, sequence: required(number('u')), previousSequence: before('u') }, 'delta');

/**
 * A snapshot; `u` numbers it as the 1000-level stream does. Spot pairs have the names of linear contracts: only the
 * request says which was meant.
 */
export const orderbook = endpoint(
  '/v5/market/orderbook',
  contractRows(
    resultIn,
    's',
    (context, symbol) => unitsIn(requestParam(context.request, 'category'))(context, symbol),
    takeWhole,
  ),
);

/** A frame: `tickers.*` and `orderbook.*` pushes, a snapshot and then what changed; acknowledgements, pongs. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (!isWire(payload)) rejectShape(out, 'no frame');
  else if (readText(payload.topic) !== undefined) takePush(payload, context, out);
  else if (readText(payload.op) === undefined) rejectShape(out, 'no topic');
  else if (payload.success === false) rejectError(out, payload.op, payload.ret_msg);
  return out;
}

function takePush({ topic, type, data, ts, cts }: Wire, context: DecodeContext, out: Decoded): void {
  const [channel = ''] = String(topic).split('.', 1);
  const isWhole = type === 'snapshot';
  const take = {
    tickers: isWhole ? takeTicker : takeTickerChange,
    orderbook: isWhole ? takeWhole : takeChange,
  }[channel];
  if (take === undefined || !isWire(data) || !(isWhole || type === 'delta')) {
    rejectShape(out, `${topic} ${type}`.slice(0, 60));
    return;
  }
  const row = channel === 'tickers' ? { ...data, frameTime: ts } : { ...data, ts, cts };
  takeEach([row], channel === 'tickers' ? 'symbol' : 's', unitsOf, context, out, take);
}

/** Topics, the socket's address, and subscriptions. */
export const stream = socket(
  'stream',
  /^(?!\/v5\/market).*\b(?:tickers|orderbook)\.\w|^(?:subscribe|ping)$|\/v5\/public\//,
  decodeFrame,
);

const TOPIC = literal('{"topic":"orderbook.');
const TYPE = literal('","type":"');
const SNAPSHOT = literal('snapshot","ts":');
const DELTA = literal('delta","ts":');
const SYMBOL = literal(',"data":{"s":"');
const BIDS = literal('","b":');
const ASKS = literal(',"a":');
const UPDATE = literal(',"u":');
const SEQUENCE = literal(',"seq":');
const ENGINE_TIME = literal('},"cts":');
const END = literal('}');

/**
 * Scans the pushes of `orderbook.*` of linear contracts:
 * `{"topic":…,"type":…,"ts":…,"data":{"s":…,"b":[…],"a":[…],"u":…,"seq":…},"cts":…}`.
 */
function orderbookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(TOPIC) || scan.name() === '' || !scan.skip(TYPE)) return false;
    if (scan.skip(SNAPSHOT)) into.isSnapshot = true;
    else if (!scan.skip(DELTA)) return false;
    const pushedAt = scan.number();
    return readBook(scan, into) && !Number.isNaN(pushedAt) && scan.skip(END) && scan.ended();
  };
}

function readBook(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SYMBOL)) return false;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
  if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks) || !scan.skip(UPDATE)) return false;
  into.sequence = scan.sequence();
  if (!into.isSnapshot) into.previousSequence = into.sequence - 1;
  if (!scan.skip(SEQUENCE)) return false;
  const crossSequence = scan.number();
  if (!scan.skip(ENGINE_TIME)) return false;
  into.venueTime = scan.time();
  return !Number.isNaN(into.sequence + crossSequence + into.venueTime);
}

/** Levels of the topic and of the REST book; `u` of both is the same only at this depth. */
const LEVELS = 1000;

/** A snapshot with `u` 1 says that the venue counts again. */
const continuity: Continuity = {
  ...CHAINED,
  checkSnapshot: (last, stamps) => (stamps.sequence === 1 ? 'apply' : CHAINED.checkSnapshot(last, stamps)),
};

const frame = (op: string) => (args: readonly string[], id: number) => [
  JSON.stringify({ op, args, req_id: String(id) }),
];

const upTo = (levels: number) =>
  bookRequest(orderbook, ({ symbol }) => ({ category: 'linear', symbol, limit: levels }), { levels });

/** `orderbook.1000`: a snapshot, then changes every 200 ms. */
export const bybitBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity,
  stream: {
    evidence: 'pair',
    base: 'ws',
    path: '/v5/public/linear',
    call: stream,
    topicOf: ({ symbol }) => `orderbook.${LEVELS}.${symbol}`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // 21,000 characters of topics are the limit of a connection.
    topicsPerConnection: 200,
    topicsPerFrame: 50,
    framesPerSecond: 5,
    maxConnections: 5,
    compression: 'none',
    keepAlive: { everyMs: 20_000, frame: () => '{"op":"ping"}' },
    silenceMs: 15_000,
    normalBytes: 128 * KIB,
    scanner: orderbookScanner,
  },
  // The limit is generous, a breach costs ten minutes, and an answer is large.
  rest: { ...upTo(LEVELS), shallow: upTo(200), budgetShare: 0.05 },
};
