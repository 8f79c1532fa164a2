import { CHAINED, type Continuity } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';

const LEVELS = 100;

/** A change may begin before the end of what is held, if it ends behind it: sizes are absolute. */
const continuity: Continuity = { ...CHAINED, checkDelta: CHAINED.checkFirstDelta ?? CHAINED.checkDelta };

const frames = (action: string) => (symbols: readonly string[], id: number) =>
  symbols.map((symbol) =>
    JSON.stringify({
      ...{ id: String(id), action, channel: 'obu', tradeType: 'FUTURES' },
      ...{ symbol, depth: 'increment@10ms' },
    }),
  );

/**
 * `obu` of the unified socket: the best 500 levels first, half a second to six seconds after the acknowledgement,
 * then changes, each of which begins (`O`) right behind the end (`C`) of the one before. Levels that leave the best
 * 500 are deleted. Where the first snapshot is late, the REST book with its `sequence` takes its place.
 *
 * @param socket decoder of the socket's frames
 * @param level2 decoder of the REST book
 */
export function kucoinBooks(socket: VenueCall, level2: VenueCall): BookFeed {
  return {
    initialSnapshot: 'either',
    continuity,
    stream: {
      base: 'ws',
      path: '',
      call: socket,
      topicOf: ({ symbol }) => symbol,
      subscribe: frames('SUBSCRIBE'),
      unsubscribe: frames('UNSUBSCRIBE'),
      // 600 topics a connection and 300 client messages in ten seconds are allowed, one contract a message.
      topicsPerConnection: 100,
      topicsPerFrame: 1,
      framesPerSecond: 20,
      maxConnections: 3,
      compression: 'none',
      // The welcome asks for one each 18 seconds; more than one a second ends the connection.
      keepAlive: { everyMs: 15_000, frame: () => '{"id":"1","type":"ping"}' },
      silenceMs: 30_000,
    },
    rest: {
      call: level2,
      // The snapshot has levels beyond the stream's 500, which nothing would ever change.
      request: ({ symbol }) => ({
        method: 'GET',
        path: `/api/v1/level2/depth${LEVELS}?symbol=${encodeURIComponent(symbol)}`,
        symbol,
      }),
      weight: 5,
      levels: LEVELS,
      budgetShare: 0.5,
    },
  };
}
