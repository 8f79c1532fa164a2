import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal } from '../../web/text/number.ts';

it('a number of an answer: no exponent, and reads back equal', () => {
  expect([decimal(-3.5e-7), decimal(0.0000125), decimal(22_841_096_120)]).toEqual([
    '−0.00000035',
    '0.0000125',
    '22841096120',
  ]);
  fc.assert(
    fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => {
      const text = decimal(value).replace('−', '-');
      expect(text).not.toContain('e');
      expect(Number(text)).toBe(value);
    }),
  );
});
