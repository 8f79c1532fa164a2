import type { Instrument } from '../../domain/instrument.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { heartbeat } from './heartbeat.ts';

/** Levels a side of stream and REST: the larger of the two numbers that the venue offers. */
const LEVELS = 200;
/** The smaller one. */
const SHALLOW = 15;

const frame = (type: string) => (channels: readonly string[]) =>
  channels.map((channel) => JSON.stringify({ type, channel }));

const request = (level: number) => ({
  request: ({ symbol, altId }: Instrument) => ({
    method: 'GET' as const,
    path: `/api/v2/public/quote/getDepth?contractId=${altId ?? ''}&level=${level}`,
    symbol,
  }),
  weight: 1,
  levels: level,
});

/**
 * `depth.{contract number}.200`: a snapshot, then changes whose `startVersion` is the `endVersion` before. Levels
 * that leave the window are deleted by the venue. The REST book is the same message under the same versions; since
 * two calls a second are all that is asked of the venue, what breaks is subscribed to again.
 *
 * @param frames decoder of the socket's frames
 * @param depth decoder of the REST book
 */
export function edgexBooks(frames: VenueCall, depth: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path: '/api/v1/public/ws',
      call: frames,
      topicOf: ({ altId }) => (altId === undefined ? undefined : `depth.${altId}.${LEVELS}`),
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // No limit of channels is stated.
      topicsPerConnection: 50,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 2,
      compression: 'none',
      ...heartbeat,
      silenceMs: 30_000,
    },
    rest: { call: depth, ...request(LEVELS), shallow: request(SHALLOW), budgetShare: 0.3 },
  };
}
