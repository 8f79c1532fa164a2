import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { BOOK_STREAM, wholeBookScanner } from './whole-book.ts';

/** Time between two changes, ms: one of those the venue offers. */
const RATE_MS = 100;
/** One of the depths that the venue offers, and a smaller one for the rotation. */
const LEVELS = 500;
const SHALLOW = 50;

/** A snapshot whose acknowledgement did not come before it is taken as it is: nothing shows where it stands. */
const continuity: Continuity = {
  ...CHAINED,
  checkFirstDelta: (last, stamps) =>
    last === 0 ? 'apply' : (CHAINED.checkFirstDelta?.(last, stamps) ?? 'gap'),
};

const frame = (method: string) => (selectors: readonly string[], id: number) => [
  JSON.stringify({ jsonrpc: '2.0', method, params: { stream: BOOK_STREAM, selectors }, id }),
];

const request = (depth: number) => ({
  request: ({ symbol }: { readonly symbol: string }) => ({
    method: 'POST' as const,
    path: '/full/v1/book',
    body: JSON.stringify({ instrument: symbol, depth }),
    symbol,
  }),
  weight: 1,
  levels: depth,
});

/**
 * `v1.book.d`: all levels first, then changes; the `prev_sequence_number` of each is the `sequence_number` before,
 * the first one's is the number of the acknowledgement, which the scanner gives to the snapshot. The REST book is not numbered: it is compared, never joined.
 *
 * @param frames decoder of the socket's frames
 * @param book decoder of the REST book
 */
export function grvtBooks(frames: VenueCall, book: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity,
    stream: {
      base: 'ws',
      path: '/ws/full',
      call: frames,
      topicOf: ({ symbol }) => `${symbol}@${RATE_MS}`,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit of selectors is stated.
      topicsPerConnection: 50,
      topicsPerFrame: 10,
      framesPerSecond: 5,
      maxConnections: 2,
      compression: 'none',
      keepAlive: { everyMs: 30_000 },
      silenceMs: 30_000,
      scanner: wholeBookScanner,
    },
    rest: { call: book, ...request(LEVELS), shallow: request(SHALLOW), budgetShare: 0.3 },
  };
}
