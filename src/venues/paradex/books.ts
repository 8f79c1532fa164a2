import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, bestFirst, book, type SideReader } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { readBinary, SBE_QUERY } from './sbe.ts';
import { open, takeBestPrices, takeFundingNow, takeSummary, unitsOf } from './wire.ts';

const STAMPS = { sequence: number('seq_no'), venueTime: ms('last_updated_at') };

export const orderbook = endpoint(
  '/v1/orderbook/*',
  contractRows(
    objectIn(open),
    'market',
    unitsOf,
    book({ bids: arrayLevels('bids'), asks: arrayLevels('asks'), ...STAMPS }, 'snapshot'),
  ),
  { alsoAt: ['/v1/orderbook/*/interactive'] },
);

/** The rows of one side out of three lists for both; what is in `deletes` has size 0 then, whatever its row says. */
const changed =
  (which: 'BUY' | 'SELL'): SideReader =>
  ({ wire: { inserts, updates, deletes }, units: { multiplier } }) => {
    const removed = wireArray(deletes ?? [])?.map((row) => (isWire(row) ? { ...row, size: 0 } : row));
    const lists = [wireArray(inserts ?? []), wireArray(updates ?? []), removed];
    const sideOf = (row: unknown) => (isWire(row) ? row.side : undefined);
    const rows = lists.flat();
    const isRead =
      !lists.includes(undefined) && rows.every((row) => ['BUY', 'SELL'].includes(String(sideOf(row))));
    const own = rows.filter((row) => sideOf(row) === which);
    return isRead ? keyedLevels(own, 'price', 'size', multiplier) : undefined;
  };

/**
 * The documentation lets `seq_no` grow by one; no recording of a delta proves it, so no predecessor is
 * stated.
 */
const CHANGE: BookTable = { bids: changed('BUY'), asks: changed('SELL'), ...STAMPS };
const WHOLE: BookTable = {
  ...CHANGE,
  bids: bestFirst(CHANGE.bids, 'bids'),
  asks: bestFirst(CHANGE.asks, 'asks'),
};
const BOOKS: Readonly<Record<string, RowDecoder>> = { s: book(WHOLE, 'snapshot'), d: book(CHANGE, 'delta') };

/** The part of a topic before the first point decides how a push names its market and how it is read. */
function channelOf(
  topic: string,
  { update_type: type }: Wire,
): readonly [symbol: string, take: RowDecoder | undefined] {
  if (topic === 'order_book') return ['market', BOOKS[String(type)]];
  if (topic === 'markets_summary') return ['symbol', takeSummary];
  if (topic === 'funding_data') return ['market', takeFundingNow];
  return ['market', topic === 'bbo' ? takeBestPrices : undefined];
}

/** JSON-RPC messages: pushes by channel, errors, acknowledgements. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const opened = open(payload, out);
  if (out.rejects.length > 0) return out;
  const { method, params, result }: Wire = isWire(opened) ? opened : {};
  if (method !== 'subscription' && result !== undefined) return out;
  const { channel, data }: Wire = isWire(params) ? params : {};
  const [topic = ''] = (readText(channel) ?? '').split('.', 1);
  const [symbol, take] = channelOf(topic, isWire(data) ? data : {});
  if (take === undefined) rejectShape(out, `channel ${topic.slice(0, 40)}`);
  else takeEach([data], symbol, unitsOf, context, out, take);
  return out;
}

export const frames = socket(
  'order_book, markets_summary, funding_data, bbo',
  /(^|["\s,;])((order_book|bbo)\.|(markets_summary|funding_data)\b)|^wss:.*\/v1\/?$/,
  decodeFrame,
);

const frame = (method: string) => (channels: readonly string[], id: number) =>
  channels.map((channel) => JSON.stringify({ jsonrpc: '2.0', method, params: { channel }, id }));

const upTo = (levels: number) => bookRequest(orderbook, () => ({ depth: levels }), { levels });

/**
 * `order_book.{market}.snapshot@15@100ms`: every frame is the snapshot of 15 levels a side, so a lost frame costs a
 * tenth of a second and nothing more. `seq_no` orders frames. The channel of changes is not used: no recording proves
 * its numbers.
 */
export const paradexBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: SNAPSHOTS_ONLY,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: `/v1?${SBE_QUERY}`,
    call: frames,
    binary: readBinary,
    topicOf: ({ symbol }) => `order_book.${symbol}.snapshot@15@100ms`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // No limit of subscriptions is stated.
    topicsPerConnection: 50,
    topicsPerFrame: 1,
    framesPerSecond: 10,
    maxConnections: 2,
    compression: 'none',
    keepAlive: { everyMs: 30_000 },
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
  rest: { ...upTo(100), shallow: upTo(20) },
};
