import type { Instrument } from '../../domain/instrument.ts';
import { type Continuity, INCREASING } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { orderbookScanner } from './book-frames.ts';

/**
 * `sequence` is counted over a group of contracts: that of one contract grows with holes, so that a lost message does
 * not show; one that is lower came out of order. A snapshot repeats the number of the change before it, or has a
 * higher one: changes up to it are in it.
 */
const continuity: Continuity = {
  ...INCREASING,
  checkFirstDelta: (last, { sequence }) => (sequence > last ? 'apply' : 'stale'),
};

/** One contract a frame. `true`: the snapshot, 100 ms apart. */
const subscribe = (symbols: readonly string[], id: number): readonly string[] =>
  symbols.map((symbol) => JSON.stringify({ id, method: 'orderbook_p.subscribe', params: [symbol, true] }));

/**
 * `orderbook_p` with all levels: a snapshot, then changes, and a snapshot again each minute, which ends what a lost
 * message left wrong. One contract cannot be unsubscribed from alone: ending takes every book of the connection.
 *
 * @param frames decoder of the socket's frames
 * @param orderbook decoder of the REST book
 */
export function phemexBooks(frames: VenueCall, orderbook: VenueCall): BookFeed {
  return {
    initialSnapshot: 'stream',
    continuity,
    stream: {
      base: 'ws',
      path: '',
      call: frames,
      topicOf: ({ symbol }) => symbol,
      subscribe,
      // Documented: 20 subscriptions a connection, 5 connections, 20 requests a second.
      topicsPerConnection: 20,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 5,
      compression: 'none',
      // Without it the connection ends after half a minute, whatever it carries.
      keepAlive: { everyMs: 5_000, frame: () => '{"id":0,"method":"server.ping","params":[]}' },
      // A book at rest has nothing but its snapshot each minute.
      silenceMs: 65_000,
      scanner: orderbookScanner,
    },
    rest: {
      call: orderbook,
      request: ({ symbol }: Instrument) => ({
        method: 'GET',
        path: `/md/v2/fullbook?symbol=${encodeURIComponent(symbol)}`,
        symbol,
      }),
      weight: 1,
      pool: 'md',
      budgetShare: 0.2,
    },
  };
}
