import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitData } from '../../src/modules/mcp/fit.ts';

const rows = fc.array(
  fc.record({ venue: fc.string({ maxLength: 20 }), rate: fc.double(), inner: fc.array(fc.integer()) }),
);
const body = fc.record({
  count: fc.integer(),
  note: fc.string({ maxLength: 50 }),
  buckets: rows,
  legs: fc.array(rows),
});

describe('fitData', () => {
  it('any answer: the beginning of each list, and true counts', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 200, max: 5000 }), (data, most) => {
        const text = JSON.stringify(data);
        const whole = JSON.parse(text);
        const { data: left, text: written, cut } = fitData(text, most);
        expect(JSON.parse(written)).toEqual(left);
        expect(written.length <= most || cut.every(({ shown }) => shown === 1) || cut.length > 0).toBe(true);
        const kept = left as typeof whole;
        expect([kept.count, kept.note]).toEqual([whole.count, whole.note]);
        expect(kept.buckets).toEqual(cut.length === 0 ? whole.buckets : expect.any(Array));
        for (const { list, shown, of } of cut.filter((each) => each.list === 'buckets')) {
          expect([kept[list].length, whole[list].length]).toEqual([shown, of]);
          if (shown > 1) expect(kept[list]).toEqual(whole[list].slice(0, shown));
        }
      }),
    );
  });

  it('a flat list: as long as the budget, less than one row short of it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 5, maxLength: 30 }), { minLength: 50 }), (list) => {
        const text = JSON.stringify({ list });
        const { text: written, cut } = fitData(text, 500);
        expect(written.length).toBeLessThanOrEqual(500);
        const shown = cut[0]?.shown ?? 0;
        const next = JSON.stringify({ list: list.slice(0, shown + 1) });
        expect(next.length).toBeGreaterThan(500 - 3);
      }),
    );
  });

  it('lists within a list: shortened once it has one item', () => {
    const data = { assets: [{ values: Array.from({ length: 1000 }, (_, i) => i) }, { values: [1] }] };
    const { cut, text } = fitData(JSON.stringify(data), 300);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(cut).toEqual([
      { list: 'assets', shown: 1, of: 2 },
      { list: 'assets[0].values', shown: expect.any(Number), of: 1000 },
    ]);
  });

  it('no list: left as it is', () => {
    const text = JSON.stringify({ a: 'x'.repeat(500) });
    expect(fitData(text, 100)).toEqual({ data: JSON.parse(text), text, cut: [] });
  });
});
