import { isWire, readNumber } from '../../domain/read.ts';
import { type Continuity, UNNUMBERED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** Levels a side of the REST book. */
const LEVELS = 100;

/** Books have no numbers of their own: a lost message shows in the count of the connection. */
const COUNTED: Continuity = { ...UNNUMBERED, detectsLoss: true };

const frame = (type: string, more: object) => (tickers: readonly string[]) =>
  tickers.map((id) => JSON.stringify({ type, channel: 'v4_orderbook', id, ...more }));

/**
 * `v4_orderbook`: a snapshot on subscription, then changes. The indexer merges the views of several validators,
 * so a book may cross; clients are told to drop the older level at the touch.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book
 */
export function dydxBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: COUNTED,
    crossed: 'uncross',
    stream: {
      base: 'ws',
      path: '/v4/ws',
      call: frames,
      topicOf: ({ symbol }) => symbol,
      subscribe: frame('subscribe', { batched: true }),
      unsubscribe: frame('unsubscribe', {}),
      // The indexer's default: 32 books a connection.
      topicsPerConnection: 32,
      topicsPerFrame: 1,
      // A gap makes all books of a connection restart. Of one book two subscriptions a second are taken.
      framesPerSecond: 20,
      renewGapMs: 600,
      maxConnections: 4,
      compression: 'none',
      silenceMs: 30_000,
      connectionSequence: (payload) => (isWire(payload) ? readNumber(payload.message_id) : undefined),
    },
    rest: {
      call: orderbook,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/v4/orderbooks/perpetualMarket/${encodeURIComponent(symbol)}`,
        symbol,
      }),
      weight: 1,
      levels: LEVELS,
    },
  };
}
