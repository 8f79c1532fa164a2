import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireLine } from '../../collect/wire.ts';
import { BlockBuilder, readBlock, summaryOf } from './block.ts';
import { RECORD_TYPES, type WireRecord } from './record.ts';

const line: fc.Arbitrary<WireLine> = fc.record({
  venue: fc.constantFrom('binance', 'okx', 'hyperliquid-xyz'),
  kind: fc.constantFrom('books', 'tickers', 'history'),
  stream: fc.constantFrom('marks', 'stream books', 'http'),
});

const one = fc.record({
  type: fc.constantFrom(...RECORD_TYPES.filter((type) => type !== 'gap')),
  line,
  connection: fc.nat(300),
  passedMs: fc.nat(2_000_000).map((micros) => micros / 1000),
  drift: fc.integer({ min: -400, max: 400 }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  masked: fc.boolean(),
});

/** Records with clocks that go on, the wall clock a little beside the other. */
const records: fc.Arbitrary<readonly WireRecord[]> = fc
  .array(one, { minLength: 1, maxLength: 60 })
  .map((all) => {
    let mono = 12.345;
    return all.map(({ passedMs, drift, ...rest }) => {
      mono = Math.round((mono + passedMs) * 1000) / 1000;
      return { ...rest, mono, wall: 1_790_000_000_000 + Math.floor(mono) + drift };
    });
  });

describe('a block', () => {
  it('any records: read as they were added, in their order', () => {
    fc.assert(
      fc.property(records, (all) => {
        const block = new BlockBuilder();
        for (const record of all) block.add(record);
        const { raw, summary } = block.seal();
        const read = readBlock(raw);
        const exact = read.map(({ mono, ...rest }) => ({ ...rest, mono: Math.round(mono * 1000) / 1000 }));
        expect(exact).toEqual(all);
        expect(summaryOf(read)).toEqual(summary);
        expect(block.isEmpty).toBe(true);
      }),
    );
  });

  it('a block that was sealed: the next one holds nothing of it', () => {
    const block = new BlockBuilder();
    const record = {
      type: 'text',
      line: { venue: 'okx', kind: 'books', stream: 'b' },
      connection: 1,
      wall: 5,
      mono: 7,
      payload: Buffer.from('first'),
      masked: false,
    } as const;
    block.add(record);
    block.seal();
    block.add({ ...record, payload: Buffer.from('second') });
    expect(readBlock(block.seal().raw).map(({ payload }) => String(payload))).toEqual(['second']);
  });

  it('bytes that end early: an error, and no record', () => {
    expect(() => readBlock(Buffer.from([200, 1, 2]))).toThrow(RangeError);
  });
});
