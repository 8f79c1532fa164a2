import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPowerOfTen, isWithin, sizeOf } from './factor.ts';

const factor = fc.double({ min: 1.01, max: 1e9, noNaN: true });

describe('a factor', () => {
  test('its inverse: of the same size, and within the same limits', () => {
    fc.assert(
      fc.property(factor, factor, (size, limit) => {
        fc.pre(Math.abs(size / limit - 1) > 1e-9);
        expect(sizeOf(1 / size) / sizeOf(size)).toBeCloseTo(1, 9);
        expect(isWithin(1 / size, limit)).toBe(isWithin(size, limit));
      }),
    );
  });

  test('negative or unknown: within no limit', () => {
    expect([-1, Number.NaN, 0].map((value) => isWithin(value, 100))).toEqual([false, false, false]);
  });

  test('powers of ten: found in both directions, and no other is', () => {
    const near = fc.double({ min: -0.02, max: 0.02, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), near, (exponent, off) => {
        const power = 10 ** exponent * (1 + off);
        expect([power, 1 / power, 1 + off, power * 2].map((value) => isPowerOfTen(value, 0.05))).toEqual([
          true,
          true,
          false,
          false,
        ]);
      }),
    );
  });
});
