import { isWire } from '../../domain/read.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** Levels a side that the query API gives at most. */
const LEVELS = 1000;
const SHALLOW = 100;

/** The last segment is a constant of the venue's public SDK; another value is refused. */
const PATH = '/ws/stream/OqdphuyCtYWxwzhxyLLjOWNdFP7sQt8RPWzmb5xY';

const frame = (event: string) => (topics: readonly string[], id: number) =>
  topics.map((topic, i) => JSON.stringify({ id: `${id}-${i}`, event, topic }));

const query = (max_level: number) => ({
  request: ({ symbol }: { readonly symbol: string }) => ({
    method: 'POST' as const,
    path: '/v1/public/query',
    body: JSON.stringify({ type: 'orderbook', symbol, max_level }),
    symbol,
  }),
  weight: 1,
  levels: max_level,
});

/**
 * `@orderbookupdate`: changes only, each naming the time of the one before in `prevTs`; the snapshot comes over
 * the query API, whose `ts` is a link of the same chain.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the query API's book
 */
export function orderlyBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'rest',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: PATH,
      call: frames,
      topicOf: ({ symbol }) => `${symbol}@orderbookupdate`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // The 101st topic of a connection is refused.
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 1,
      compression: 'none',
      keepAlive: { everyMs: 10_000, frame: () => '{"event":"ping"}' },
      pong: (message) => (isWire(message) && message.event === 'ping' ? '{"event":"pong"}' : undefined),
      silenceMs: 30_000,
    },
    rest: { call: orderbook, pool: 'query', ...query(LEVELS), shallow: query(SHALLOW) },
  };
}
