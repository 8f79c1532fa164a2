import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { aster } from '../../src/venues/aster/index.ts';
import { binance } from '../../src/venues/binance/index.ts';
import type { BookScan } from '../../src/venues/book-feed.ts';
import { BookFrame, type LevelList } from '../../src/venues/book-frame.ts';
import { bybit } from '../../src/venues/bybit/index.ts';
import { literal } from '../../src/venues/frame-scanner.ts';
import { kraken } from '../../src/venues/kraken/index.ts';
import { okx } from '../../src/venues/okx/index.ts';
import { contract } from './book-rig.ts';
import { describeRecorded, readLines, sessionFrames } from './sessions.ts';

function scanOf(adapter: VenueAdapter): BookScan {
  const scan = adapter.books?.stream?.scanner?.();
  if (scan === undefined) throw new Error(`${adapter.id} has no scanner`);
  return scan;
}

/** Levels without those of size 0, which a whole book has no use for. */
function pairs({ pairs: all, count }: LevelList, whole: boolean): (readonly [number, number])[] {
  const levels = Array.from({ length: count }, (_, i) => [all[2 * i] ?? 0, all[2 * i + 1] ?? 0] as const);
  return whole ? levels.filter(([, size]) => size > 0) : levels;
}

/** All that a book message says, for comparison. */
function content(frame: BookFrame) {
  const { symbol, whole, sequence, firstSequence, previousSequence, venueTime, bids, asks } = frame;
  const stamps = { sequence, firstSequence, previousSequence, venueTime };
  return { symbol, whole, ...stamps, bids: pairs(bids, whole), asks: pairs(asks, whole) };
}

const frame = new BookFrame();

function scanned(scan: BookScan, text: string) {
  const bytes = literal(text);
  return scan(bytes, bytes.length, frame) ? content(frame) : undefined;
}

/** What the decoder reads in a frame, with the contract that the scanner read known in its own units. */
function decoded(adapter: VenueAdapter, text: string, symbol: string): Decoded['books'] | undefined {
  const instruments = new Map([[symbol, contract(adapter.id, symbol)]]);
  return adapter.books?.stream?.call.decode(JSON.parse(text), { instruments }).books;
}

/** Whether the scanner takes the frame; if so, it must read what the decoder reads. */
function agrees(adapter: VenueAdapter, scan: BookScan, text: string): boolean {
  const read = scanned(scan, text);
  if (read === undefined) return false;
  const books = decoded(adapter, text, read.symbol);
  expect(books, text.slice(0, 200)).toHaveLength(1);
  const update = books?.[0];
  const again = new BookFrame();
  if (update !== undefined) again.load(update);
  expect(read).toEqual(content(again));
  return true;
}

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

const decimal = fc
  .tuple(fc.nat(99_999), fc.option(fc.nat(999_999), { nil: undefined }))
  .map(([whole, part]) => (part === undefined ? `${whole}` : `${whole}.${part}`));
const levels = fc.array(fc.tuple(decimal, decimal), { maxLength: 5 });
const id = fc.nat(Number.MAX_SAFE_INTEGER);
const symbol = fc.constantFrom(
  'BTCUSDT',
  '1000PEPEUSDT',
  '币安人生USDT',
  'BTC-USDT-SWAP',
  'PF_XBTUSD',
  'A"B',
  'A\\B',
);

interface Parts {
  readonly symbol: string;
  readonly bids: [string, string][];
  readonly asks: [string, string][];
  readonly ids: [number, number, number];
  readonly time: number;
  readonly whole: boolean;
}

const parts: fc.Arbitrary<Parts> = fc.record({
  symbol,
  bids: levels,
  asks: levels,
  ids: fc.tuple(id, id, id),
  time: fc.oneof(
    { arbitrary: fc.integer({ min: 1.5e12, max: 2e12 }), weight: 9 },
    { arbitrary: id, weight: 1 },
  ),
  whole: fc.boolean(),
});

/** Frames as each venue writes them. */
const WRITERS: readonly (readonly [VenueAdapter, (parts: Parts) => string])[] = [
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

describe.each(WRITERS)('scanner of $id', (adapter, write) => {
  it('reads frames of any content as its decoder does, and most of them at all', () => {
    const scan = scanOf(adapter);
    let taken = 0;
    fc.assert(
      fc.property(parts, (made) => {
        if (agrees(adapter, scan, write(made))) taken++;
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(40);
  });

  it('takes no damaged frame for another one', () => {
    const scan = scanOf(adapter);
    const damage = fc.record({
      made: parts,
      at: fc.nat(),
      put: fc.string({ unit: fc.constantFrom(...'{}[]",:.-0123456789ebu \\'), maxLength: 3 }),
      cut: fc.nat(3),
    });
    fc.assert(
      fc.property(damage, ({ made, at, put, cut }) => {
        const text = write(made);
        const from = at % text.length;
        // `agrees` parses what the scanner takes: text that is no JSON would throw.
        agrees(adapter, scan, text.slice(0, from) + put + text.slice(from + cut));
      }),
      { numRuns: 1500 },
    );
  });
});
