import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** The most that the query gives. */
const LEVELS = 100;

const frame = (method: string) => (products: readonly string[], id: number) =>
  products.map((product) =>
    JSON.stringify({ method, stream: { type: 'book_depth', product_id: Number(product) }, id }),
  );

/**
 * `book_depth`: changes only, about every 50 ms; the `last_max_timestamp` of each is the `max_timestamp` before, and
 * a change of nothing is a sign of life. The snapshot comes from the query `market_liquidity`, whose time stands in
 * the same order: changes that end after it follow.
 *
 * @param frames decoder of the socket's frames
 * @param liquidity decoder of the query
 */
export function nadoBooks(frames: VenueCall, liquidity: VenueCall): BookFeed {
  return {
    initialSnapshot: 'rest',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/v1/subscribe',
      call: frames,
      topicOf: ({ altId }) => altId,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit of streams is stated.
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 1,
      // The handshake is refused (403) where it is not offered.
      compression: 'permessage-deflate',
      keepAlive: {
        everyMs: 25_000,
        frame: (now) => JSON.stringify({ method: 'ping', id: 0, client_time: String(now) }),
      },
      silenceMs: 30_000,
    },
    rest: {
      call: liquidity,
      request: ({ symbol, altId }) => ({
        method: 'GET',
        path: `/v1/query?type=market_liquidity&product_id=${altId ?? ''}&depth=${LEVELS}`,
        symbol,
      }),
      weight: 1,
      levels: LEVELS,
      budgetShare: 0.3,
    },
  };
}
