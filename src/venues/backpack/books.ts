import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readText } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookScan } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, bestFirst, book } from '../grammar/book.ts';
import { ANY_CHANNEL, bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { MICROSECONDS, ms, number } from '../grammar/field.ts';
import { type RowDecoder, requested, requestedRows, takeEach } from '../grammar/rows.ts';
import { open, QUOTE_EVENTS, unitsOf } from './wire.ts';

/** A snapshot: both sides by rising price. Only the request names the contract. */
export const depth = endpoint(
  '/api/v1/depth',
  requestedRows(
    objectIn(open),
    requested(),
    unitsOf,
    book(
      {
        bids: bestFirst(arrayLevels('bids'), 'bids'),
        asks: bestFirst(arrayLevels('asks'), 'asks'),
        sequence: number('lastUpdateId'),
        venueTime: ms('timestamp', MICROSECONDS),
      },
      'snapshot',
    ),
  ),
);

/** Absolute sizes, zero removes the level; `U` of a change follows `u` of the one before. */
const takeChange = book(
  {
    bids: arrayLevels('b'),
    asks: arrayLevels('a'),
    sequence: number('u'),
    firstSequence: number('U'),
    venueTime: ms('T', MICROSECONDS),
  },
  'delta',
);

const EVENTS: Readonly<Record<string, RowDecoder>> = { ...QUOTE_EVENTS, depth: takeChange };

/** A push `{stream, data}`, or its data alone. Requests are not acknowledged. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const body = open(payload, out);
  if (out.rejects.length > 0) return out;
  const data = isWire(body) && isWire(body.data) ? body.data : body;
  const event = isWire(data) ? readText(data.e) : undefined;
  const take = EVENTS[event ?? ''];
  if (take === undefined) rejectShape(out, event === undefined ? 'no event' : `event ${event.slice(0, 40)}`);
  else takeEach([data], 's', unitsOf, context, out, take);
  return out;
}

/** Streams by name, the socket's address, and subscriptions. */
export const frames = socket('socket', ANY_CHANNEL, decodeFrame);

const EVENT_TIME = literal('{"data":{"E":');
const ENGINE_TIME = literal(',"T":');
const FIRST = literal(',"U":');
const ASKS = literal(',"a":');
const BIDS = literal(',"b":');
const SYMBOL = literal(',"e":"depth","s":"');
const LAST = literal('","u":');
const STREAM = literal('},"stream":"depth.');
const END = literal('"}');

/**
 * Scans the pushes of `depth`:
 * `{"data":{"E":…,"T":…,"U":…,"a":[…],"b":[…],"e":"depth","s":…,"u":…},"stream":"depth.…"}`.
 */
function depthScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(EVENT_TIME) || Number.isNaN(scan.number()) || !scan.skip(ENGINE_TIME)) return false;
    into.venueTime = readMs(scan.number(), MICROSECONDS) ?? Number.NaN;
    if (!scan.skip(FIRST)) return false;
    into.firstSequence = scan.sequence();
    if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids) || !scan.skip(SYMBOL)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(LAST)) return false;
    into.sequence = scan.sequence();
    if (Number.isNaN(into.sequence + into.firstSequence + into.venueTime)) return false;
    return scan.skip(STREAM) && scan.name() !== '' && scan.skip(END) && scan.ended();
  };
}

const frame = (method: string) => (params: readonly string[]) => [JSON.stringify({ method, params })];

/**
 * `depth.200ms.{symbol}`: changes gathered over 200 ms, joined with a REST book. Of the changes, those with `u` up to
 * `lastUpdateId` are in the book already, the first after it begins (`U`) right behind it or before, and from then on
 * each `U` is the `u` before plus one. Prices are numbers: REST writes `86700` for the stream's `86700.0`.
 */
export const backpackBooks: BookFeed = {
  initialSnapshot: 'rest',
  continuity: CHAINED,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '',
    call: frames,
    topicOf: ({ symbol }) => `depth.200ms.${symbol}`,
    subscribe: frame('SUBSCRIBE'),
    unsubscribe: frame('UNSUBSCRIBE'),
    // Nothing is published; 91 streams in one frame were probed.
    topicsPerConnection: 100,
    topicsPerFrame: 50,
    framesPerSecond: 5,
    maxConnections: 2,
    compression: 'none',
    // A book at rest is silent; one was for 30 seconds.
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
    scanner: depthScanner,
  },
  rest: {
    // The most that the call gives; two of 91 books had as many.
    ...bookRequest(depth, ({ symbol }) => ({ symbol, limit: 1000 }), { levels: 1000 }),
    // Every book begins with one: of five a second these are three.
    budgetShare: 0.6,
  },
};
