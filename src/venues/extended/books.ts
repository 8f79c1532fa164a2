import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { type Continuity, UNNUMBERED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { objectIn } from '../grammar/answer.ts';
import { type BookTable, book, objectLevels, orNone } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { namedOrRequested, type RowDecoder, requestedRows, takeEach } from '../grammar/rows.ts';
import { open, PRICES, takeRate, unitsOf } from './wire.ts';

/** Not numbered. */
export const orderbook = endpoint(
  '/info/markets/*/orderbook',
  requestedRows(
    objectIn(open),
    namedOrRequested('market'),
    unitsOf,
    book(
      { bids: objectLevels('bid', 'price', 'qty'), asks: objectLevels('ask', 'price', 'qty') },
      'snapshot',
    ),
  ),
);

const pushed = (size: 'q' | 'c'): BookTable => ({
  bids: orNone('b', objectLevels('b', 'p', size)),
  asks: orNone('a', objectLevels('a', 'p', size)),
  sequence: number('frameSequence'),
  venueTime: ms('frameTime'),
});
const takeWhole = book(pushed('q'), 'snapshot');
/** `c` is the new absolute size, `q` the signed change. */
const takeChange = book(pushed('c'), 'delta');

function takeOf({ b, a }: Wire, type: string): RowDecoder {
  if (b === undefined && a === undefined) return PRICES[type] ?? takeRate;
  return type === 'DELTA' ? takeChange : takeWhole;
}

/** A frame of the sockets of one stream; lists are trades. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const data = open(payload, out);
  if (!isWire(data) || !isWire(payload)) return out;
  const row = { ...data, frameSequence: payload.seq, frameTime: payload.ts };
  takeEach([row], 'm', unitsOf, context, out, takeOf(data, String(payload.type)));
  return out;
};

export const frames = socket(
  'frame',
  /(^|\/)(orderbooks|prices\/(mark|index)|funding)(\/|\?|$)/,
  decodeFrame,
);

/** `seq` counts the frames of a connection, not of a book. */
const COUNTED: Continuity = { ...UNNUMBERED, detectsLoss: true };

/**
 * The socket of all markets: there is nothing to subscribe to. Each market begins with its last minutely snapshot
 * and the changes since; a fresh snapshot follows every minute. A gap in `seq` can only be mended by a new connection.
 */
export const extendedBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: COUNTED,
  stream: {
    evidence: 'pair',
    base: 'ws',
    path: '/orderbooks',
    call: frames,
    topicOf: () => 'orderbooks',
    subscribe: () => [],
    topicsPerConnection: 1,
    topicsPerFrame: 1,
    framesPerSecond: 1,
    maxConnections: 1,
    renewal: 'connection',
    compression: 'none',
    keepAlive: { everyMs: 12_000 },
    silenceMs: 30_000,
    // Unmeasured: the first frame of a market has its whole book, whose levels nobody limits.
    normalBytes: 512 * KIB,
    connectionSequence: (payload) => (isWire(payload) ? readNumber(payload.seq) : undefined),
  },
  // It shares no numbers with the stream.
  rest: bookRequest(orderbook, () => ({})),
};
