import { emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { rejectShape } from '../grammar/answer.ts';
import { type BookTable, book, objectLevels } from '../grammar/book.ts';
import { endpoint, post, socket } from '../grammar/calls.ts';
import { ms, NANOSECONDS, number } from '../grammar/field.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import { BOOK_STREAM, snapshotScanner } from './snapshots.ts';
import { open, rows, takeTicker, takeTickerChange, unitsOf } from './wire.ts';

/** The sequence belongs to the frame; over REST there is none. */
const WHOLE: BookTable = {
  bids: objectLevels('bids', 'price', 'size'),
  asks: objectLevels('asks', 'price', 'size'),
  sequence: number('sequence'),
  venueTime: ms('event_time', NANOSECONDS),
};
const takeWhole = book(WHOLE, 'snapshot');
const takeChange = book({ ...WHOLE, previousSequence: number('previous') }, 'delta');

export const restBook = endpoint('/full/v1/book', contractRows(rows, 'instrument', unitsOf, takeWhole));

/**
 * The stream decides how its rows are read. Those of changes (`.d`) begin with a snapshot numbered 0/0; books
 * chain by the previous number.
 */
function takeOf(stream: string, { sequence_number, prev_sequence_number }: Wire): RowDecoder | undefined {
  const isFirst = Number(sequence_number) === 0 && Number(prev_sequence_number) === 0;
  if (/^v1\.(?:ticker|mini)/.test(stream))
    return stream.endsWith('.d') && !isFirst ? takeTickerChange : takeTicker;
  if (!stream.startsWith('v1.book')) return undefined;
  return stream === 'v1.book.s' || isFirst ? takeWhole : takeChange;
}

/** A frame by its stream; those of trades hold nothing of ours. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  const { stream, feed, result, sequence_number: sequence, prev_sequence_number: previous } = frame;
  const take = takeOf(readText(stream) ?? '', frame);
  if (take !== undefined && isWire(feed))
    takeEach([{ ...feed, sequence, previous }], 'instrument', unitsOf, context, out, take);
  else if (
    (readText(stream) === undefined || !isWire(feed)) &&
    !isWire(result) &&
    open(payload, out) !== undefined
  )
    rejectShape(out, 'no stream');
  return out;
};

export const frames = socket('frame', /\bv1\.(ticker|mini|book)\b|ws\/full/, decodeFrame);

/** Time between two changes, ms: one of those the venue offers. */
const RATE_MS = 100;
/** A snapshot whose acknowledgement did not come before it is taken as it is: nothing shows where it stands. */
const continuity: Continuity = {
  ...CHAINED,
  checkFirstDelta: (last, stamps) =>
    last === 0 ? 'apply' : (CHAINED.checkFirstDelta?.(last, stamps) ?? 'gap'),
};

const frame = (method: string) => (selectors: readonly string[], id: number) => [
  JSON.stringify({ jsonrpc: '2.0', method, params: { stream: BOOK_STREAM, selectors }, id }),
];

/** One of the depths that the venue offers. */
const upTo = (levels: number) => ({
  request: ({ symbol }: Instrument) => post(restBook, { instrument: symbol, depth: levels }, symbol),
  weight: 1,
  levels,
});

/**
 * `v1.book.d`: all levels first, then changes; the `prev_sequence_number` of each is the `sequence_number`
 * before, the first one's is the number of the acknowledgement, which the scanner gives to the snapshot. The REST
 * book is not numbered: it is compared, never joined.
 */
export const grvtBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/ws/full',
    call: frames,
    topicOf: ({ symbol }) => `${symbol}@${RATE_MS}`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // No limit of selectors is stated.
    topicsPerConnection: 50,
    topicsPerFrame: 10,
    framesPerSecond: 5,
    maxConnections: 2,
    compression: 'none',
    keepAlive: { everyMs: 30_000 },
    silenceMs: 30_000,
    normalBytes: 128 * KIB,
    scanner: snapshotScanner,
  },
  rest: { call: restBook, ...upTo(500), shallow: upTo(50), budgetShare: 0.3 },
};
