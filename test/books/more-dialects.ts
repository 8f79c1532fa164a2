import { bitget } from '../../src/venues/bitget/index.ts';
import { gate } from '../../src/venues/gate/index.ts';
import { kucoin } from '../../src/venues/kucoin/index.ts';
import { mexc } from '../../src/venues/mexc/index.ts';
import type { Dialect, Sides, TextLevels } from './cex-dialects.ts';

const text = (value: unknown): string => JSON.stringify(value);

/** A side without changes is left out. */
const present = (names: readonly [bids: string, asks: string], { bids, asks }: Sides) => ({
  ...(bids.length > 0 ? { [names[0]]: bids } : {}),
  ...(asks.length > 0 ? { [names[1]]: asks } : {}),
});

const gateFrame = (result: object): string =>
  text({
    time: 1789456334,
    time_ms: 1789456334999,
    channel: 'futures.obu',
    event: 'update',
    result: { t: 1789456334981, s: 'ob.SOL_USDT.400', ...result },
  });

const gateDialect: Dialect = {
  adapter: gate,
  symbol: 'SOL_USDT',
  topic: 'ob.SOL_USDT.400',
  subscription: { time: 7, channel: 'futures.obu', event: 'subscribe', payload: ['ob.SOL_USDT.400'] },
  step: 29,
  whole: (sequence, { bids, asks }) => gateFrame({ full: true, u: sequence, b: bids, a: asks }),
  change: (previous, sequence, sides) =>
    gateFrame({ U: previous + 1, u: sequence, ...present(['b', 'a'], sides) }),
};

const bitgetFrame = (action: string, row: object): string =>
  text({
    action,
    arg: { instType: 'usdt-futures', topic: 'books', symbol: 'SOLUSDT' },
    data: [{ ...row, ts: '1777358880000' }],
    ts: 1777358880001,
  });

const bitgetDialect: Dialect = {
  adapter: bitget,
  symbol: 'SOLUSDT',
  topic: 'usdt-futures SOLUSDT',
  subscription: {
    op: 'subscribe',
    args: [{ instType: 'usdt-futures', topic: 'books', symbol: 'SOLUSDT' }],
  },
  step: 7993,
  whole: (seq, { bids, asks }) => bitgetFrame('snapshot', { a: asks, b: bids, seq, pseq: 0 }),
  change: (pseq, seq, { bids, asks }) => bitgetFrame('update', { a: asks, b: bids, seq, pseq }),
};

const kucoinFrame = (t: string, first: number, last: number, { bids, asks }: Sides): string =>
  text({
    T: 'obu.FUTURES',
    dp: 'increment@10ms',
    t,
    P: 1790114460671676000,
    d: { a: asks, b: bids, C: last, s: 'SOLUSDTM', M: 1790114460661000000, O: first },
  });

const kucoinDialect: Dialect = {
  adapter: kucoin,
  symbol: 'SOLUSDTM',
  topic: 'SOLUSDTM',
  subscription: {
    id: '7',
    action: 'SUBSCRIBE',
    channel: 'obu',
    tradeType: 'FUTURES',
    symbol: 'SOLUSDTM',
    depth: 'increment@10ms',
  },
  step: 2,
  whole: (sequence, sides) => kucoinFrame('snapshot', sequence, sequence, sides),
  change: (previous, sequence, sides) => kucoinFrame('delta', previous + 1, sequence, sides),
};

/** Price, contracts, orders, as numbers. */
const orders = (levels: TextLevels) =>
  levels.map(([price, size]) => [Number(price), Number(size), size === '0' ? 0 : 2]);

const mexcDialect: Dialect = {
  adapter: mexc,
  symbol: 'SOL_USDT',
  topic: 'SOL_USDT',
  subscription: { method: 'sub.depth', param: { symbol: 'SOL_USDT' } },
  step: 56,
  whole: (version, { bids, asks }) =>
    text({
      success: true,
      code: 0,
      data: { cts: null, asks: orders(asks), bids: orders(bids), version, timestamp: 1789498405500 },
    }),
  change: (previous, end, { bids, asks }) =>
    text({
      symbol: 'SOL_USDT',
      data: {
        cts: 1789498405531,
        asks: orders(asks),
        bids: orders(bids),
        end,
        begin: previous + 1,
        version: end,
      },
      channel: 'push.depth',
      ts: 1789498405534,
    }),
};

/** Exchanges that number the changes of each book. */
export const exchangeDialects: readonly Dialect[] = [gateDialect, bitgetDialect, kucoinDialect, mexcDialect];
