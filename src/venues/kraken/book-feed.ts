import type { VenueCall } from '../adapter.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import { bookScanner } from './book-frames.ts';

const frame = (event: string) => (ids: readonly string[]) => [
  JSON.stringify({ event, feed: 'book', product_ids: ids }),
];

/**
 * The `book` feed: a snapshot of all levels, then every change by itself; `seq` grows by one a product. The REST book
 * is not numbered: it is compared, never joined.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book
 */
export function krakenBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    splitsMoments: true,
    stream: {
      base: 'ws',
      path: '/ws/v1',
      call: frames,
      topicOf: ({ symbol }) => symbol,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      topicsPerConnection: 100,
      topicsPerFrame: 50,
      framesPerSecond: 10,
      maxConnections: 5,
      compression: 'none',
      keepAlive: { everyMs: 30_000 },
      silenceMs: 20_000,
      scanner: bookScanner,
    },
    rest: {
      call: orderbook,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/derivatives/api/v3/orderbook?symbol=${encodeURIComponent(symbol)}`,
        symbol,
      }),
      weight: 1,
      budgetShare: 0.3,
    },
  };
}
