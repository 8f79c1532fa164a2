import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookEvidence, BookFeed, BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import type { Decoder, VenueCall } from '../call.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book } from '../grammar/book.ts';
import { bookRequest, type Endpoint, endpoint, socket } from '../grammar/calls.ts';
import { ms, number, required } from '../grammar/field.ts';
import { type RowDecoder, requested, requestedRows, takeEach } from '../grammar/rows.ts';
import { type FapiDialect, fapiSymbols, open, quoteEvents } from './wire.ts';

/** A snapshot; the request names its symbol. */
export const depthOf = (dialect: FapiDialect): Endpoint =>
  endpoint(
    `${dialect.prefix}/depth`,
    requestedRows(
      objectIn(open),
      requested(),
      fapiSymbols(dialect).unitsOf,
      book(
        {
          bids: arrayLevels('bids'),
          asks: arrayLevels('asks'),
          sequence: number('lastUpdateId'),
          venueTime: ms('E'),
        },
        'snapshot',
      ),
    ),
  );

const EVENT_BOOK: BookTable = {
  bids: arrayLevels('b'),
  asks: arrayLevels('a'),
  sequence: required(number('u')),
  firstSequence: number('U'),
  previousSequence: number('pu'),
  venueTime: ms('E'),
};

/** Partial books have the shape of changes but are whole each time; only the stream's name tells them apart. */
const PARTIAL_BOOK = /@depth(?:5|10|20)(?:@|$)/;

/** Events that state nothing this service keeps. */
const OTHER_EVENTS = new Set([
  'aggTrade',
  'trade',
  'kline',
  'continuous_kline',
  'markPrice_kline',
  'forceOrder',
  'contractInfo',
  'assetIndexUpdate',
  'compositeIndex',
]);

function takeEvents(events: Readonly<Record<string, RowDecoder>>): RowDecoder {
  return (row, out) => {
    const event = String(row.wire.e);
    const take = events[event];
    if (take !== undefined) take(row, out);
    else
      out.rejects.push({
        symbol: row.symbol,
        reason: 'unexpected_shape',
        detail: `event ${event.slice(0, 40)}`,
      });
  };
}

/** Decodes frames: bare events, arrays of them, or either wrapped as `{stream, data}`. */
function frameDecoder(dialect: FapiDialect): Decoder {
  const events = quoteEvents(dialect);
  const takeChanges = takeEvents({ ...events, depthUpdate: book(EVENT_BOOK, 'delta') });
  const takeWholes = takeEvents({ ...events, depthUpdate: book(EVENT_BOOK, 'snapshot') });
  const { unitsOf } = fapiSymbols(dialect);
  const isOurs = (row: unknown): boolean => !isWire(row) || !OTHER_EVENTS.has(String(row.e));
  return (payload, context) => {
    const out = emptyDecoded();
    const wrapper: Wire = isWire(payload) && payload.data !== undefined ? payload : { data: payload };
    const data = open(wrapper.data, out);
    const stream = readText(wrapper.stream) ?? context.request?.path ?? '';
    // `{"result":null,"id":1}` answers SUBSCRIBE and UNSUBSCRIBE.
    if (out.rejects.length > 0 || (isWire(data) && data.id !== undefined && 'result' in data)) return out;
    if (isWire(data) && isWire(data.error)) rejectError(out, data.error.code, data.error.msg);
    else if (!Array.isArray(data) && !(isWire(data) && data.e !== undefined)) rejectShape(out, 'no event');
    else {
      const take = PARTIAL_BOOK.test(stream) ? takeWholes : takeChanges;
      takeEach([data].flat().filter(isOurs), 's', unitsOf, context, out, take);
    }
    return out;
  };
}

/** Stream names (`btcusdt@depth@100ms`, `!markPrice@arr`, `!bookTicker`), socket addresses and subscriptions. */
export const framesOf = (dialect: FapiDialect): VenueCall =>
  socket('stream', /@|^!\w+$|^SUBSCRIBE$|\/(?:ws|stream)(?:[/?]|$)/, frameDecoder(dialect));

const WRAPPED = literal('{"stream":"');
const DATA = literal('","data":');
const EVENT = literal('{"e":"depthUpdate","E":');
const ENGINE_TIME = literal(',"T":');
const SYMBOL = literal(',"s":"');
const FIRST = literal('","U":');
const LAST = literal(',"u":');
const BEFORE = literal(',"pu":');
const BIDS = literal(',"b":');
const ASKS = literal(',"a":');
const END = literal('}');
const WRAPPED_END = literal('}}');

/**
 * Scans `depthUpdate` events, bare or as `{"stream":…,"data":…}`:
 * `{"e":"depthUpdate","E":…,"T":…,"s":…,"U":…,"u":…,"pu":…,"b":[…],"a":[…]}`. The partial books `@depth5` to
 * `@depth20` have the same shape and another meaning; they are left to the decoder.
 */
function depthUpdateScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    const wrapped = scan.skip(WRAPPED);
    if (wrapped && !isDiffStream(scan)) return false;
    if (!scan.skip(EVENT) || !readStamps(scan, into)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    return scan.skip(wrapped ? WRAPPED_END : END) && scan.ended();
  };
}

function isDiffStream(scan: FrameScanner): boolean {
  const stream = scan.name();
  const isDiff =
    stream.endsWith('@depth@100ms') || stream.endsWith('@depth') || stream.endsWith('@depth@500ms');
  return isDiff && scan.skip(DATA);
}

/** From `E` to `pu`; every number must be there. */
function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  into.venueTime = scan.time();
  if (!scan.skip(ENGINE_TIME)) return false;
  const engineTime = scan.number();
  if (!scan.skip(SYMBOL)) return false;
  into.symbol = scan.name();
  if (!scan.skip(FIRST)) return false;
  into.firstSequence = scan.sequence();
  if (!scan.skip(LAST)) return false;
  into.sequence = scan.sequence();
  if (!scan.skip(BEFORE)) return false;
  into.previousSequence = scan.sequence();
  // A number that was not there is NaN, and so is any sum with it.
  const all = engineTime + into.venueTime + into.firstSequence + into.sequence + into.previousSequence;
  return into.symbol !== '' && !Number.isNaN(all);
}

/** Differences between the books of the family's venues. */
export interface FapiBooks {
  readonly depth: Endpoint;
  readonly frames: VenueCall;
  readonly evidence: BookEvidence;
  /** Path of combined streams; their frames are wrapped as `{stream, data}`. */
  readonly path: string;
  readonly silenceMs: number;
  /** Part of the weight limit that books may use. */
  readonly budgetShare: number;
}

const frame = (method: string) => (topics: readonly string[], id: number) => [
  JSON.stringify({ method, params: topics, id }),
];

/**
 * Changes every 100 ms, joined with a REST book: of the changes, those with `u` up to `lastUpdateId` are in the book
 * already, the first after it has `pu` up to it, and from then on each `pu` is the `u` before. `U` follows no chain:
 * its numbers count the updates of all contracts.
 */
export function fapiBooks({ depth, frames, evidence, path, silenceMs, budgetShare }: FapiBooks): BookFeed {
  const upTo = (levels: number, weight: number) =>
    bookRequest(depth, ({ symbol }) => ({ symbol, limit: levels }), { levels, weight });
  return {
    initialSnapshot: 'rest',
    continuity: CHAINED,
    stream: {
      evidence,
      base: 'ws',
      path,
      call: frames,
      topicOf: ({ symbol }) => `${symbol.toLowerCase()}@depth@100ms`,
      subscribe: frame('SUBSCRIBE'),
      unsubscribe: frame('UNSUBSCRIBE'),
      topicsPerConnection: 200,
      topicsPerFrame: 50,
      framesPerSecond: 5,
      maxConnections: 3,
      compression: 'none',
      silenceMs,
      normalBytes: 64 * KIB,
      scanner: depthUpdateScanner,
    },
    rest: { ...upTo(500, 10), shallow: upTo(100, 5), budgetShare },
  };
}
