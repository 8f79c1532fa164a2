import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SCALE, scaleOf, toMantissa } from './decimal.ts';

const kept = (x: number, hint = 0): number => {
  const scale = scaleOf([x], hint);
  // The division is correctly rounded, so a stored decimal is the double it was.
  return (toMantissa(x, scale) ?? Number.NaN) / 10 ** scale;
};

describe('decimals', () => {
  it.each([
    [98_123.4, 1],
    [0.0001, 4],
    [-0.00000125, 8],
    [0, 0],
    [250, 0],
    [0.000000012345, 12],
    [8_744_878.78, 2],
    [1e15, 0],
  ])('%s takes %i decimals', (x, scale) => {
    expect(scaleOf([x])).toBe(scale);
    expect(kept(x)).toBe(x);
  });

  it('every decimal of up to 15 digits comes back as the double it was', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }),
        fc.integer({ min: 0, max: MAX_SCALE }),
        (m, e) => {
          const x = Number(`${m}e-${e}`);
          expect(kept(x) + 0).toBe(x + 0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('any other number: within 1e-14 of itself, down to 18 decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e18, max: 1e18, noNaN: true }), (x) => {
        expect(Math.abs(kept(x) - x)).toBeLessThanOrEqual(Math.max(Math.abs(x) * 1e-14, 1e-18));
      }),
      { numRuns: 2000 },
    );
  });

  it('one scale serves values of one kind, and keeps to the one used before', () => {
    expect(scaleOf([100.5, 99.25, undefined])).toBe(2);
    expect(scaleOf([100.5], 4)).toBe(4);
    expect(kept(100.5, 4)).toBe(100.5);
  });

  it('a hint never costs digits of a large value', () => {
    expect(scaleOf([123_456_789_012_345], 6)).toBe(0);
  });

  it('what does not fit is no value', () => {
    expect(toMantissa(1e19, 0)).toBeUndefined();
    expect(toMantissa(undefined, 3)).toBeUndefined();
  });
});
