import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basisPoints, dollars, publicNumbers, significant } from './public-numbers.ts';

const number = fc.oneof(
  fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.double({ min: -0.01, max: 0.01, noNaN: true }),
  fc.integer(),
);
const digitsOf = (x: number): number =>
  x
    .toExponential()
    .replace(/e.*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;
const placesOf = (x: number): number => {
  const [mantissa = '', exponent = '0'] = x.toExponential().split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
};

describe('a public number', () => {
  it('has at most ten significant digits, the nearest, and is idempotent', () => {
    fc.assert(
      fc.property(number, (x) => {
        const y = significant(x);
        expect(digitsOf(y)).toBeLessThanOrEqual(10);
        expect(Math.abs(y - x)).toBeLessThanOrEqual(Math.abs(x) * 5.000001e-10);
        expect(significant(y)).toBe(y);
      }),
      { numRuns: 5000 },
    );
  });

  it('stays as it is where rounding it would leave the range of doubles', () => {
    expect(publicNumbers({ min_diff: Number.MAX_VALUE, min_diff_bps: Number.MAX_VALUE })).toEqual({
      min_diff: Number.MAX_VALUE,
      min_diff_bps: Number.MAX_VALUE,
    });
  });

  it('is text that is no longer than what it says', () => {
    expect(
      [0.1 + 0.2, 1 / 3, 2 / 3, 999.99999999999, 1e-9 / 3, 123456789012.34, -0.1 - 0.2].map(significant),
    ).toEqual([0.3, 0.3333333333, 0.6666666667, 1000, 3.333333333e-10, 123456789000, -0.3]);
  });

  it.each([
    ['dollars', dollars, (x: number) => (Math.abs(x) < 1 ? 4 : 2)],
    ['basis points', basisPoints, () => 4],
  ] as const)('of %s: within half of the last place, and idempotent', (_, round, places) => {
    fc.assert(
      fc.property(number, (x) => {
        const y = round(x);
        expect(placesOf(y)).toBeLessThanOrEqual(places(x));
        expect(digitsOf(y)).toBeLessThanOrEqual(10);
        const half = 0.5 * 10 ** -places(x);
        expect(Math.abs(y - x)).toBeLessThanOrEqual(
          Math.max(half, Math.abs(x) * 5e-10) * 1.000001 + Math.abs(x) * 1e-15,
        );
        expect(round(y)).toBe(y);
      }),
      { numRuns: 5000 },
    );
  });

  it('is rounded once where ten digits end before its places', () => {
    expect(basisPoints(1040431.09945)).toBe(1040431.099);
    expect(dollars(-312345678.9449)).toBe(-312345678.9);
    expect(dollars(312345678.9499)).toBe(312345678.9);
  });

  it('is the same for the mean of equal rates as for the rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20_000_000, max: 20_000_000 }),
        fc.integer({ min: 1, max: 5000 }),
        (n, count) => {
          const rate = n / 1e9;
          const sum = Array.from({ length: count }, () => rate).reduce((a, b) => a + b, 0);
          expect(significant(sum / count)).toBe(rate);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the numbers of an answer', () => {
  it('are rounded by the names of their fields, in rows and lists', () => {
    const answer = {
      spread_bps: 1.23456789,
      total_open_interest_usd: 1234.5678,
      rate: 0.1 + 0.2,
      count: 3,
      note: '1.23456789',
      rows: [
        {
          open_interest: 0.123456,
          volume_24h: 9.999,
          open_interest_raw: 1.23456789012,
          none: null,
          yes: true,
        },
      ],
      sizes_bps: [0.000012, 2],
    };
    expect(publicNumbers(answer)).toEqual({
      spread_bps: 1.2346,
      total_open_interest_usd: 1234.57,
      rate: 0.3,
      count: 3,
      note: '1.23456789',
      rows: [{ open_interest: 0.1235, volume_24h: 10, open_interest_raw: 1.23456789, none: null, yes: true }],
      sizes_bps: [0, 2],
    });
  });

  it('unchanged values: not copied, and shared ones stay as they are', () => {
    const shared = { fee_bps: 4.5, nested: { rate: 1 / 3 } };
    expect(publicNumbers({ a: 1, list: [1, 'x'] }).list).toEqual([1, 'x']);
    const same = { a: 1, list: [{ b: 0.5 }] };
    expect(publicNumbers(same)).toBe(same);
    expect(publicNumbers(shared).nested.rate).toBe(0.3333333333);
    expect(shared.nested.rate).toBe(1 / 3);
  });
});
