import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed, BookRequest } from '../book-feed.ts';
import { orderbookScanner } from './book-frames.ts';
import { bybitCalls as calls } from './wire.ts';

/** Levels of the topic and of the REST book; `u` of both is the same only at this depth. */
const LEVELS = 1000;

/** `u` grows by one from frame to frame of a topic. A snapshot with `u` 1 says that the venue counts again. */
const continuity: Continuity = {
  ...CHAINED,
  checkSnapshot: (last, stamps) => (stamps.sequence === 1 ? 'apply' : CHAINED.checkSnapshot(last, stamps)),
};

const frame = (op: string) => (args: readonly string[], id: number) => [
  JSON.stringify({ op, args, req_id: String(id) }),
];

function bookRequest(levels: number): BookRequest {
  return {
    request: ({ symbol }) => ({
      method: 'GET',
      path: `/v5/market/orderbook?category=linear&symbol=${encodeURIComponent(symbol)}&limit=${levels}`,
      symbol,
    }),
    weight: 1,
    levels,
  };
}

/** `orderbook.1000`: a snapshot, then changes every 200 ms. */
export const bybitBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity,
  stream: {
    base: 'ws',
    path: '/v5/public/linear',
    call: calls.stream,
    topicOf: ({ symbol }) => `orderbook.${LEVELS}.${symbol}`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // 21,000 characters of topics are the limit of a connection.
    topicsPerConnection: 200,
    topicsPerFrame: 50,
    framesPerSecond: 5,
    maxConnections: 5,
    compression: 'none',
    keepAlive: { everyMs: 20_000, frame: () => '{"op":"ping"}' },
    silenceMs: 15_000,
    scanner: orderbookScanner,
  },
  rest: {
    call: calls.orderbook,
    ...bookRequest(LEVELS),
    shallow: bookRequest(200),
    // The limit is generous, a breach costs ten minutes, and an answer is large.
    budgetShare: 0.05,
  },
};
