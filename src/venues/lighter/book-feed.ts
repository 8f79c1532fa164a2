import { isWire } from '../../domain/read.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** Single orders a side that the REST book gives at most. */
const ORDERS = 250;

const frame = (type: string) => (channels: readonly string[]) =>
  channels.map((channel) => JSON.stringify({ type, channel }));

/**
 * `order_book/<id>`: a snapshot on subscription, then changes whose `begin_nonce` is the `nonce` before. REST
 * lists single orders without a number, under a limit of one request a second for everything.
 *
 * @param frames decoder of the socket's frames
 * @param orders decoder of the REST orders
 */
export function lighterBooks(frames: VenueCall, orders: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/stream',
      call: frames,
      topicOf: ({ altId }) => (altId === undefined ? undefined : `order_book/${altId}`),
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      // 200 client messages a minute and address, which the ticker stream shares.
      framesPerSecond: 2,
      maxConnections: 1,
      compression: 'none',
      keepAlive: { everyMs: 60_000, frame: () => '{"type":"ping"}' },
      pong: (message) => (isWire(message) && message.type === 'ping' ? '{"type":"pong"}' : undefined),
      silenceMs: 30_000,
    },
    rest: {
      call: orders,
      request: ({ symbol, altId = '' }) => ({
        method: 'GET',
        path: `/api/v1/orderBookOrders?market_id=${encodeURIComponent(altId)}&limit=${ORDERS}`,
        symbol,
      }),
      weight: 1,
      budgetShare: 0.5,
    },
  };
}
