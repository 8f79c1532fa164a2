import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

const frame = (method: string) => (channels: readonly string[], id: number) => [
  JSON.stringify({ id, method, params: { channels } }),
];

/**
 * `orderbook.{instrument}.1.100`: every frame is a snapshot of 100 levels a side, prices ungrouped; `publish_id`
 * orders frames. There is no book over REST.
 *
 * @param frames decoder of the socket's frames
 */
export function deriveBooks(frames: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: SNAPSHOTS_ONLY,
    stream: {
      base: 'ws',
      path: '/ws',
      call: frames,
      topicOf: ({ symbol }) => `orderbook.${symbol}.1.100`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit of channels is stated.
      topicsPerConnection: 50,
      topicsPerFrame: 25,
      framesPerSecond: 5,
      maxConnections: 3,
      compression: 'none',
      keepAlive: { everyMs: 30_000 },
      silenceMs: 30_000,
    },
  };
}
