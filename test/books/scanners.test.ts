import { expect, it } from 'vitest';
import { aster } from '../../src/venues/aster/index.ts';
import { binance } from '../../src/venues/binance/index.ts';
import { bybit } from '../../src/venues/bybit/index.ts';
import { kraken } from '../../src/venues/kraken/index.ts';
import { okx } from '../../src/venues/okx/index.ts';
import { agrees, describeScanners, type FrameWriter, scanOf } from './scanner-cases.ts';
import { describeRecorded, readLines, sessionFrames } from './sessions.ts';

describeRecorded('samples', 'scanners on recorded frames', () => {
  it.each([
    [binance, 'samples', ['binance/ws-depth-sushiusdt.jsonl', 'binance/ws-depth-ctkusdt.jsonl'], 240],
    [aster, 'samples', ['aster/ws-depth-btcusdt.jsonl'], 1],
    [bybit, 'samples', ['bybit/ws-orderbook-50-delta.jsonl', 'bybit/ws-orderbook-spot-roq.jsonl'], 1],
    [okx, 'samples', ['okx/ws-books-uni-usd-swap.jsonl', 'okx/ws-books-seq-near-usdt.jsonl'], 62],
    [kraken, 'samples', ['kraken/ws-book-pi-ethusd.jsonl', 'kraken/ws-ticker-lite.jsonl'], 601],
  ] as const)('$id reads what its decoder reads', (adapter, root, files, taken) => {
    const scan = scanOf(adapter);
    const frames = files.flatMap((file) => readLines(root, file));
    expect(frames.filter((text) => agrees(adapter, scan, text))).toHaveLength(taken);
  });

  it.each([
    [binance, 'binance-usdm-2021-07.jsonl', 440],
    [okx, 'okx-2022-05.jsonl', 191],
    [kraken, 'kraken-futures-2021-07.jsonl', 6338],
  ] as const)('$id takes every book frame of the recorded session, and no other', (adapter, file, taken) => {
    const scan = scanOf(adapter);
    expect(sessionFrames(file).filter((text) => agrees(adapter, scan, text))).toHaveLength(taken);
  });
});

const SYMBOLS = ['BTCUSDT', '1000PEPEUSDT', '币安人生USDT', 'BTC-USDT-SWAP', 'PF_XBTUSD', 'A"B', 'A\\B'];

/** Frames as each venue writes them. */
const WRITERS: readonly FrameWriter[] = [
  [
    binance,
    ({ symbol: s, bids: b, asks: a, ids: [U, u, pu], time: E, whole }) => {
      const data = { e: 'depthUpdate', E, T: U, s, U, u, pu, b, a };
      const stream = `${s.toLowerCase()}@depth${whole ? '20' : ''}@100ms`;
      return JSON.stringify(whole || E % 2 === 0 ? { stream, data } : data);
    },
  ],
  [
    bybit,
    ({ symbol: s, bids: b, asks: a, ids: [ts, u, seq], time: cts, whole }) =>
      JSON.stringify({
        topic: `orderbook.1000.${s}`,
        type: whole ? 'snapshot' : 'delta',
        ts,
        data: { s, b, a, u, seq },
        cts,
      }),
  ],
  [
    okx,
    ({ symbol: instId, bids, asks, ids: [checksum, seqId, before], time: ts, whole }) => {
      const rows = (side: [string, string][]) => side.map((level) => [...level, '0', '3']);
      const row = {
        asks: rows(asks),
        bids: rows(bids),
        ts: `${ts}`,
        checksum: checksum % 2 === 0 ? -checksum : checksum,
      };
      const numbers = before % 3 === 0 ? {} : { seqId, prevSeqId: whole ? -1 : before };
      const arg = { channel: 'books', instId };
      return JSON.stringify({ arg, action: whole ? 'snapshot' : 'update', data: [{ ...row, ...numbers }] });
    },
  ],
  [
    kraken,
    ({ symbol: product_id, bids, asks, ids: [seq], time: timestamp, whole }) => {
      const rows = (side: [string, string][]) => side.map(([price, qty]) => ({ price: +price, qty: +qty }));
      if (whole) {
        const sides = { tickSize: null, bids: rows(bids), asks: rows(asks) };
        return JSON.stringify({ feed: 'book_snapshot', product_id, timestamp, seq, ...sides });
      }
      const [[price, qty] = ['1', '2']] = bids;
      const side = seq % 2 === 0 ? 'buy' : 'sell';
      return JSON.stringify({ feed: 'book', product_id, side, seq, price: +price, qty: +qty, timestamp });
    },
  ],
];

describeScanners(WRITERS, SYMBOLS, [binance]);
