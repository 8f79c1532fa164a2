import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { backpack } from '../../src/venues/backpack/index.ts';
import { cryptocom } from '../../src/venues/cryptocom/index.ts';
import { deribit } from '../../src/venues/deribit/index.ts';
import { phemex } from '../../src/venues/phemex/index.ts';
import { whitebit } from '../../src/venues/whitebit/index.ts';
import { exchangeDialects } from './more-dialects.ts';

/** Price and size as text. */
export type TextLevels = readonly (readonly [price: string, size: string])[];

export interface Sides {
  readonly bids: TextLevels;
  readonly asks: TextLevels;
}

/** A venue's book messages, written out. */
export interface Dialect {
  readonly adapter: VenueAdapter;
  readonly symbol: string;
  /** The topic, and the frame that subscribes to it. */
  readonly topic: string;
  readonly subscription: unknown;
  /** A snapshot of the stream, or the REST book where the stream has none. */
  readonly whole: (sequence: number, sides: Sides) => string;
  readonly change: (previous: number, sequence: number, sides: Sides) => string;
  /** Distance of numbers from message to message. */
  readonly step: number;
}

const text = (value: unknown): string => JSON.stringify(value);

const actions = (levels: TextLevels) =>
  levels.map(([price, size]) => [size === '0' ? 'delete' : 'new', Number(price), Number(size)]);

const counted = (levels: TextLevels) =>
  levels.map(([price, size]) => [price, size, size === '0' ? '0' : '1']);

/** A side without changes is left out. */
const present = ({ bids, asks }: Sides) => ({
  ...(asks.length > 0 ? { asks } : {}),
  ...(bids.length > 0 ? { bids } : {}),
});

const deribitFrame = (data: object): string =>
  text({
    jsonrpc: '2.0',
    method: 'subscription',
    params: { channel: 'book.SOL_USDC-PERPETUAL.100ms', data },
  });

const deribitDialect: Dialect = {
  adapter: deribit,
  symbol: 'SOL_USDC-PERPETUAL',
  topic: 'book.SOL_USDC-PERPETUAL.100ms',
  subscription: {
    jsonrpc: '2.0',
    id: 7,
    method: 'public/subscribe',
    params: { channels: ['book.SOL_USDC-PERPETUAL.100ms'] },
  },
  step: 5123,
  whole: (sequence, { bids, asks }) =>
    deribitFrame({
      timestamp: 1790133840448,
      type: 'snapshot',
      change_id: sequence,
      instrument_name: 'SOL_USDC-PERPETUAL',
      bids: actions(bids),
      asks: actions(asks),
    }),
  change: (previous, sequence, { bids, asks }) =>
    deribitFrame({
      timestamp: 1790133840548,
      type: 'change',
      change_id: sequence,
      prev_change_id: previous,
      instrument_name: 'SOL_USDC-PERPETUAL',
      bids: actions(bids),
      asks: actions(asks),
    }),
};

const phemexFrame =
  (type: string) =>
  (sequence: number, { bids, asks }: Sides): string =>
    text({
      depth: 0,
      orderbook_p: { asks, bids },
      sequence,
      symbol: 'SOLUSDT',
      timestamp: 1_790_133_513_660 * 1e6,
      type,
    });

const phemexDialect: Dialect = {
  adapter: phemex,
  symbol: 'SOLUSDT',
  topic: 'SOLUSDT',
  subscription: { id: 7, method: 'orderbook_p.subscribe', params: ['SOLUSDT', true] },
  step: 23,
  whole: phemexFrame('snapshot'),
  change: (_, sequence, sides) => phemexFrame('incremental')(sequence, sides),
};

const whitebitFrame = (whole: boolean, book: object): string =>
  text({ method: 'depth_update', params: [whole, book, 'SOL_PERP'], id: null });

const whitebitDialect: Dialect = {
  adapter: whitebit,
  symbol: 'SOL_PERP',
  topic: 'SOL_PERP',
  subscription: { id: 7, method: 'depth_subscribe', params: ['SOL_PERP', 100, '0', true] },
  step: 214,
  whole: (sequence, { bids, asks }) =>
    whitebitFrame(true, {
      timestamp: 1790113267.845638,
      update_id: sequence,
      asks,
      bids,
      event_time: 1790113268.221152,
    }),
  change: (previous, sequence, sides) =>
    whitebitFrame(false, {
      timestamp: 1790113269.4255619,
      update_id: sequence,
      past_update_id: previous,
      ...present(sides),
      event_time: 1790113269.4838519,
    }),
};

const cryptocomFrame = (channel: string, row: object): string =>
  text({
    id: -1,
    method: 'subscribe',
    code: 0,
    result: {
      instrument_name: 'SOLUSD-PERP',
      subscription: 'book.SOLUSD-PERP.50',
      channel,
      depth: 50,
      data: [row],
    },
  });

const cryptocomDialect: Dialect = {
  adapter: cryptocom,
  symbol: 'SOLUSD-PERP',
  topic: 'book.SOLUSD-PERP.50',
  subscription: {
    id: 7,
    method: 'subscribe',
    params: {
      channels: ['book.SOLUSD-PERP.50'],
      book_subscription_type: 'SNAPSHOT_AND_UPDATE',
      book_update_frequency: 100,
    },
  },
  step: 38_528,
  whole: (sequence, { bids, asks }) =>
    cryptocomFrame('book', {
      asks: counted(asks),
      bids: counted(bids),
      t: 1790114273395,
      tt: 1790114273346,
      u: sequence,
      cs: -1183713967,
    }),
  change: (previous, sequence, { bids, asks }) =>
    cryptocomFrame('book.update', {
      update: { asks: counted(asks), bids: counted(bids) },
      t: 1790114273659,
      tt: 1790114273655,
      u: sequence,
      pu: previous,
      cs: 1522984915,
    }),
};

const backpackDialect: Dialect = {
  adapter: backpack,
  symbol: 'SOL_USDC_PERP',
  topic: 'depth.200ms.SOL_USDC_PERP',
  subscription: { method: 'SUBSCRIBE', params: ['depth.200ms.SOL_USDC_PERP'] },
  step: 7,
  whole: (sequence, { bids, asks }) =>
    text({
      // Both sides by rising price.
      asks,
      bids: [...bids].reverse(),
      lastUpdateId: String(sequence),
      timestamp: 1790134357267074,
    }),
  change: (previous, sequence, { bids, asks }) =>
    text({
      data: {
        E: 1790134357267289,
        T: 1790134357267074,
        U: previous + 1,
        a: asks,
        b: bids,
        e: 'depth',
        s: 'SOL_USDC_PERP',
        u: sequence,
      },
      stream: 'depth.200ms.SOL_USDC_PERP',
    }),
};

export const cexDialects: readonly Dialect[] = [
  deribitDialect,
  phemexDialect,
  whitebitDialect,
  cryptocomDialect,
  backpackDialect,
  ...exchangeDialects,
];
