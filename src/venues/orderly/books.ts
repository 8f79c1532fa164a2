import { emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readMs, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { type BookTable, book, levelsOf, type SideReader } from '../grammar/book.ts';
import { endpoint, post, socket } from '../grammar/calls.ts';
import { field, ms } from '../grammar/field.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import { open, QUOTE_TOPICS, unitsOf } from './wire.ts';

/** Levels of the query API are objects, those of the socket pairs. */
const levels =
  (name: string): SideReader =>
  (row) => {
    const side = wireArray(row.wire[name]);
    return levelsOf(
      side?.map((level) => (isWire(level) ? [level.price, level.quantity] : level)),
      row,
    );
  };

/** Numbered by time: of the book, else of the answer or frame around it. */
const BOOK_TIME = field('ts', (raw, { wire }) => readMs(raw) ?? readMs(wire.frameTime));

const BOOK: BookTable = {
  bids: levels('bids'),
  asks: levels('asks'),
  sequence: BOOK_TIME,
  venueTime: BOOK_TIME,
  previousSequence: ms('prevTs'),
};
const takeWhole = book(BOOK, 'snapshot');

/** The public REST book, best first. */
export const orderbook = endpoint(
  '/v1/public/query',
  contractRows(
    (payload, out) =>
      objectIn(open)(payload, out).map((data) => ({
        ...data,
        frameTime: isWire(payload) ? (payload.ts ?? payload.timestamp) : undefined,
      })),
    'symbol',
    unitsOf,
    takeWhole,
  ),
  { name: 'query orderbook' },
);

const TOPICS: Readonly<Record<string, RowDecoder>> = {
  ...QUOTE_TOPICS,
  orderbook: takeWhole,
  orderbookupdate: book(BOOK, 'delta'),
};

/** Topics of the index name a contract by its spot pair. */
const contractOf = ({ symbol }: Wire, topic: string): unknown =>
  topic.startsWith('index') ? readText(symbol)?.replace(/^SPOT_/, 'PERP_') : symbol;

/** A frame: rows of one topic, the answer to a request for a book, or an event of the connection. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const { topic, event, success, data, ts, errorMsg }: Wire = isWire(payload) ? payload : {};
  const named = event === 'request' ? 'orderbook' : readText(topic);
  const kind = named?.slice(named.indexOf('@') + 1) ?? '';
  const take = TOPICS[kind];
  if (success === false) rejectError(out, undefined, errorMsg);
  else if (take !== undefined) {
    const rows = [data]
      .flat()
      .map((row) => (isWire(row) ? { ...row, symbol: contractOf(row, kind), frameTime: ts } : row));
    takeEach(rows, 'symbol', unitsOf, context, out, take);
  } else if (named !== undefined || event === undefined)
    rejectShape(out, named === undefined ? 'no topic' : `topic ${named.slice(0, 40)}`);
  return out;
};

export const frames = socket(
  'frame',
  /@?(orderbook|orderbookupdate|estfundingrate|bbos?|tickers?|markprices?|indexprices?|openinterest)\b|ws\/stream|"topic"/,
  decodeFrame,
);

/** The last segment is a constant of the venue's public SDK; another value is refused. */
const PATH = '/ws/stream/OqdphuyCtYWxwzhxyLLjOWNdFP7sQt8RPWzmb5xY';

const frame = (event: string) => (topics: readonly string[], id: number) =>
  topics.map((topic, i) => JSON.stringify({ id: `${id}-${i}`, event, topic }));

const upTo = (levels: number) => ({
  request: ({ symbol }: Instrument) =>
    post(orderbook, { type: 'orderbook', symbol, max_level: levels }, symbol),
  weight: 1,
  levels,
});

/**
 * `@orderbookupdate`: changes only, each naming the time of the one before in `prevTs`; the snapshot comes over
 * the query API, whose `ts` is a link of the same chain.
 */
export const orderlyBooks: BookFeed = {
  initialSnapshot: 'rest',
  continuity: CHAINED,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: PATH,
    call: frames,
    topicOf: ({ symbol }) => `${symbol}@orderbookupdate`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // The 101st topic of a connection is refused.
    topicsPerConnection: 100,
    topicsPerFrame: 1,
    framesPerSecond: 10,
    maxConnections: 1,
    compression: 'none',
    keepAlive: { everyMs: 10_000, frame: () => '{"event":"ping"}' },
    pong: (message) => (isWire(message) && message.event === 'ping' ? '{"event":"pong"}' : undefined),
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
  // The query API gives at most 1000 levels a side.
  rest: { call: orderbook, pool: 'query', ...upTo(1000), shallow: upTo(100) },
};
