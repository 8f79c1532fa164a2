import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { rejectError, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book, objectLevels, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { number } from '../grammar/field.ts';
import type { RowDecoder } from '../grammar/rows.ts';
import type { QuoteStream, Stream } from '../stream.ts';
import { decodeLatestFunding, each, takeRows, takeTicker } from './wire.ts';

/** Levels are objects on the wire and pairs in the documentation. */
const side = (name: 'bids' | 'asks'): SideReader => {
  const asObjects = objectLevels(name, 'price', 'size');
  const asPairs = arrayLevels(name);
  return (row) => (Array.isArray(wireArray(row.wire[name])?.[0]) ? asPairs : asObjects)(row);
};
const WHOLE: BookTable = {
  bids: side('bids'),
  asks: side('asks'),
  sequence: number('endVersion'),
};
const takeWhole = book(WHOLE, 'snapshot');
/** A change begins with the version at which the one before ended. */
const takeChange = book({ ...WHOLE, previousSequence: number('startVersion') }, 'delta');
const takeBook: RowDecoder = (row, out) =>
  (String(row.wire.depthType).toUpperCase() === 'CHANGED' ? takeChange : takeWhole)(row, out);

export const depth = endpoint('/api/v2/public/quote/getDepth', each(takeBook));

/** A book message that does not say what it is, as the documents show it, is of its frame's kind. */
const booksIn = ({ data, dataType }: Wire): unknown =>
  [data]
    .flat()
    .map((row) => (isWire(row) ? { ...row, depthType: readText(row.depthType) ?? dataType } : row));

/** Frames by channel. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { content, channel: name, type, code, msg }: Wire = isWire(payload) ? payload : {};
  const channel = readText(name) ?? '';
  if (type === 'error') {
    const error: Wire = isWire(content) ? content : {};
    rejectError(out, error.code ?? code, error.msg ?? msg);
  } else if (typeof (name ?? '') !== 'string') rejectShape(out, 'channel');
  else if (!isWire(content)) {
    if (readText(type) === undefined) rejectShape(out, 'no content');
  } else if (channel.startsWith('depth')) takeRows(booksIn(content), context, out, takeBook);
  else if (channel.startsWith('fundingRate')) return decodeLatestFunding(content, context);
  else if (channel.startsWith('ticker') || channel.startsWith('bookTicker'))
    takeRows(content.data, context, out, takeTicker);
  return out;
}

export const frames = socket(
  'frame',
  /(?:^|")(?:bookTicker|ticker|depth|fundingRate)\.|public\/ws/,
  decodeFrame,
);

const subscription = (type: string) => (channels: readonly string[]) =>
  channels.map((channel) => JSON.stringify({ type, channel }));

/** Both sides ping in a text frame; the answer to the venue's repeats its time. */
const PUBLIC: Omit<Stream, 'name' | 'topics' | 'topicsPerConnection' | 'framesPerSecond' | 'maxConnections'> =
  {
    base: 'ws',
    path: '/api/v1/public/ws',
    call: frames,
    subscribe: subscription('subscribe'),
    topicsPerFrame: 1,
    compression: 'none',
    keepAlive: { everyMs: 30_000, frame: (now) => JSON.stringify({ type: 'ping', time: String(now) }) },
    pong: (message) =>
      isWire(message) && message.type === 'ping'
        ? JSON.stringify({ type: 'pong', time: message.time })
        : undefined,
    silenceMs: 30_000,
    normalBytes: 256 * KIB,
  };

/** Tickers of all contracts on one channel. */
export const allTickers: QuoteStream = {
  repeats: false,
  ...PUBLIC,
  name: 'ticker.all.1s',
  topics: () => ['ticker.all.1s', 'bookTicker.all.1s'],
  topicsPerConnection: 20,
  framesPerSecond: 2,
  maxConnections: 1,
};

/** Levels a side of stream and REST: the larger of the two numbers that the venue offers. */
const LEVELS = 200;

const upTo = (levels: number) =>
  bookRequest(depth, ({ altId }) => ({ contractId: altId ?? '', level: levels }), { levels });

/**
 * `depth.{contract number}.200`: a snapshot, then changes whose `startVersion` is the `endVersion` before. Levels
 * that leave the window are deleted by the venue. The REST book is the same message under the same versions; since
 * two calls a second are all that is asked of the venue, what breaks is subscribed to again.
 */
export const edgexBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'frames',
    ...PUBLIC,
    topicOf: ({ altId }) => (altId === undefined ? undefined : `depth.${altId}.${LEVELS}`),
    unsubscribe: subscription('unsubscribe'),
    // No limit of channels is stated.
    topicsPerConnection: 50,
    framesPerSecond: 10,
    maxConnections: 2,
  },
  // 15 is the smaller number.
  rest: { ...upTo(LEVELS), shallow: upTo(15), budgetShare: 0.3 },
};
