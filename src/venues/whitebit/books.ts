import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, book, type SideReader } from '../grammar/book.ts';
import { ANY_CHANNEL, bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { field, ms, number, price, rate, required, SECONDS } from '../grammar/field.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { namedOrRequested, type RowDecoder, requestedRows, takeEach } from '../grammar/rows.ts';
import { open, PUBLISHED, unitsOf } from './wire.ts';

/** A snapshot without a number; the stamp is the second of the answer. */
export const orderbook = endpoint(
  '/api/v4/public/orderbook/*',
  requestedRows(
    objectIn(open),
    namedOrRequested('ticker_id'),
    unitsOf,
    book(
      { bids: arrayLevels('bids'), asks: arrayLevels('asks'), venueTime: ms('timestamp', SECONDS) },
      'snapshot',
    ),
  ),
);

/** A side without changes is left out, never both. */
function changed(own: string, other: string): SideReader {
  const levels = arrayLevels(own);
  return (row) => ((row.wire[own] ?? null) === null && (row.wire[other] ?? null) !== null ? [] : levels(row));
}

/** A change must follow the update that `past_update_id` names; numbers are not dense. */
const takeDepth = book(
  {
    bids: changed('bids', 'asks'),
    asks: changed('asks', 'bids'),
    sequence: number('update_id'),
    previousSequence: number('past_update_id'),
    venueTime: { ...ms('event_time', SECONDS), raw: ({ event_time, timestamp }) => event_time ?? timestamp },
  },
  ({ isWhole }) => (isWhole === true ? 'snapshot' : 'delta'),
);

/** A message must say whether it is whole. */
const takeStatedDepth: RowDecoder = (row, out) => {
  if (typeof row.wire.isWhole === 'boolean') takeDepth(row, out);
  else out.rejects.push({ symbol: row.symbol, reason: 'malformed', detail: 'whole or change' });
};

const takeVolume = quotes({ volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'deal' }) });

/** Statistics of the last `period` seconds; only those of a day are volumes of 24 h. */
const takeStatistics: RowDecoder = (row, out) => {
  const { wire, symbol } = row;
  if (readNumber(wire.period) === 86_400) takeVolume(row, out);
  else out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'statistics of another period' });
};

type Params = readonly unknown[];

/** Records of all markets come in one list; that of a named market comes bare. */
const records = (params: Params): Params => (Array.isArray(params[0]) ? params : [params]);
const part = (wire: unknown): Wire => (isWire(wire) ? wire : {});

/** Pushes by method: the rows in their parameters, how those name the contract, and what they state. */
const METHODS: Readonly<Record<string, readonly [(params: Params) => Params, symbol: string, RowDecoder]>> = {
  depth_update: [
    ([isWhole, sides, market]) => [{ ...part(sides), isWhole, market }],
    'market',
    takeStatedDepth,
  ],
  // [market, mark, index, rate, next settlement, sent]; the settlement is in ms, in seconds by the documents.
  premiumIndex_update: [
    records,
    '0',
    quotes({
      fundingRate: required(rate(3)),
      nextFundingTime: field(4, (raw) => readMs(raw) ?? readMs(raw, SECONDS)),
      markPrice: price(1),
      indexPrice: price(2),
    }),
  ],
  // [transaction time, message time, market, update, bid, its amount, ask, its amount]
  bookTicker_update: [records, '2', quotes({ bestBid: price(4), bestAsk: price(6) })],
  market_update: [([market, statistics]) => [{ ...part(statistics), market }], 'market', takeStatistics],
};

/** Acknowledgements and pongs have `result` instead of `method`. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = part(payload);
  const method = readText(frame.method);
  const params = wireArray(frame.params);
  if (method === undefined || params === undefined) {
    const body = open(payload, out);
    if (out.rejects.length === 0 && body === payload) rejectShape(out, 'no method');
    return out;
  }
  const [rowsOf, symbol, take] = METHODS[method] ?? [];
  if (rowsOf === undefined || symbol === undefined || take === undefined)
    rejectShape(out, `method ${method.slice(0, 40)}`);
  else takeEach(rowsOf(params), symbol, unitsOf, context, out, take);
  return out;
}

export const frames = socket('socket', ANY_CHANNEL, decodeFrame);

/** The most that stream and REST give. */
const LEVELS = 100;

const frame = (method: string, rest: Params) => (markets: readonly string[], id: number) =>
  markets.map((market) => JSON.stringify({ id, method, params: [market, ...rest] }));

/**
 * `depth` of 100 levels: a snapshot first, then changes each 100 ms; the `past_update_id` of each is the
 * `update_id` before, that of a snapshot included. A book at rest is sent whole after ten seconds. Levels that leave
 * the window are deleted. The REST book is not numbered: it is compared, never joined.
 */
export const whitebitBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'pair',
    base: 'ws',
    path: '/ws',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    // The last parameter keeps the other subscriptions of the connection.
    subscribe: frame('depth_subscribe', [LEVELS, '0', true]),
    unsubscribe: frame('depth_unsubscribe', []),
    // No limit is stated; 397 books on one connection were probed.
    topicsPerConnection: 200,
    topicsPerFrame: 1,
    // 12,000 requests in ten seconds are allowed to a connection: all books are asked for within four seconds.
    framesPerSecond: 50,
    maxConnections: 3,
    compression: 'none',
    keepAlive: { everyMs: 20_000, frame: () => '{"id":0,"method":"ping","params":[]}' },
    silenceMs: 20_000,
    normalBytes: 64 * KIB,
  },
  rest: {
    ...bookRequest(orderbook, () => ({ limit: LEVELS, level: 0 }), { levels: LEVELS }),
    pool: 'orderbook',
    budgetShare: 0.25,
  },
};
