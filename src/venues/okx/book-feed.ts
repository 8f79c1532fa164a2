import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import { booksScanner } from './book-frames.ts';
import { okxCalls as calls } from './wire.ts';

const LEVELS = 400;

const frame = (op: string) => (ids: readonly string[]) => [
  JSON.stringify({ op, args: ids.map((instId) => ({ channel: 'books', instId })) }),
];

/**
 * `books`: 400 levels, changes every 100 ms. Each `prevSeqId` is the `seqId` before; after maintenance `seqId` may
 * be lower than its `prevSeqId`, and a quiet book repeats with both the same. The first snapshot may stay away: then
 * the REST book is numbered alike.
 */
export const okxBooks: BookFeed = {
  initialSnapshot: 'either',
  continuity: CHAINED,
  stream: {
    base: 'ws',
    path: '/ws/v5/public',
    call: calls.stream,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    topicsPerConnection: 100,
    topicsPerFrame: 50,
    // 480 client frames an hour and connection: breaks are mended over REST first.
    framesPerSecond: 2,
    maxConnections: 5,
    compression: 'none',
    keepAlive: { everyMs: 20_000, frame: () => 'ping' },
    silenceMs: 15_000,
    scanner: booksScanner,
  },
  rest: {
    call: calls.books,
    request: ({ symbol }) => ({
      method: 'GET',
      path: `/api/v5/market/books?instId=${encodeURIComponent(symbol)}&sz=${LEVELS}`,
      symbol,
    }),
    weight: 1,
    pool: 'books',
    levels: LEVELS,
    budgetShare: 0.3,
  },
};
