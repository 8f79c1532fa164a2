import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookStream } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** The deeper of the two sizes that are streamed, and what the REST book has. */
const LEVELS = 150;

/** Without `data_type` snapshots come, and under the same channel. */
const frames = (verb: 'sub' | 'unsub') => (topics: readonly string[], id: number) =>
  topics.map((topic) => JSON.stringify({ [verb]: topic, data_type: 'incremental', id: String(id) }));

/**
 * `depth.size_150.high_freq`: a snapshot first, then changes as they happen, at most each 30 ms; the `version` of
 * each is one more than that before it on the same connection. Levels that leave the window are deleted. The REST
 * book is numbered otherwise: it is compared, never joined.
 *
 * @param call decoder of the socket's frames
 * @param depth decoder of the REST book
 * @param pong answers the venue's ping
 */
export function htxBooks(call: VenueCall, depth: VenueCall, pong: NonNullable<BookStream['pong']>): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/linear-swap-ws',
      call,
      topicOf: ({ symbol }) => `market.${symbol}.depth.size_${LEVELS}.high_freq`,
      subscribe: frames('sub'),
      unsubscribe: frames('unsub'),
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      // Forty subscriptions a second are allowed.
      framesPerSecond: 20,
      maxConnections: 3,
      compression: 'gzip',
      pong,
      silenceMs: 20_000,
    },
    rest: {
      call: depth,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/linear-swap-ex/market/depth?contract_code=${encodeURIComponent(symbol)}&type=step0`,
        symbol,
      }),
      weight: 1,
      pool: 'market',
      levels: LEVELS,
      // Of 800 a second, which no header confirms.
      budgetShare: 0.0125,
    },
  };
}
