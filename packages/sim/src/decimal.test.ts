import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, rounded } from './decimal.ts';

describe('a decimal', () => {
  it('is what rounding gives, for numbers on a grid and for any other', () => {
    const onGrid = fc
      .tuple(fc.integer({ min: -1e10, max: 1e10 }), fc.integer({ min: 0, max: 14 }))
      .map(([steps, places]) => steps / 10 ** places);
    const any = fc.double({ min: -1e15, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(onGrid, any), fc.integer({ min: 2, max: 12 }), (x, digits) => {
        expect(decimal(x, digits)).toBe(rounded(x, digits));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [1e-7, '0.0000001'],
    [0.1 + 0.2, '0.3'],
    [2.5, '2.5'],
  ])('of %d is %s', (x, text) => {
    expect(decimal(x)).toBe(text);
  });
});
