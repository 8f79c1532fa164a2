import { describe, expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { derive } from '../../src/venues/derive/index.ts';
import { dydx } from '../../src/venues/dydx/index.ts';
import { extended } from '../../src/venues/extended/index.ts';
import { lighter } from '../../src/venues/lighter/index.ts';
import { orderly } from '../../src/venues/orderly/index.ts';
import { paradex } from '../../src/venues/paradex/index.ts';
import { BookRig, contract } from './book-rig.ts';

type Levels = readonly (readonly [string, string])[];

interface Dialect {
  readonly adapter: VenueAdapter;
  readonly symbol: string;
  readonly altId?: string;
  readonly subscriptions: readonly unknown[];
  /** The answer to a subscription; for a seeded book the REST answer. */
  readonly whole: (n: number, bids: Levels, asks: Levels) => unknown;
  /** Absent where every frame is a snapshot. */
  readonly change?: (n: number, bids: Levels, asks: Levels) => unknown;
  /** True if a gap costs the connection, false if it costs the topic. */
  readonly detectsLoss: boolean;
}

const keyed = (levels: Levels) => levels.map(([price, size]) => ({ price, size }));
const T = 1_790_132_000_000;

const lighterFrame = (type: string) => (n: number, bids: Levels, asks: Levels) => ({
  type: `${type}/order_book`,
  channel: 'order_book:24',
  timestamp: T + n,
  offset: 7 * n,
  order_book: { bids: keyed(bids), asks: keyed(asks), nonce: 500 + 3 * n, begin_nonce: 497 + 3 * n },
});

const extendedFrame = (type: string, size: string) => (n: number, bids: Levels, asks: Levels) => {
  const side = (levels: Levels) => levels.map(([p, s]) => ({ p, q: '-1', [size]: s }));
  return {
    type,
    data: { t: type, m: 'SOL-USD', b: side(bids), a: side(asks), d: 'f' },
    ts: T + n,
    seq: n + 1,
  };
};

const dialects: readonly Dialect[] = [
  {
    adapter: lighter,
    symbol: 'SOL',
    altId: '24',
    detectsLoss: true,
    subscriptions: [{ type: 'subscribe', channel: 'order_book/24' }],
    whole: lighterFrame('subscribed'),
    change: lighterFrame('update'),
  },
  {
    adapter: dydx,
    symbol: 'SOL-USD',
    detectsLoss: true,
    subscriptions: [{ type: 'subscribe', channel: 'v4_orderbook', id: 'SOL-USD', batched: true }],
    whole: (n, bids, asks) => ({
      type: 'subscribed',
      connection_id: 'c',
      message_id: n + 1,
      channel: 'v4_orderbook',
      id: 'SOL-USD',
      contents: { bids: keyed(bids), asks: keyed(asks) },
    }),
    change: (n, bids, asks) => ({
      type: 'channel_batch_data',
      connection_id: 'c',
      message_id: n + 1,
      channel: 'v4_orderbook',
      id: 'SOL-USD',
      version: '1.0.0',
      contents: [{ bids }, { asks }],
    }),
  },
  {
    adapter: paradex,
    symbol: 'SOL-USD-PERP',
    detectsLoss: false,
    subscriptions: [
      {
        jsonrpc: '2.0',
        method: 'subscribe',
        id: 7,
        params: { channel: 'order_book.SOL-USD-PERP.snapshot@15@100ms' },
      },
    ],
    whole: (n, bids, asks) => {
      const side = (name: string, levels: Levels) => keyed(levels).map((level) => ({ side: name, ...level }));
      const inserts = [...side('SELL', asks), ...side('BUY', bids)];
      const data = { seq_no: 900 + n, market: 'SOL-USD-PERP', last_updated_at: T + n, update_type: 's' };
      const params = {
        channel: 'order_book.SOL-USD-PERP.snapshot@15@100ms',
        data: { ...data, inserts, updates: [], deletes: [] },
      };
      return { jsonrpc: '2.0', method: 'subscription', params };
    },
  },
  {
    adapter: orderly,
    symbol: 'PERP_SOL_USDC',
    detectsLoss: true,
    subscriptions: [{ id: '7-0', event: 'subscribe', topic: 'PERP_SOL_USDC@orderbookupdate' }],
    whole: (n, bids, asks) => {
      const side = (levels: Levels) => levels.map(([price, quantity]) => ({ price, quantity }));
      const data = { symbol: 'PERP_SOL_USDC', bids: side(bids), asks: side(asks), ts: T + 200 * n };
      return { success: true, data, timestamp: T + 200 * n + 50 };
    },
    change: (n, bids, asks) => {
      const side = (levels: Levels) => levels.map((level) => level.map(Number));
      const data = { symbol: 'PERP_SOL_USDC', prevTs: T + 200 * (n - 1), bids: side(bids), asks: side(asks) };
      return { topic: 'PERP_SOL_USDC@orderbookupdate', ts: T + 200 * n, data };
    },
  },
  {
    adapter: derive,
    symbol: 'SOL-PERP',
    detectsLoss: false,
    subscriptions: [{ id: 7, method: 'subscribe', params: { channels: ['orderbook.SOL-PERP.1.100'] } }],
    whole: (n, bids, asks) => {
      const data = { timestamp: T + n, instrument_name: 'SOL-PERP', publish_id: 60 + n, bids, asks };
      return { method: 'subscription', params: { channel: 'orderbook.SOL-PERP.1.100', data } };
    },
  },
  {
    adapter: extended,
    symbol: 'SOL-USD',
    detectsLoss: true,
    subscriptions: [],
    whole: extendedFrame('SNAPSHOT', 'q'),
    change: extendedFrame('DELTA', 'c'),
  },
];

const BIDS: Levels = [
  ['149.9', '40'],
  ['149.8', '75.5'],
];
const ASKS: Levels = [
  ['150.1', '35'],
  ['150.2', '80.25'],
];
const START = {
  bids: [
    [149.9, 40],
    [149.8, 75.5],
  ],
  asks: [
    [150.1, 35],
    [150.2, 80.25],
  ],
};

function feedOf({ adapter }: Dialect) {
  if (adapter.books === undefined) throw new Error(`${adapter.id} has no books`);
  return adapter.books;
}

const listed = ({ adapter, symbol, altId }: Dialect) =>
  contract(adapter.id, symbol, altId === undefined ? {} : { altId });

const noChange: Levels = [];

async function begun(dialect: Dialect): Promise<BookRig> {
  const rig = new BookRig(feedOf(dialect));
  rig.follow(listed(dialect));
  if (feedOf(dialect).initialSnapshot === 'rest') {
    rig.push(JSON.stringify(dialect.change?.(0, noChange, noChange)));
    await rig.ask().answer(dialect.whole(0, BIDS, ASKS));
  } else rig.push(JSON.stringify(dialect.whole(0, BIDS, ASKS)));
  return rig;
}

describe.each(dialects)('$adapter.id', (dialect) => {
  const { symbol, whole, change } = dialect;
  const push = (rig: BookRig, frame: unknown) => rig.push(JSON.stringify(frame));

  it('subscribes as the venue wants it', () => {
    const { stream } = feedOf(dialect);
    const topic = stream?.topicOf(listed(dialect)) ?? '';
    expect(topic).not.toBe('');
    expect(stream?.subscribe([topic], 7).map((text): unknown => JSON.parse(text))).toEqual(
      dialect.subscriptions,
    );
  });

  it('starts with a snapshot', async () => {
    const rig = await begun(dialect);
    expect(rig.levels(symbol)).toEqual(START);
    const { initialSnapshot } = feedOf(dialect);
    expect(rig.quote(symbol)?.source).toBe(initialSnapshot === 'rest' ? 'rest' : 'stream');
  });

  if (change === undefined) {
    it('replaces the book with each frame and skips an older one', async () => {
      const rig = await begun(dialect);
      push(rig, whole(2, [['149.95', '12']], ASKS));
      const now = { ...START, bids: [[149.95, 12]] };
      expect(rig.levels(symbol)).toEqual(now);
      push(rig, whole(1, BIDS, ASKS));
      expect(rig.levels(symbol)).toEqual(now);
    });
  }

  if (change !== undefined) {
    it('follows deltas', async () => {
      const rig = await begun(dialect);
      push(rig, change?.(1, [['149.95', '12']], [['150.1', '5.5']]));
      push(rig, change?.(2, [['149.8', '0']], noChange));
      expect(rig.levels(symbol)).toEqual({
        bids: [
          [149.95, 12],
          [149.9, 40],
        ],
        asks: [
          [150.1, 5.5],
          [150.2, 80.25],
        ],
      });
    });
  }

  if (dialect.detectsLoss) {
    it('serves nothing after a missing frame', async () => {
      const rig = await begun(dialect);
      push(rig, change?.(1, [['149.95', '12']], noChange));
      push(rig, change?.(3, [['149.8', '0']], noChange));
      expect(rig.levels(symbol)).toBeUndefined();
    });
  }
});
