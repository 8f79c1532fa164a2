import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, before, book, levelsOf, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { hours, IN_MILLISECONDS, ms, NANOSECONDS, number, price, rate, required } from '../grammar/field.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { namedOrRequested, type RowDecoder, requestedRows, takeEach, takeOf } from '../grammar/rows.ts';
import { listedIndex, open, PUBLISHED, TOUCH, takeSettled, unitsOf } from './wire.ts';

const BOOK: BookTable = {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('sequence'),
};

const decodeSnapshot = requestedRows(
  objectIn(open),
  namedOrRequested(),
  unitsOf,
  book({ ...BOOK, venueTime: ms('ts', NANOSECONDS) }, 'snapshot'),
);

/** A snapshot in the sequence of the sockets. It has levels beyond the stream's 500, which nothing would ever change. */
export const level2 = endpoint('/api/v1/level2/depth100', decodeSnapshot, {
  name: 'level2',
  alsoAt: ['/api/v1/level2/*'],
});

/** The book of the unified account; its numbers are those of the classic snapshot. */
export const unifiedBook = endpoint('/api/ua/v1/market/orderbook', decodeSnapshot, {
  name: 'unified orderbook',
  base: 'unified',
  alsoAt: ['/api/ua/v2/market/orderbook'],
});

/** The side of one changed level, `change` is "price,side,size"; the other side has none. */
const changed =
  (wanted: 'buy' | 'sell'): SideReader =>
  (row) => {
    const [price, side, size] = String(row.wire.change).split(',');
    if (side !== 'buy' && side !== 'sell') return undefined;
    return levelsOf(side === wanted ? [[price, size]] : [], row);
  };

const CHANGE: BookTable = {
  bids: changed('buy'),
  asks: changed('sell'),
  sequence: number('sequence'),
  previousSequence: before('sequence'),
  venueTime: ms('timestamp'),
};

/** Messages of the classic socket by topic, or by their subject. */
const TOPICS: readonly (readonly [string, RowDecoder])[] = [
  // The snapshot every 100 ms.
  ['/contractMarket/level2Depth', book({ ...BOOK, venueTime: ms('timestamp') }, 'snapshot')],
  ['/contractMarket/level2', book(CHANGE, 'delta')],
];

const takeTouch = quotes(TOUCH);
const SUBJECTS: Readonly<Record<string, RowDecoder>> = {
  ticker: takeTouch,
  tickerV2: takeTouch,
  // Once a second, stamped on the second for which they were computed.
  'mark.index.price': quotes({
    markPrice: required(price('markPrice')),
    indexPrice: listedIndex('indexPrice'),
    venueTime: ms('timestamp'),
  }),
  // Once a minute; `granularity` is the cadence of the pushes, not the funding interval.
  'funding.rate': quotes({ fundingRate: required(rate('fundingRate')) }),
  'snapshot.24h': quotes({ volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'turnover' }) }),
  'funding.begin': takeSettled,
  'funding.end': takeSettled,
};

/** A message of the classic socket; the contract is in the data or behind the topic's colon. */
function takeClassic(frame: Wire, data: Wire, context: DecodeContext, out: Decoded): void {
  const topic = readText(frame.topic) ?? '';
  const take = TOPICS.find(([start]) => topic.startsWith(start))?.[1] ?? SUBJECTS[String(frame.subject)];
  if (take === undefined) {
    rejectShape(out, `topic ${topic.slice(0, 60)}`);
    return;
  }
  // A topic may list several contracts; then only the data can name the one.
  const named = /^[^:]*:([^,]+)$/.exec(topic)?.[1];
  takeOf(readText(data.symbol) ?? named, [data], unitsOf, context, out, take);
}

/** Sequences O..C, engine time M; an increment must begin at the last C + 1. `P` is beyond what a number holds exactly. */
const UNIFIED_BOOK: BookTable = {
  bids: arrayLevels('b'),
  asks: arrayLevels('a'),
  sequence: number('C'),
  venueTime: ms('M', NANOSECONDS),
};

const UNIFIED_BOOKS: Readonly<Record<string, RowDecoder>> = {
  snapshot: book(UNIFIED_BOOK, 'snapshot'),
  delta: book({ ...UNIFIED_BOOK, firstSequence: number('O') }, 'delta'),
};

/** Once a second, stamped on that second; open interest in lots. */
const takeMark = quotes({
  markPrice: required(price('mp')),
  indexPrice: listedIndex('ip'),
  openInterest: amount(PUBLISHED.openInterest, { contracts: 'oi' }),
  venueTime: ms('ts'),
});

const takeFunding = quotes({
  fundingRate: required(rate('fr')),
  fundingIntervalHours: hours('gl', IN_MILLISECONDS),
  nextFundingTime: ms('nt'),
});

function unifiedTake(type: string, kind: unknown): RowDecoder | undefined {
  if (type.startsWith('obu')) return UNIFIED_BOOKS[String(kind)];
  if (type === 'mark-price') return takeMark;
  return type.startsWith('funding-fee') ? takeFunding : undefined;
}

/** A message of the unified socket: type, kind, data; `funding-fee-all-symbols` carries a list. */
function takeUnified({ T: type, t: kind, d: data }: Wire, context: DecodeContext, out: Decoded): void {
  const take = unifiedTake(String(type), kind);
  if (take === undefined) rejectShape(out, `type ${type} ${kind}`.slice(0, 60));
  else takeEach([data].flat(), 's', unitsOf, context, out, take);
}

/** A frame of either public socket: classic (topics) or unified (message types). */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const { T: unified, topic, data, type, code, result, message } = frame;
  // Of a control: welcome, acknowledgements and pongs carry no data.
  const isControl =
    message === 'welcome' || result === true || ['welcome', 'ack', 'pong'].includes(String(type));
  if (unified !== undefined) takeUnified(frame, context, out);
  else if (topic !== undefined && isWire(data)) takeClassic(frame, data, context, out);
  else if (result === false || type === 'error' || (code !== undefined && Number(code) !== 200_000))
    rejectError(out, code, message ?? frame.reason ?? frame.msg ?? data);
  else if (!isControl) rejectShape(out, 'no frame');
  return out;
}

/** Topics of the classic socket, channels and message types of the unified one, and both addresses. */
export const frames = socket(
  'public sockets',
  /\/contractMarket\/(?:level2|snapshot|ticker)|\/contract\/(?:instrument|announcement)|\bobu\b|\bmark-price\b(?!\/)|\bfunding-fee\b|x-push-futures|ws-api-futures/,
  decodeFrame,
);

/** A change may begin before the end of what is held, if it ends behind it: sizes are absolute. */
const continuity: Continuity = { ...CHAINED, checkDelta: CHAINED.checkFirstDelta ?? CHAINED.checkDelta };

const frame = (action: string) => (symbols: readonly string[], id: number) =>
  symbols.map((symbol) =>
    JSON.stringify({
      id: String(id),
      action,
      channel: 'obu',
      tradeType: 'FUTURES',
      symbol,
      depth: 'increment@10ms',
    }),
  );

/**
 * `obu` of the unified socket: the best 500 levels first, half a second to six seconds after the acknowledgement,
 * then changes, each of which begins (`O`) right behind the end (`C`) of the one before. Levels that leave the best
 * 500 are deleted. Where the first snapshot is late, the REST book with its `sequence` takes its place.
 */
export const kucoinBooks: BookFeed = {
  initialSnapshot: 'either',
  continuity,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('SUBSCRIBE'),
    unsubscribe: frame('UNSUBSCRIBE'),
    // 600 topics a connection and 300 client messages in ten seconds are allowed, one contract a message.
    topicsPerConnection: 100,
    topicsPerFrame: 1,
    framesPerSecond: 20,
    maxConnections: 3,
    compression: 'none',
    // The welcome asks for one each 18 seconds; more than one a second ends the connection.
    keepAlive: { everyMs: 15_000, frame: () => '{"id":"1","type":"ping"}' },
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
  rest: {
    ...bookRequest(level2, ({ symbol }) => ({ symbol }), { levels: 100, weight: 5 }),
    budgetShare: 0.5,
  },
};
