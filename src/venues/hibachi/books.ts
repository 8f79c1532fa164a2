import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { type Continuity, UNNUMBERED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { type BookTable, book, objectLevels } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms } from '../grammar/field.ts';
import { requestedRows, takeOf } from '../grammar/rows.ts';
import { contractOf, open, takeEstimate, unitsOf, withEstimate } from './wire.ts';

/** Absolute sizes, no sequence. */
const BOOK: BookTable = {
  bids: objectLevels('bids', 'price', 'quantity'),
  asks: objectLevels('asks', 'price', 'quantity'),
  venueTime: ms('frameTime'),
};
const takeWhole = book(BOOK, 'snapshot');
const takeChange = book(BOOK, 'delta');

/** The levels of each side, which stand in an object. */
const sidesOf = ({ bid, ask }: Wire): Wire => ({
  bids: isWire(bid) ? bid.levels : undefined,
  asks: isWire(ask) ? ask.levels : undefined,
});

export const orderbook = endpoint(
  '/market/data/orderbook',
  requestedRows((payload, out) => objectIn(open)(payload, out).map(sidesOf), contractOf, unitsOf, takeWhole),
);

/** A frame of the topics whose shape is known: books and the running rate. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const { topic, data, messageType, timestamp_ms: frameTime } = frame;
  if (topic === 'orderbook') {
    const row = { ...sidesOf(isWire(data) ? data : {}), frameTime };
    const take = messageType === 'Snapshot' ? takeWhole : takeChange;
    takeOf(contractOf(context, frame), [row], unitsOf, context, out, take);
  } else if (topic === 'funding_rate_estimation') {
    const row = withEstimate(isWire(data) ? data : {});
    takeOf(contractOf(context, frame), [row], unitsOf, context, out, takeEstimate);
  } else if (open(frame, out) !== undefined) rejectShape(out, 'topic');
  return out;
};

export const frames = socket(
  'frame',
  /"topic"|ws\/market|^(orderbook|funding_rate_estimation)\b/,
  decodeFrame,
);

/** Messages have a time and no number: a lost one does not show, one that is older than what is held does. */
const BY_TIME: Continuity = {
  ...UNNUMBERED,
  sequenceOf: ({ venueTime }) => venueTime,
  checkSnapshot: (last, { venueTime }) => (venueTime < last ? 'stale' : 'apply'),
  checkDelta: (last, { venueTime }) => (venueTime < last ? 'gap' : 'apply'),
  checkFirstDelta: (last, { venueTime }) => (venueTime < last ? 'stale' : 'apply'),
};

const frame = (method: string) => (symbols: readonly string[]) => [
  JSON.stringify({
    method,
    parameters: { subscriptions: symbols.map((symbol) => ({ symbol, topic: 'orderbook' })) },
  }),
];

/**
 * Topic `orderbook`: a snapshot, then absolute changes. A lost frame does not show, so the book is compared with
 * REST on a schedule.
 */
export const hibachiBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: BY_TIME,
  stream: {
    evidence: 'none',
    base: 'ws',
    path: '/ws/market',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // No limit is stated; the venue has fewer contracts than this.
    topicsPerConnection: 50,
    topicsPerFrame: 10,
    framesPerSecond: 2,
    maxConnections: 1,
    compression: 'none',
    keepAlive: { everyMs: 20_000 },
    silenceMs: 30_000,
    // Unmeasured: the first frame has the whole book, whose levels nobody limits.
    normalBytes: 512 * KIB,
  },
  rest: {
    // The answer has as many levels as the venue likes, so that a side may always go on behind them.
    ...bookRequest(orderbook, ({ symbol }) => ({ symbol }), { levels: 1 }),
    budgetShare: 0.2,
  },
};
