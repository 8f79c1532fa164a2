import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookStream } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { bookScanner } from './book-frames.ts';

/** The most that the documents name, for stream and REST. */
const LEVELS = 50;

/** What a subscription adds to its channels. */
const CHANGES = { book_subscription_type: 'SNAPSHOT_AND_UPDATE', book_update_frequency: 100 };

const frame =
  (method: string, more: Readonly<Record<string, unknown>>) => (channels: readonly string[], id: number) => [
    JSON.stringify({ id, method, params: { channels, ...more } }),
  ];

/**
 * `book.{instrument}.50`: a snapshot first, then changes each 100 ms; the `pu` of each is the `u` before. A book at
 * rest sends a change of nothing each five seconds, whose `pu` is its own `u`. Levels that leave the window are
 * deleted. The REST book is not numbered: it is compared, never joined. The checksum is not published.
 *
 * @param frames decoder of the socket's frames
 * @param book decoder of the REST book
 * @param pong answers the venue's heartbeat
 */
export function cryptocomBooks(
  frames: VenueCall,
  book: VenueCall,
  pong: NonNullable<BookStream['pong']>,
): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/market',
      call: frames,
      topicOf: ({ symbol }) => `book.${symbol}.${LEVELS}`,
      subscribe: frame('subscribe', CHANGES),
      unsubscribe: frame('unsubscribe', {}),
      // 400 channels are allowed to a connection.
      topicsPerConnection: 200,
      topicsPerFrame: 100,
      // A hundred a second are allowed, by the share of the second that is left at the connect.
      framesPerSecond: 10,
      maxConnections: 2,
      compression: 'none',
      pong,
      silenceMs: 20_000,
      scanner: bookScanner,
    },
    rest: {
      call: book,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/public/get-book?instrument_name=${encodeURIComponent(symbol)}&depth=${LEVELS}`,
        symbol,
      }),
      weight: 1,
      pool: 'get-book',
      levels: LEVELS,
      budgetShare: 0.15,
    },
  };
}
