import { type Continuity, SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

const LEVELS = 10;
/** Credits of one market GET without a key. */
const WEIGHT = 12;

/** By the venue's time: answers over REST have no `li`, so the two numbers could not be held against each other. */
const BY_TIME: Continuity = {
  ...SNAPSHOTS_ONLY,
  sequenceOf: ({ venueTime }) => venueTime,
  checkSnapshot: (last, { venueTime }) => (venueTime < last ? 'stale' : 'apply'),
};

const frame = (method: string) => (symbols: readonly string[]) =>
  symbols.map((symbol) => JSON.stringify({ method, params: { source: 'book', symbol, agg_level: 1 } }));

/**
 * `book`: every frame is a snapshot of ten levels a side, about four a second. `t` is the time of its
 * last change and never falls, so an older one is stale; a lost frame does not show.
 *
 * @param stream decodes the frames
 * @param rest decodes the answers of `GET /book`
 */
export function pacificaBooks(stream: VenueCall, rest: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: BY_TIME,
    stream: {
      base: 'ws',
      path: '/ws',
      call: stream,
      topicOf: ({ symbol }) => symbol,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      topicsPerConnection: 50,
      topicsPerFrame: 1,
      framesPerSecond: 5,
      maxConnections: 2,
      compression: 'none',
      // An idle connection is closed after 60 s.
      keepAlive: { everyMs: 25_000, frame: () => '{"method":"ping"}' },
      silenceMs: 30_000,
    },
    rest: {
      call: rest,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/book?symbol=${encodeURIComponent(symbol)}&agg_level=1`,
        weight: WEIGHT,
        symbol,
      }),
      weight: WEIGHT,
      levels: LEVELS,
    },
  };
}
