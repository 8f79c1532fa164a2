import { isWire } from '../../domain/read.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** Levels that the REST book is asked for; no perpetual had as many. */
const LEVELS = 1000;
/** Credits of one call. */
const WEIGHT = 500;

const TEST = '{"jsonrpc":"2.0","id":0,"method":"public/test","params":{}}';

const frame = (method: string) => (channels: readonly string[], id: number) => [
  JSON.stringify({ jsonrpc: '2.0', id, method: `public/${method}`, params: { channels } }),
];

/**
 * `book.{instrument}.100ms`: all levels first, then changes; the `prev_change_id` of each is the `change_id` before.
 * A second subscription brings no second snapshot: it has to end first.
 *
 * @param frames decoder of the socket's frames
 * @param orderBook decoder of the REST book
 */
export function deribitBooks(frames: VenueCall, orderBook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/ws/api/v2',
      call: frames,
      topicOf: ({ symbol }) => `book.${symbol}.100ms`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // 32 connections an address and 500 channels a call are allowed; 131 books on one connection were probed.
      topicsPerConnection: 130,
      topicsPerFrame: 100,
      // A subscription costs 3,000 of 10,000 credits a second.
      framesPerSecond: 3,
      maxConnections: 3,
      compression: 'none',
      keepAlive: { everyMs: 25_000, frame: () => TEST },
      pong: (message) => (isTestRequest(message) ? TEST : undefined),
      // A still book is silent; one was for 54 seconds.
      silenceMs: 30_000,
    },
    rest: {
      call: orderBook,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/public/get_order_book?instrument_name=${encodeURIComponent(symbol)}&depth=${LEVELS}`,
        symbol,
      }),
      weight: WEIGHT,
      levels: LEVELS,
      budgetShare: 0.2,
    },
  };
}

function isTestRequest(message: unknown): boolean {
  if (!isWire(message) || message.method !== 'heartbeat') return false;
  return isWire(message.params) && message.params.type === 'test_request';
}
