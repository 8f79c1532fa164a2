import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { heartbeat } from './heartbeat.ts';

/** The most that the REST book gives. */
const LEVELS = 100;

const frame = (op: string) => (args: readonly string[]) => [JSON.stringify({ op, args })];

/** The same answers without their numbers. */
const unnumbered = (call: VenueCall): VenueCall => ({
  ...call,
  decode: (payload, context) => {
    const decoded = call.decode(payload, context);
    return { ...decoded, books: decoded.books.map(({ sequence: _, ...book }) => book) };
  },
});

/**
 * `orderBook200.H`: a snapshot of 200 levels a side, then changes each 100 ms, whose `u` is one more than that of
 * the message before; a change of nothing is a sign of life. A topic that is held cannot be subscribed to again: it
 * ends first. Nothing proves that `u` of the REST book counts the same: it is compared, never joined.
 *
 * @param frames decoder of the socket's frames
 * @param depth decoder of the REST book
 */
export function apexBooks(frames: VenueCall, depth: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/realtime_public?v=2',
      call: frames,
      topicOf: ({ symbol }) => `orderBook200.H.${symbol}`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit of topics is stated.
      topicsPerConnection: 50,
      topicsPerFrame: 10,
      framesPerSecond: 5,
      maxConnections: 2,
      compression: 'none',
      ...heartbeat,
      silenceMs: 30_000,
    },
    rest: {
      call: unnumbered(depth),
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/v3/depth?symbol=${encodeURIComponent(symbol)}&limit=${LEVELS}`,
        symbol,
      }),
      weight: 1,
      levels: LEVELS,
      budgetShare: 0.3,
    },
  };
}
