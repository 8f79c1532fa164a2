import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** The most that stream and REST give. */
const LEVELS = 100;

/** The last parameter keeps the other subscriptions of the connection. */
const subscribe = (markets: readonly string[], id: number): readonly string[] =>
  markets.map((market) =>
    JSON.stringify({ id, method: 'depth_subscribe', params: [market, LEVELS, '0', true] }),
  );

const unsubscribe = (markets: readonly string[], id: number): readonly string[] =>
  markets.map((market) => JSON.stringify({ id, method: 'depth_unsubscribe', params: [market] }));

/**
 * `depth` of 100 levels: a snapshot first, then changes each 100 ms; the `past_update_id` of each is the
 * `update_id` before, that of a snapshot included. A book at rest is sent whole after ten seconds. Levels that leave
 * the window are deleted. The REST book is not numbered: it is compared, never joined.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book
 */
export function whitebitBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/ws',
      call: frames,
      topicOf: ({ symbol }) => symbol,
      subscribe,
      unsubscribe,
      // No limit is stated; 397 books on one connection were probed.
      topicsPerConnection: 200,
      topicsPerFrame: 1,
      // 12,000 requests in ten seconds are allowed to a connection: all books are asked for within four seconds.
      framesPerSecond: 50,
      maxConnections: 3,
      compression: 'none',
      keepAlive: { everyMs: 20_000, frame: () => '{"id":0,"method":"ping","params":[]}' },
      silenceMs: 20_000,
    },
    rest: {
      call: orderbook,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/api/v4/public/orderbook/${encodeURIComponent(symbol)}?limit=${LEVELS}&level=0`,
        symbol,
      }),
      weight: 1,
      pool: 'orderbook',
      levels: LEVELS,
      budgetShare: 0.25,
    },
  };
}
