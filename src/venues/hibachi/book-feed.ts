import { type Continuity, UNNUMBERED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

/** The answer has as many levels as the venue likes, so that a side may always go on behind them. */
const LEVELS = 1;

/** Messages have a time and no number: a lost one does not show, one that is older than what is held does. */
const BY_TIME: Continuity = {
  ...UNNUMBERED,
  sequenceOf: ({ venueTime }) => venueTime,
  checkSnapshot: (last, { venueTime }) => (venueTime < last ? 'stale' : 'apply'),
  checkDelta: (last, { venueTime }) => (venueTime < last ? 'gap' : 'apply'),
  checkFirstDelta: (last, { venueTime }) => (venueTime < last ? 'stale' : 'apply'),
};

const frame = (method: string) => (symbols: readonly string[]) => [
  JSON.stringify({
    method,
    parameters: { subscriptions: symbols.map((symbol) => ({ symbol, topic: 'orderbook' })) },
  }),
];

/**
 * Topic `orderbook`: a snapshot, then absolute changes. A lost frame does not show, so the book is compared with
 * REST on a schedule.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book
 */
export function hibachiBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: BY_TIME,
    stream: {
      base: 'ws',
      path: '/ws/market',
      call: frames,
      topicOf: ({ symbol }) => symbol,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit is stated; the venue has fewer contracts than this.
      topicsPerConnection: 50,
      topicsPerFrame: 10,
      framesPerSecond: 2,
      maxConnections: 1,
      compression: 'none',
      keepAlive: { everyMs: 20_000 },
      silenceMs: 30_000,
    },
    rest: {
      call: orderbook,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/market/data/orderbook?symbol=${encodeURIComponent(symbol)}`,
        symbol,
      }),
      weight: 1,
      levels: LEVELS,
      budgetShare: 0.2,
    },
  };
}
