import { expect, it } from 'vitest';
import { backpack } from '../../src/venues/backpack/index.ts';
import { bitget } from '../../src/venues/bitget/index.ts';
import { cryptocom } from '../../src/venues/cryptocom/index.ts';
import { gate } from '../../src/venues/gate/index.ts';
import { phemex } from '../../src/venues/phemex/index.ts';
import { agrees, describeScanners, type FrameWriter, scanOf } from './scanner-cases.ts';
import { describeRecorded, readLines } from './sessions.ts';

const SYMBOLS = ['BTCUSDT', 'u1000PEPEUSDT', 'BTCUSD-PERP', 'AAPL.US_USDC_PERP', 'A"B', 'A\\B'];

/** Frames as each venue writes them. */
const WRITERS: readonly FrameWriter[] = [
  [
    phemex,
    ({ symbol, bids, asks, ids: [sequence, dts, mts], time, whole }) => {
      const newer = sequence % 2 === 0 ? { dts, mts } : {};
      const type = whole ? 'snapshot' : 'incremental';
      const orderbook_p = { asks, bids };
      return JSON.stringify({
        depth: 0,
        ...newer,
        orderbook_p,
        sequence,
        symbol,
        timestamp: Math.round(time * 1e6),
        type,
      });
    },
  ],
  [
    cryptocom,
    ({ symbol, bids, asks, ids: [u, pu, sum], time: t, whole }) => {
      const rows = (side: [string, string][]) => side.map((level) => [...level, '2']);
      const sides = { asks: rows(asks), bids: rows(bids) };
      const cs = sum % 2 === 0 ? -sum : sum;
      const row = whole ? { ...sides, t, tt: t - 5, u, cs } : { update: sides, t, tt: t - 5, u, pu, cs };
      const head = { instrument_name: symbol, subscription: `book.${symbol}.50` };
      const channel = whole ? 'book' : 'book.update';
      const result = { ...head, channel, depth: 50, data: [row] };
      return JSON.stringify({ id: -1, method: 'subscribe', code: 0, result });
    },
  ],
  [
    backpack,
    ({ symbol: s, bids: b, asks: a, ids: [U, u], time }) => {
      const E = time * 1000 + 9;
      const T = time * 1000;
      return JSON.stringify({
        data: { E, T, U, a, b, e: 'depth', s, u },
        stream: `depth.200ms.${s}`,
      });
    },
  ],
  [
    gate,
    ({ symbol, bids, asks, ids: [U, u, time_ms], time: t, whole }) => {
      const s = `ob.${symbol}.400`;
      const sides = {
        ...(bids.length > 0 || whole ? { b: bids } : {}),
        ...(asks.length > 0 || whole ? { a: asks } : {}),
      };
      const result = whole ? { t, full: true, s, u, ...sides } : { t, s, U, u, ...sides };
      return JSON.stringify({ time: 1, time_ms, channel: 'futures.obu', event: 'update', result });
    },
  ],
  [
    bitget,
    ({ symbol, bids: b, asks: a, ids: [seq, pseq, ts], time, whole }) => {
      const instType = seq % 2 === 0 ? 'usdt-futures' : 'usdc-futures';
      const numbered = { seq, pseq: whole ? 0 : pseq, ts: String(time) };
      // Frames of 2026-04 have the first form, later ones the second, the documents neither.
      const form = seq % 3 === 0 ? { maxdepth: '1000' } : seq % 5 === 0 ? { maxDepth: '500' } : {};
      const row = seq % 7 === 0 ? { a, b, checksum: -pseq, ...numbered } : { a, b, ...numbered, ...form };
      const action = whole ? 'snapshot' : 'update';
      return JSON.stringify({ action, arg: { instType, topic: 'books', symbol }, data: [row], ts });
    },
  ],
];

describeScanners(WRITERS, SYMBOLS);

describeRecorded('samples', 'scanners on recorded frames', () => {
  it.each([
    [phemex, 'phemex/ws-book-2026.jsonl', 3],
    [phemex, 'phemex/ws-book-incremental-docs.jsonl', 2],
    [phemex, 'phemex/ws-book-legacy-xtzusd.jsonl', 0],
    [cryptocom, 'cryptocom/ws-book-ethusd-perp.jsonl', 3],
    [backpack, 'backpack/ws-depth.jsonl', 2],
    [gate, 'gate/ws-obu-2026-09.jsonl', 3],
    [bitget, 'bitget/ws-v3-books-ticker.jsonl', 0],
  ] as const)('$id reads what its decoder reads: %s', (adapter, file, taken) => {
    const scan = scanOf(adapter);
    expect(readLines('samples', file).filter((text) => agrees(adapter, scan, text))).toHaveLength(taken);
  });
});
