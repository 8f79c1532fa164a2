import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { readBinary, SBE_QUERY } from './sbe.ts';

/** Levels a side that the REST book is asked for. */
const LEVELS = 100;
const SHALLOW = 20;

const frame = (method: string) => (channels: readonly string[], id: number) =>
  channels.map((channel) => JSON.stringify({ jsonrpc: '2.0', method, params: { channel }, id }));

const request = (depth: number) => ({
  request: ({ symbol }: { readonly symbol: string }) => ({
    method: 'GET' as const,
    path: `/v1/orderbook/${encodeURIComponent(symbol)}?depth=${depth}`,
    symbol,
  }),
  weight: 1,
  levels: depth,
});

/**
 * `order_book.{market}.snapshot@15@100ms`: every frame is the snapshot of 15 levels a side, so a lost frame costs
 * a tenth of a second and nothing more. `seq_no` orders frames. The channel of changes is not used: no recording
 * proves its numbers.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book
 */
export function paradexBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: SNAPSHOTS_ONLY,
    stream: {
      base: 'ws',
      path: `/v1?${SBE_QUERY}`,
      call: frames,
      binary: readBinary,
      topicOf: ({ symbol }) => `order_book.${symbol}.snapshot@15@100ms`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit of subscriptions is stated.
      topicsPerConnection: 50,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 2,
      compression: 'none',
      keepAlive: { everyMs: 30_000 },
      silenceMs: 30_000,
    },
    rest: { call: orderbook, ...request(LEVELS), shallow: request(SHALLOW) },
  };
}
