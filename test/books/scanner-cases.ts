import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import type { BookScan } from '../../src/venues/book-feed.ts';
import { BookFrame, type LevelList } from '../../src/venues/book-frame.ts';
import { literal } from '../../src/venues/frame-scanner.ts';
import { contract } from './book-rig.ts';

/** The parts of a frame, in each venue's own form. */
export interface FrameParts {
  readonly symbol: string;
  readonly bids: [string, string][];
  readonly asks: [string, string][];
  readonly ids: [number, number, number];
  /** Unix ms, sane in nine of ten. */
  readonly time: number;
  readonly whole: boolean;
}

/** A venue and its way to write a frame. */
export type FrameWriter = readonly [VenueAdapter, (parts: FrameParts) => string];

export function scanOf(adapter: VenueAdapter): BookScan {
  const scan = adapter.books?.stream?.scanner?.();
  if (scan === undefined) throw new Error(`${adapter.id} has no scanner`);
  return scan;
}

/** Levels without those of size 0, which a snapshot has no use for. */
function pairs({ pairs: all, count }: LevelList, whole: boolean): (readonly [number, number])[] {
  const levels = Array.from({ length: count }, (_, i) => [all[2 * i] ?? 0, all[2 * i + 1] ?? 0] as const);
  return whole ? levels.filter(([, size]) => size > 0) : levels;
}

/** All that a book message says, for comparison. */
function content(frame: BookFrame) {
  const { symbol, isSnapshot, sequence, firstSequence, previousSequence, venueTime, bids, asks } = frame;
  const stamps = { sequence, firstSequence, previousSequence, venueTime };
  return {
    symbol,
    whole: isSnapshot,
    ...stamps,
    bids: pairs(bids, isSnapshot),
    asks: pairs(asks, isSnapshot),
  };
}

const read = new BookFrame();

/**
 * True if the scanner takes the frame; if so, it must read the decoder's content, to which the contract that
 * the scanner read is known in its own units.
 */
export function agrees(adapter: VenueAdapter, scan: BookScan, text: string): boolean {
  const bytes = literal(text);
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

const partsOf = (symbols: readonly string[]): fc.Arbitrary<FrameParts> =>
  fc.record({
    symbol: fc.constantFrom(...symbols),
    bids: levels,
    asks: levels,
    ids: fc.tuple(id, id, id),
    time: fc.oneof(
      { arbitrary: fc.integer({ min: 1.5e12, max: 2e12 }), weight: 9 },
      { arbitrary: id, weight: 1 },
    ),
    whole: fc.boolean(),
  });

/** Numbers at the edges of what decoders take, among them all that JSON forbids and some that only look alike. */
const ODD_NUMBERS = [
  ...[
    '-1',
    '-31',
    '0',
    '-0',
    '01',
    '1.5',
    '.5',
    '1.',
    '1e3',
    '1e30',
    '-',
    'null',
    '""',
    '99999999999999999999',
  ],
  ...['18446744073709551616', '18446744073709551617', '36893488147419103232', '1'.repeat(41), '1500000000'],
];

/** Every frame that differs from `text` in one of its numbers. */
function* oddFrames(text: string): Generator<string> {
  for (const { index, 0: stated } of text.matchAll(/-?\d+(?:\.\d+)?/g))
    for (const odd of ODD_NUMBERS) yield text.slice(0, index) + odd + text.slice(index + stated.length);
}

function itReadsOddNumbers(
  adapter: VenueAdapter,
  write: FrameWriter[1],
  [symbol = '']: readonly string[],
): void {
  it.each([true, false])('a number put in place of another: read as decoded (snapshot: %s)', (whole) => {
    const scan = scanOf(adapter);
    // Ids of which one is a multiple of 3, and one even: writers add or leave out fields by them.
    for (const ids of [
      [3, 5, 8],
      [4, 6, 9],
      [5, 8, 12],
    ] as FrameParts['ids'][]) {
      const time = 1_790_000_000_000 + ids[0];
      const text = write({ symbol, ids, time, whole, bids: [['1.5', '2']], asks: [['1.75', '3']] });
      for (const odd of oddFrames(text)) agrees(adapter, scan, odd);
    }
  });
}

/** A kind that a scanner no longer knew would fall back to the decoder unseen: right, and slow. */
function itTakesPlainFrames(
  adapter: VenueAdapter,
  write: FrameWriter[1],
  [symbol = '']: readonly string[],
  changesOnly: readonly VenueAdapter[],
): void {
  it.each([true, false])('takes plain frames of each kind that it knows (snapshot: %s)', (whole) => {
    const scan = scanOf(adapter);
    for (const first of [2, 3]) {
      const ids: FrameParts['ids'] = [first, first + 2, first + 5];
      const plain = { symbol, ids, time: 1_790_000_000_000 + first, whole };
      const text = write({ ...plain, bids: [['1.5', '2']], asks: [['1.75', '3']] });
      expect(agrees(adapter, scan, text), text).toBe(!whole || !changesOnly.includes(adapter));
    }
  });
}

/**
 * Checks each venue's scanner against its decoder, on frames of any content and on damaged ones.
 *
 * @param changesOnly venues whose scanner leaves snapshots to the decoder
 */
export function describeScanners(
  writers: readonly FrameWriter[],
  symbols: readonly string[],
  changesOnly: readonly VenueAdapter[] = [],
): void {
  const parts = partsOf(symbols);
  describe.each(writers)('scanner of $id', (adapter, write) => {
    it('frames of any content: read as by the decoder, most at all', () => {
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

    itTakesPlainFrames(adapter, write, symbols, changesOnly);
    itReadsOddNumbers(adapter, write, symbols);

    it('never reads a damaged frame as a different one', () => {
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
}
