import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** Levels that REST is asked for; it honours up to this many. */
const LEVELS = 1000;
const SHALLOW_LEVELS = 50;

/** One contract a frame; the answer names none. */
const frames = (method: string) => (symbols: readonly string[]) =>
  symbols.map((symbol) => JSON.stringify({ method, param: { symbol } }));

const pathOf = (symbol: string, levels: number): string =>
  `/api/v1/contract/depth/${encodeURIComponent(symbol)}?limit=${levels}`;

/**
 * `sub.depth`: changes merged over 200 ms, each of which begins right behind the end of the one before. There is no
 * first snapshot: the REST book is joined by its `version`. It can be hundreds of versions behind the socket; then it
 * is asked for again.
 *
 * @param socket decoder of the socket's frames
 * @param depth decoder of the REST book
 */
export function mexcBooks(socket: VenueCall, depth: VenueCall): BookFeed {
  return {
    initialSnapshot: 'rest',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/edge',
      call: socket,
      topicOf: ({ symbol }) => symbol,
      subscribe: frames('sub.depth'),
      unsubscribe: frames('unsub.depth'),
      // No limit is stated; 150 contracts on one connection at 20 frames a second were probed.
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 3,
      compression: 'none',
      // Without one the connection ends after a minute, whatever it carries.
      keepAlive: { everyMs: 15_000, frame: () => '{"method":"ping"}' },
      silenceMs: 30_000,
    },
    rest: {
      call: depth,
      request: ({ symbol }) => ({ method: 'GET', path: pathOf(symbol, LEVELS), symbol }),
      weight: 1,
      pool: 'depth',
      levels: LEVELS,
      shallow: {
        request: ({ symbol }) => ({ method: 'GET', path: pathOf(symbol, SHALLOW_LEVELS), symbol }),
        weight: 1,
        levels: SHALLOW_LEVELS,
      },
      // Nothing else uses this pool.
      budgetShare: 0.9,
    },
  };
}
