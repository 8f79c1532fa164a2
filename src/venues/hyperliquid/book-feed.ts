import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import { infoCall } from './info.ts';
import type { DexName } from './wire.ts';

const LEVELS = 20;
const WEIGHT = 2;

const frame = (method: string) => (coins: readonly string[]) =>
  coins.map((coin) => JSON.stringify({ method, subscription: { type: 'l2Book', coin } }));

/**
 * `l2Book`: every frame is a snapshot of 20 levels a side, about every five seconds. A coin that the dex does not
 * list closes the socket, so only listed ones are asked for.
 *
 * @param budgetShare part of the one weight limit of all dexes that this dex's books may use
 */
export function hyperliquidBooks(dex: DexName, budgetShare: number): BookFeed {
  const call = infoCall('l2Book', dex);
  return {
    initialSnapshot: 'stream',
    continuity: SNAPSHOTS_ONLY,
    stream: {
      base: 'ws',
      path: '/ws',
      call,
      topicOf: ({ symbol }) => symbol,
      subscribe: frame('subscribe'),
      unsubscribe: frame('unsubscribe'),
      // 1,000 subscriptions and ten connections an address, which all dexes share.
      topicsPerConnection: 200,
      topicsPerFrame: 1,
      framesPerSecond: 10,
      maxConnections: 1,
      compression: 'none',
      keepAlive: { everyMs: 30_000, frame: () => '{"method":"ping"}' },
      silenceMs: 30_000,
    },
    rest: {
      call,
      request: ({ symbol }) => ({
        method: 'POST',
        path: '/info',
        body: JSON.stringify({ type: 'l2Book', coin: symbol }),
        weight: WEIGHT,
        symbol,
      }),
      weight: WEIGHT,
      levels: LEVELS,
      budgetShare,
    },
  };
}
