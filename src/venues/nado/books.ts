import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { objectIn, rejectShape, rowsIn } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book, levelsOf, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, NANOSECONDS, number } from '../grammar/field.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import { contractOf, fromX18, open, takeRate, takeTouch, unitsOf } from './wire.ts';

/** Plain numbers, best first; numbered as nothing else. */
export const orderbook = endpoint(
  '/v2/orderbook',
  contractRows(
    rowsIn(open, { row: 'ticker_id' }),
    'ticker_id',
    unitsOf,
    book({ bids: arrayLevels('bids'), asks: arrayLevels('asks'), venueTime: ms('timestamp') }, 'snapshot'),
  ),
  { name: 'v2/orderbook' },
);

/** Levels of scaled integers. */
const scaled =
  (name: string): SideReader =>
  (row) => {
    const levels = wireArray(row.wire[name]);
    return levelsOf(
      levels?.map((level) => (Array.isArray(level) ? [fromX18(level[0]), fromX18(level[1])] : level)),
      row,
    );
  };

/** Books are numbered by their time in ns. */
const numberedBy = (time: string): BookTable => ({
  bids: scaled('bids'),
  asks: scaled('asks'),
  sequence: number(time),
  previousSequence: number('last_max_timestamp'),
  venueTime: ms(time, NANOSECONDS),
});

export const liquidity = endpoint(
  '/v1/query',
  contractRows(
    objectIn((payload, out) => {
      const answer = open(payload, out);
      return isWire(answer) ? answer.data : answer;
    }),
    contractOf,
    unitsOf,
    book(numberedBy('timestamp'), 'snapshot'),
  ),
  { name: 'market_liquidity', answers: (query) => query.get('type') === 'market_liquidity' },
);

const TYPES: Readonly<Record<string, RowDecoder>> = {
  book_depth: book(numberedBy('max_timestamp'), 'delta'),
  best_bid_offer: takeTouch,
  all_bbo: takeTouch,
  funding_rate: takeRate,
};

/** A frame by its type; `all_bbo` maps the best prices of all products. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const take = TYPES[String(frame.type)];
  const all = isWire(frame.bbos) ? Object.entries(frame.bbos) : undefined;
  const rows = all?.map(([product_id, touch]) =>
    isWire(touch) ? { product_id, bid_price: touch.bid, ask_price: touch.ask } : touch,
  );
  if (take !== undefined) takeEach(rows ?? [frame], contractOf, unitsOf, context, out, take);
  else if (open(payload, out) !== undefined && frame.result === undefined)
    rejectShape(out, String(frame.type).slice(0, 40));
  return out;
};

export const frames = socket(
  'frame',
  /book_depth|best_bid_offer|all_bbo|^funding_rate$|"type":\s*"funding_rate"|v1\/subscribe/,
  decodeFrame,
);

const frame = (method: string) => (products: readonly string[], id: number) =>
  products.map((product) =>
    JSON.stringify({ method, stream: { type: 'book_depth', product_id: Number(product) }, id }),
  );

/** The most that the query gives. */
const LEVELS = 100;

/**
 * `book_depth`: changes only, about every 50 ms; the `last_max_timestamp` of each is the `max_timestamp`
 * before, and an empty change is a heartbeat. The snapshot comes from the query `market_liquidity`, whose
 * time stands in the same order: changes that end after it follow.
 */
export const nadoBooks: BookFeed = {
  initialSnapshot: 'rest',
  continuity: CHAINED,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/v1/subscribe',
    call: frames,
    topicOf: ({ altId }) => altId,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // No limit of streams is stated.
    topicsPerConnection: 100,
    topicsPerFrame: 1,
    framesPerSecond: 10,
    maxConnections: 1,
    // The handshake is refused (403) where it is not offered.
    compression: 'permessage-deflate',
    keepAlive: {
      everyMs: 25_000,
      frame: (now) => JSON.stringify({ method: 'ping', id: 0, client_time: String(now) }),
    },
    silenceMs: 30_000,
    normalBytes: 256 * KIB,
  },
  rest: {
    ...bookRequest(
      liquidity,
      ({ altId = '' }) => ({ type: 'market_liquidity', product_id: altId, depth: LEVELS }),
      { levels: LEVELS },
    ),
    budgetShare: 0.3,
  },
};
