import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { obuScanner } from './book-frames.ts';

/** Levels of the stream; 50 come every 20 ms, 400 every 100 ms. */
const STREAM_LEVELS = 400;
/** The most that REST gives. */
const REST_LEVELS = 300;
const SHALLOW_LEVELS = 50;

const seconds = (now: number): number => Math.floor(now / 1000);

/** Subscriptions need no time that is right; the one of keep-alives is. */
const frame = (event: string) => (payload: readonly string[], id: number) => [
  JSON.stringify({ time: id, channel: 'futures.obu', event, payload }),
];

const pathOf = (symbol: string, levels: number): string =>
  `/futures/usdt/order_book?contract=${encodeURIComponent(symbol)}&limit=${levels}&with_id=true`;

/**
 * `futures.obu`: a snapshot (`full`), which may come again at any time, then changes, each of which begins right
 * behind the end of the one before; those of nothing count too. A second subscription to the same stream is refused:
 * it has to end first. Sizes of REST are rounded down on contracts that trade fractions, so books never begin there.
 *
 * @param frames decoder of the socket's frames
 * @param orderBook decoder of the REST book
 */
export function gateBooks(frames: VenueCall, orderBook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/v4/ws/usdt',
      call: frames,
      topicOf: ({ symbol }) => `ob.${symbol}.${STREAM_LEVELS}`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit is stated; 150 streams on one connection were probed.
      topicsPerConnection: 100,
      topicsPerFrame: 50,
      framesPerSecond: 10,
      maxConnections: 3,
      compression: 'none',
      keepAlive: {
        everyMs: 15_000,
        frame: (now) => JSON.stringify({ time: seconds(now), channel: 'futures.ping' }),
      },
      // One quiet book was silent for 36 seconds.
      silenceMs: 40_000,
      scanner: obuScanner,
    },
    rest: {
      call: orderBook,
      request: ({ symbol }) => ({ method: 'GET', path: pathOf(symbol, REST_LEVELS), symbol }),
      weight: 1,
      pool: 'order_book',
      levels: REST_LEVELS,
      shallow: {
        request: ({ symbol }) => ({ method: 'GET', path: pathOf(symbol, SHALLOW_LEVELS), symbol }),
        weight: 1,
        levels: SHALLOW_LEVELS,
      },
      budgetShare: 0.5,
    },
  };
}
