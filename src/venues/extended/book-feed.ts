import { isWire, readNumber } from '../../domain/read.ts';
import { type Continuity, UNNUMBERED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** `seq` counts the frames of a connection, not of a book. */
const COUNTED: Continuity = { ...UNNUMBERED, detectsLoss: true };

/**
 * The socket of all markets: there is nothing to subscribe to. Each market begins with its last minutely snapshot
 * and the changes since; a fresh snapshot follows every minute. A gap in `seq` can only be mended by a new connection.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book, which shares no numbers with the stream
 */
export function extendedBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: COUNTED,
    stream: {
      base: 'ws',
      path: '/orderbooks',
      call: frames,
      topicOf: () => 'orderbooks',
      subscribe: () => [],
      topicsPerConnection: 1,
      topicsPerFrame: 1,
      framesPerSecond: 1,
      maxConnections: 1,
      renewal: 'connection',
      compression: 'none',
      keepAlive: { everyMs: 12_000 },
      silenceMs: 30_000,
      connectionSequence: (payload) => (isWire(payload) ? readNumber(payload.seq) : undefined),
    },
    rest: {
      call: orderbook,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/info/markets/${encodeURIComponent(symbol)}/orderbook`,
        symbol,
      }),
      weight: 1,
    },
  };
}
