import { type Continuity, INCREASING } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** Levels of the REST book; the stream's snapshot has up to 1024. */
const LEVELS = 1000;

/**
 * `lastUpdateId` grows with holes that mean nothing, so that a lost message does not show; one that is not higher
 * came out of order or twice.
 */
const continuity: Continuity = {
  ...INCREASING,
  checkFirstDelta: (last, { sequence }) => (sequence > last ? 'apply' : 'stale'),
};

const frames = (reqType: 'sub' | 'unsub') => (topics: readonly string[], id: number) =>
  topics.map((dataType) => JSON.stringify({ id: String(id), reqType, dataType }));

function bookRequest(path: string, levels: number) {
  return {
    request: ({ symbol }: { readonly symbol: string }) => ({
      method: 'GET' as const,
      path: `${path}?symbol=${encodeURIComponent(symbol)}&limit=${levels}`,
      symbol,
    }),
    weight: 1,
    levels,
  };
}

/**
 * `{symbol}@incrDepth`: a snapshot first, then changes every 200 to 800 ms. The REST book has no number: it is
 * compared on a schedule, never joined.
 *
 * @param call decoder of the socket's frames
 * @param depth decoder of the REST book
 * @param path of the REST book
 */
export function bingxBooks(call: VenueCall, depth: VenueCall, path: string): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity,
    stream: {
      base: 'ws',
      path: '/swap-market',
      call,
      topicOf: ({ symbol }) => `${symbol}@incrDepth`,
      subscribe: frames('sub'),
      unsubscribe: frames('unsub'),
      // Two hundred are allowed, and ten requests a second.
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      framesPerSecond: 8,
      maxConnections: 3,
      compression: 'gzip',
      pong: (message) => (message === 'Ping' ? 'Pong' : undefined),
      silenceMs: 20_000,
    },
    rest: {
      call: depth,
      ...bookRequest(path, LEVELS),
      shallow: bookRequest(path, 100),
      pool: 'depth',
      // Documents say one request a second, the answers' headers fifty.
      budgetShare: 0.06,
    },
  };
}
