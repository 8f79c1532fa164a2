import { bingx } from '../../src/venues/bingx/index.ts';
import { htx } from '../../src/venues/htx/index.ts';
import type { Dialect, Sides, TextLevels } from './cex-dialects.ts';

const HTX_TOPIC = 'market.SOL-USDT.depth.size_150.high_freq';

const numbers = (levels: TextLevels) => levels.map(([price, size]) => [Number(price), Number(size)]);

const htxFrame =
  (event: 'snapshot' | 'update') =>
  (version: number, { bids, asks }: Sides): string =>
    JSON.stringify({
      ch: HTX_TOPIC,
      ts: 1790134831753,
      tick: {
        asks: numbers(asks),
        bids: numbers(bids),
        ch: HTX_TOPIC,
        event,
        id: 100129125618870,
        mrid: 100129125618870,
        ts: 1790134831749,
        version,
      },
    });

const htxDialect: Dialect = {
  adapter: htx,
  symbol: 'SOL-USDT',
  topic: HTX_TOPIC,
  subscription: { sub: HTX_TOPIC, data_type: 'incremental', id: '7' },
  step: 1,
  whole: htxFrame('snapshot'),
  change: (_, version, sides) => htxFrame('update')(version, sides),
};

const bingxFrame = (action: 'all' | 'update', lastUpdateId: number, { bids, asks }: Sides): string =>
  JSON.stringify({
    code: 0,
    dataType: 'SOL-USDT@incrDepth',
    data: { action, lastUpdateId, time: 1790127586998, bids, asks },
  });

const bingxDialect: Dialect = {
  adapter: bingx,
  symbol: 'SOL-USDT',
  topic: 'SOL-USDT@incrDepth',
  subscription: { id: '7', reqType: 'sub', dataType: 'SOL-USDT@incrDepth' },
  step: 4,
  whole: (id, sides) => bingxFrame('all', id, sides),
  // Asks come worst first, and what is gone has decimals.
  change: (_, id, { bids, asks }) => {
    const gone = (levels: TextLevels): TextLevels =>
      levels.map(([price, size]) => [price, size === '0' ? '0.0000' : size]);
    return bingxFrame('update', id, { bids: gone(bids), asks: [...gone(asks)].reverse() });
  },
};

/** Exchanges whose every frame is gzip; here without it. */
export const gzipDialects: readonly Dialect[] = [htxDialect, bingxDialect];
