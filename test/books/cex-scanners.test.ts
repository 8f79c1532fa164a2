import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { backpack } from '../../src/venues/backpack/index.ts';
import { bitget } from '../../src/venues/bitget/index.ts';
import type { BookScan } from '../../src/venues/book-feed.ts';
import { BookFrame, type LevelList } from '../../src/venues/book-frame.ts';
import { cryptocom } from '../../src/venues/cryptocom/index.ts';
import { literal } from '../../src/venues/frame-scanner.ts';
import { gate } from '../../src/venues/gate/index.ts';
import { phemex } from '../../src/venues/phemex/index.ts';
import { contract } from './book-rig.ts';
import { describeRecorded, readLines } from './sessions.ts';

function scanOf(adapter: VenueAdapter): BookScan {
  const scan = adapter.books?.stream?.scanner?.();
  if (scan === undefined) throw new Error(`${adapter.id} has no scanner`);
  return scan;
}

const pairs = ({ pairs: all, count }: LevelList) =>
  Array.from({ length: count }, (_, i) => [all[2 * i], all[2 * i + 1]]);

function content(frame: BookFrame) {
  const { symbol, whole, sequence, firstSequence, previousSequence, venueTime } = frame;
  const stamps = { sequence, firstSequence, previousSequence, venueTime };
  return { symbol, whole, ...stamps, bids: pairs(frame.bids), asks: pairs(frame.asks) };
}

/** Whether the scanner takes the frame; if so, it must read what the decoder reads. */
function agrees(adapter: VenueAdapter, scan: BookScan, text: string): boolean {
  const bytes = literal(text);
  const read = new BookFrame();
  if (!scan(bytes, bytes.length, read)) return false;
  const instruments = new Map([[read.symbol, contract(adapter.id, read.symbol)]]);
  const books = adapter.books?.stream?.call.decode(JSON.parse(text), { instruments }).books ?? [];
  expect(books, text.slice(0, 200)).toHaveLength(1);
  const again = new BookFrame();
  for (const update of books) again.load(update);
  expect(content(read)).toEqual(content(again));
  return true;
}

const decimal = fc
  .tuple(fc.nat(99_999), fc.option(fc.nat(999_999), { nil: undefined }))
  .map(([whole, part]) => (part === undefined ? `${whole}` : `${whole}.${part}`));
const levels = fc.array(fc.tuple(decimal, decimal), { maxLength: 5 });
const id = fc.nat(Number.MAX_SAFE_INTEGER);
const parts = fc.record({
  symbol: fc.constantFrom('BTCUSDT', 'u1000PEPEUSDT', 'BTCUSD-PERP', 'AAPL.US_USDC_PERP', 'A"B', 'A\\B'),
  bids: levels,
  asks: levels,
  ids: fc.tuple(id, id, id),
  /** Unix ms, sane in nine of ten. */
  time: fc.oneof(
    { arbitrary: fc.integer({ min: 1.5e12, max: 2e12 }), weight: 9 },
    { arbitrary: id, weight: 1 },
  ),
  whole: fc.boolean(),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

/** Frames as each venue writes them. */
const WRITERS: readonly (readonly [VenueAdapter, (made: Parts) => string])[] = [
  [
    phemex,
    ({ symbol, bids, asks, ids: [sequence, dts, mts], time, whole }) => {
      const newer = sequence % 2 === 0 ? { dts, mts } : {};
      const type = whole ? 'snapshot' : 'incremental';
      const orderbook_p = { asks, bids };
      return JSON.stringify({
        ...{ depth: 0, ...newer, orderbook_p, sequence, symbol },
        ...{ timestamp: Math.round(time * 1e6), type },
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
      const [E, T] = [time * 1000 + 9, time * 1000];
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
      const row = { a, b, seq, pseq: whole ? 0 : pseq, ts: String(time) };
      const action = whole ? 'snapshot' : 'update';
      return JSON.stringify({ action, arg: { instType, topic: 'books', symbol }, data: [row], ts });
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
