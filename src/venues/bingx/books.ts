import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { type Continuity, INCREASING } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { type BookTable, bestFirst, book, levelsOf, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { namedOrRequested, type RowDecoder, requestedRows, takeOf } from '../grammar/rows.ts';
import { open, QUOTE_TOPICS, unitsOf } from './wire.ts';

/** One side in coins. Where an answer has two lists, `bids` may count contracts and `bidsCoin` counts coins. */
const coins = (which: 'bids' | 'asks'): SideReader =>
  // The venue lists asks worst first in frames and in older answers.
  bestFirst((row) => levelsOf(row.wire[`${which}Coin`] ?? row.wire[which], row), which);

/** A level of a snapshot that was rounded down to nothing is no level. */
const withoutEmpty =
  (side: SideReader): SideReader =>
  (row) =>
    side(row)?.filter(([, size]) => size > 0);

const CHANGE: BookTable = {
  bids: coins('bids'),
  asks: coins('asks'),
  sequence: number('lastUpdateId'),
  venueTime: ms('time'),
};
const WHOLE: BookTable = { ...CHANGE, bids: withoutEmpty(CHANGE.bids), asks: withoutEmpty(CHANGE.asks) };

/** The best levels, not numbered. */
const takeBest = book(
  { ...WHOLE, venueTime: { ...ms('T'), raw: ({ T, frameTime }) => T ?? frameTime } },
  'snapshot',
);

export const depth = endpoint(
  '/openApi/swap/v2/quote/depth',
  requestedRows(objectIn(open), namedOrRequested(), unitsOf, takeBest),
);

const INCREMENTS: Readonly<Record<string, RowDecoder>> = {
  all: book(WHOLE, 'snapshot'),
  update: book(CHANGE, 'delta'),
};

/**
 * `all` is a snapshot, `update` a change, size 0 deletes. `lastUpdateId` rises, but skips without loss: a change applies
 * when it is above the last.
 */
const takeIncrement: RowDecoder = (row, out) => {
  const take = INCREMENTS[String(row.wire.action)];
  if (take !== undefined) take(row, out);
  else out.rejects.push({ symbol: row.symbol, reason: 'unexpected_shape', detail: 'action' });
};

const TOPICS: Readonly<Record<string, RowDecoder>> = {
  ...QUOTE_TOPICS,
  incrDepth: takeIncrement,
  depth: takeBest,
};

/** Topics by the event that a push states, for pushes whose `dataType` is blank. */
const EVENTS: Readonly<Record<string, string>> = {
  bookTicker: 'bookTicker',
  markPriceUpdate: 'markPrice',
  '24hTicker': 'ticker',
};

/** Contract and topic of a push: `BTC-USDT@depth20@200ms` says them, else the event in its data. */
function subjectOf({
  dataType,
  data,
}: Wire): readonly [symbol: string | undefined, topic: string | undefined] {
  const [, named, topic] = /^([^@]+)@([A-Za-z]+)/.exec(readText(dataType) ?? '') ?? [];
  return topic !== undefined || !isWire(data) ? [named, topic] : [readText(data.s), EVENTS[String(data.e)]];
}

/** Frames of `/swap-market`; an answer to a subscription has no data, and the keep-alive comes as plain text. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (typeof payload === 'string' && /^p[io]ng$/i.test(payload)) return out;
  open(payload, out);
  const frame: Wire = isWire(payload) ? payload : {};
  const isAnswer = (frame.id !== undefined && frame.data === null) || frame.reqType !== undefined;
  if (isAnswer || out.rejects.length > 0) return out;
  const [named, topic] = subjectOf(frame);
  const rows = [frame.data].flat().map((row) => (isWire(row) ? { ...row, frameTime: frame.ts } : row));
  const take = TOPICS[topic ?? ''];
  if (topic === undefined) rejectShape(out, 'no data of a known type');
  else if (take !== undefined) takeOf(named, rows, unitsOf, context, out, take);
  return out;
}

export const frames = socket(
  'frame',
  /-USD[TC]?@[A-Za-z]|@(?:incrDepth|depth|markPrice|ticker|bookTicker)|\/swap-market\b|"dataType"/,
  decodeFrame,
);

/**
 * `lastUpdateId` grows with holes that mean nothing, so that a lost message does not show; a lower one came out of order,
 * an equal one twice. Right behind a snapshot neither breaks the book: its content is in the snapshot. The one that was
 * recorded is followed by its id + 1, which is no rule here: it is known of one stream only.
 */
const continuity: Continuity = {
  ...INCREASING,
  checkFirstDelta: (last, { sequence }) => (sequence > last ? 'apply' : 'stale'),
};

const frame = (reqType: 'sub' | 'unsub') => (topics: readonly string[], id: number) =>
  topics.map((dataType) => JSON.stringify({ id: String(id), reqType, dataType }));

const upTo = (levels: number) => bookRequest(depth, ({ symbol }) => ({ symbol, limit: levels }), { levels });

/**
 * `{symbol}@incrDepth`: a snapshot of up to 1024 levels first, then changes every 200 to 800 ms. The REST book has no
 * number: it is compared on a schedule, never joined.
 */
export const bingxBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity,
  stream: {
    evidence: 'pair',
    base: 'ws',
    path: '/swap-market',
    call: frames,
    topicOf: ({ symbol }) => `${symbol}@incrDepth`,
    subscribe: frame('sub'),
    unsubscribe: frame('unsub'),
    // Two hundred are allowed, and ten requests a second.
    topicsPerConnection: 100,
    topicsPerFrame: 1,
    framesPerSecond: 8,
    maxConnections: 3,
    compression: 'gzip',
    pong: (message) => (message === 'Ping' ? 'Pong' : undefined),
    silenceMs: 20_000,
    normalBytes: 256 * KIB,
  },
  // Documents say one request a second, the answers' headers fifty.
  rest: { ...upTo(1000), shallow: upTo(100), pool: 'depth', budgetShare: 0.06 },
};
