import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { depthScanner } from './book-frames.ts';

/** The most that the REST book gives; two of 91 books had as many. */
const LEVELS = 1000;

const frame = (method: string) => (params: readonly string[]) => [JSON.stringify({ method, params })];

/**
 * `depth.200ms.{symbol}`: changes gathered over 200 ms, joined with a REST book. Of the changes, those with `u` up to
 * `lastUpdateId` are in the book already, the first after it begins (`U`) right behind it or before, and from then on
 * each `U` is the `u` before plus one. Prices are numbers: REST writes `86700` for the stream's `86700.0`.
 *
 * @param frames decoder of the socket's frames
 * @param depth decoder of the REST book
 */
export function backpackBooks(frames: VenueCall, depth: VenueCall): BookFeed {
  return {
    initialSnapshot: 'rest',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '',
      call: frames,
      topicOf: ({ symbol }) => `depth.200ms.${symbol}`,
      subscribe: frame('SUBSCRIBE'),
      unsubscribe: frame('UNSUBSCRIBE'),
      // Nothing is published; 91 streams in one frame were probed.
      topicsPerConnection: 100,
      topicsPerFrame: 50,
      framesPerSecond: 5,
      maxConnections: 2,
      compression: 'none',
      // A book at rest is silent; one was for 30 seconds.
      silenceMs: 30_000,
      scanner: depthScanner,
    },
    rest: {
      call: depth,
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/api/v1/depth?symbol=${encodeURIComponent(symbol)}&limit=${LEVELS}`,
        symbol,
      }),
      weight: 1,
      levels: LEVELS,
      // Every book begins with one: of five a second these are three.
      budgetShare: 0.6,
    },
  };
}
