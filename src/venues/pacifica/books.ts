import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { type Continuity, SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { book, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number, price } from '../grammar/field.ts';
import { quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import { keyedLevels } from '../keyed-levels.ts';
import type { QuoteStream, Stream } from '../stream.ts';
import { open, takePrices, unitsOf } from './wire.ts';

/** Sides come as `l: [bids, asks]`, levels as `{ p, a, n }`. */
const side =
  (at: 0 | 1): SideReader =>
  ({ wire: { l: sides }, units: { multiplier } }) =>
    keyedLevels(Array.isArray(sides) ? sides[at] : undefined, 'p', 'a', multiplier);

/** Every message is the snapshot of ten levels; answers over REST have no `li`. */
const takeBook = book(
  { bids: side(0), asks: side(1), sequence: number('li'), venueTime: ms('t') },
  'snapshot',
);

export const restBook = endpoint('/book', contractRows(objectIn(open), 's', unitsOf, takeBook));

/** Channels by name: how their rows name the contract, and what they state. */
const CHANNELS: Readonly<Record<string, readonly [symbol: string, take: RowDecoder]>> = {
  prices: ['symbol', takePrices],
  book: ['s', takeBook],
  // Stamped with the last change of the touch: an older frame is late, whatever order the two come in.
  bbo: ['s', quotes({ bestBid: price('b'), bestAsk: price('a'), venueTime: ms('t') })],
};

/** Acknowledgements and pongs state nothing. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { channel: name, data } = isWire(payload) ? payload : {};
  const channel = readText(name) ?? '';
  const known = CHANNELS[channel];
  if (known !== undefined) takeEach([data].flat(), known[0], unitsOf, context, out, known[1]);
  else if (!['subscribe', 'unsubscribe', 'pong'].includes(channel)) rejectShape(out, 'no known channel');
  return out;
}

export const frames = socket('frame', /pacifica\.fi\/ws|"source"|^(prices|book|bbo)\b/, decodeFrame);

/** An idle connection is closed after 60 s. */
const PUBLIC: Pick<
  Stream,
  'base' | 'path' | 'call' | 'compression' | 'keepAlive' | 'silenceMs' | 'normalBytes'
> = {
  base: 'ws',
  path: '/ws',
  call: frames,
  compression: 'none',
  keepAlive: { everyMs: 25_000, frame: () => '{"method":"ping"}' },
  silenceMs: 30_000,
  normalBytes: 64 * KIB,
};

/** Metrics of all contracts in one topic. */
export const prices: QuoteStream = {
  repeats: false,
  ...PUBLIC,
  name: 'prices',
  topics: () => ['prices'],
  subscribe: (topics) => topics.map((source) => JSON.stringify({ method: 'subscribe', params: { source } })),
  topicsPerConnection: 10,
  topicsPerFrame: 1,
  framesPerSecond: 2,
  maxConnections: 1,
};

/** By the venue's time: answers over REST have no `li`, so the two numbers could not be held against each other. */
const BY_TIME: Continuity = {
  ...SNAPSHOTS_ONLY,
  sequenceOf: ({ venueTime }) => venueTime,
  checkSnapshot: (last, { venueTime }) => (venueTime < last ? 'stale' : 'apply'),
};

const frame = (method: string) => (symbols: readonly string[]) =>
  symbols.map((symbol) => JSON.stringify({ method, params: { source: 'book', symbol, agg_level: 1 } }));

/**
 * `book`: every frame is a snapshot of ten levels a side, about four a second. `t` is the time of its last change and
 * never falls, so an older one is stale; a lost frame does not show.
 */
export const pacificaBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: BY_TIME,
  stream: {
    evidence: 'none',
    ...PUBLIC,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // The most of one channel.
    topicsPerConnection: 20,
    topicsPerFrame: 1,
    framesPerSecond: 5,
    maxConnections: 4,
  },
  rest: bookRequest(restBook, ({ symbol }) => ({ symbol, agg_level: 1 }), { levels: 10, weight: 2 }),
};
