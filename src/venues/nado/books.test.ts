import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive, NOW } from '../../../test/venues/keep-alive.ts';
import { nado } from './index.ts';

type Levels = readonly (readonly [number, number])[];

/** A number of tenths, times 10^18. */
const scaled = (tenths: number): string => `${tenths}${'0'.repeat(17)}`;
const side = (levels: Levels) => levels.map((row) => row.map(scaled));
const ns = (at: number): string => `1790586268${String(at).padStart(6, '0')}000`;

/** Prices and sizes in tenths, times in microseconds. */
const change = (last: number, at: number, bids: Levels, asks: Levels): string =>
  JSON.stringify({
    type: 'book_depth',
    min_timestamp: ns(at),
    max_timestamp: ns(at),
    last_max_timestamp: ns(last),
    product_id: 8,
    bids: side(bids),
    asks: side(asks),
  });

const whole = (at: number, bids: Levels = BIDS) => ({
  status: 'success',
  data: { bids: side(bids), asks: side([[1501, 350]]), product_id: 8, timestamp: ns(at) },
  request_type: 'query_market_liquidity',
});

const BIDS: Levels = [
  [1499, 400],
  [1498, 755],
];
const SYMBOL = 'SOL-PERP_USDT0';
const SOL = contract('nado', SYMBOL, { altId: '8' });

function rigOf() {
  if (nado.books === undefined) throw new Error('no books');
  const rig = new BookRig(nado.books);
  rig.follow(SOL);
  return rig;
}

describe('Nado books', () => {
  it('topics: by product id, with an initial snapshot from the query', () => {
    const stream = nado.books?.stream;
    expect(stream?.topicOf(SOL)).toBe('8');
    expect(stream?.topicOf(contract('nado', SYMBOL))).toBeUndefined();
    expect(stream?.subscribe(['8'], 3)).toEqual([
      '{"method":"subscribe","stream":{"type":"book_depth","product_id":8},"id":3}',
    ]);
    expect(nado.books?.rest?.request(SOL).path).toBe(
      '/v1/query?type=market_liquidity&product_id=8&depth=100',
    );
  });

  it('books: begin with the query, then deltas that end after it', async () => {
    const rig = rigOf();
    rig.push(change(100, 200, [[1499, 10]], []));
    rig.push(change(200, 300, [[1499, 70]], []));
    rig.push(change(300, 400, [[1498, 0]], [[1500, 20]]));
    await rig.ask().answer(whole(250));
    expect(rig.levels(SYMBOL)).toEqual({
      bids: [[149.9, 7]],
      asks: [
        [150, 2],
        [150.1, 35],
      ],
    });
  });

  it('reject a query that ends before the first buffered delta', async () => {
    const rig = rigOf();
    rig.push(change(200, 300, [[1499, 70]], []));
    await rig.ask().answer(whole(150));
    expect(rig.levels(SYMBOL)).toBeUndefined();
    expect(rig.books.stats().breaks.old_seed).toBe(1);
  });

  it('are invalidated by a missing delta and requested again', async () => {
    const rig = rigOf();
    rig.push(change(100, 200, [], []));
    await rig.ask().answer(whole(200));
    rig.push(change(200, 300, [[1499, 70]], []));
    expect(rig.levels(SYMBOL)?.bids[0]).toEqual([149.9, 7]);
    rig.push(change(400, 500, [[1498, 10]], []));
    expect(rig.levels(SYMBOL)).toBeUndefined();
    rig.pass(500);
    await rig.ask().answer(whole(450, [[1499, 60]]));
    expect(rig.levels(SYMBOL)?.bids).toEqual([
      [149.9, 6],
      [149.8, 1],
    ]);
  });
});

describeRecorded('samples', 'recorded Nado changes', () => {
  it.each(['ws-book-docs.jsonl', 'ws-book-spot.jsonl'])(
    '%s follows its own predecessor only',
    async (file) => {
      const [text = ''] = readLines('samples', `nado/${file}`);
      const { last_max_timestamp: before, bids } = JSON.parse(text) as {
        last_max_timestamp: string;
        bids: [string, string][];
      };
      const run = async (timestamp: string) => {
        if (nado.books === undefined) throw new Error('no books');
        const rig = new BookRig(nado.books);
        rig.follow(contract('nado', 'BTC-PERP_USDT0', { altId: '1' }));
        rig.push(text);
        const data = { bids: [[scaled(10), scaled(10)]], asks: [], product_id: 1, timestamp };
        await rig.ask().answer({ status: 'success', data });
        return rig.levels('BTC-PERP_USDT0');
      };
      const [price = '', size = ''] = bids[0] ?? [];
      expect((await run(before))?.bids[0]).toEqual([Number(`${price}e-18`), Number(`${size}e-18`)]);
      expect(await run(`${BigInt(before) - 1_000_000n}`)).toBeUndefined();
    },
  );
});

describeKeepAlive(nado, { ping: { method: 'ping', id: 0, client_time: String(NOW) } });
