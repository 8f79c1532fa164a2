import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dispersionLimit, type Eligibility, isPowerOfTenApart, judgeAsset } from './comparable.ts';

const eligibility = (mark: number | undefined, rest: Partial<Eligibility> = {}): Eligibility => ({
  mark,
  identityCertain: true,
  dead: false,
  placeholder: false,
  fresh: true,
  ...rest,
});
const judge = (...marks: (number | undefined)[]) =>
  judgeAsset(
    marks.map((mark) => eligibility(mark)),
    'crypto',
  );
const price = fc.double({ min: 1e-9, max: 1e6, noNaN: true });

describe('dispersion limit', () => {
  test('is the base with fewer than four marks, else at least four MAD', () => {
    expect(dispersionLimit([90, 100, 110], 100, 0.03)).toBe(0.03);
    expect(dispersionLimit([98, 99, 101, 102], 100, 0.03)).toBeCloseTo(0.06, 12);
    expect(dispersionLimit([100, 100, 100, 100, 500], 100, 0.03)).toBe(0.03);
  });
});

describe('verdicts', () => {
  test('one mark alone is comparable', () => {
    expect(judge(100)).toEqual([undefined]);
  });

  test('limits are 3 % for crypto and 5 % for others', () => {
    const rows = [eligibility(100), eligibility(100), eligibility(104)];
    expect(judgeAsset(rows, 'crypto')).toEqual([undefined, undefined, 'price_dispersion']);
    expect(judgeAsset(rows, 'equity')).toEqual([undefined, undefined, undefined]);
  });

  test('a thousandfold price: a multiplier fault, with or without a majority', () => {
    expect(judge(1.01, 1, 1000)).toEqual([undefined, undefined, 'multiplier_suspect']);
    expect(judge(1, 1003)).toEqual(['multiplier_suspect', 'multiplier_suspect']);
  });

  test('unrelated levels: uncertain identities, all without a majority', () => {
    expect(judge(0.31, 0.312, 909)).toEqual([undefined, undefined, 'identity_uncertain']);
    expect(judge(0.31, 909)).toEqual(['identity_uncertain', 'identity_uncertain']);
    expect(judge(1, 1.8)).toEqual(['identity_uncertain', 'identity_uncertain']);
  });

  test('two clusters of equal size are both rejected', () => {
    expect(judge(0.31, 0.31, 909, 909).every((it) => it === 'identity_uncertain')).toBe(true);
    expect(judge(1, 1, 1.8, 1.8).every((it) => it === 'identity_uncertain')).toBe(true);
    fc.assert(
      fc.property(
        price,
        fc.double({ min: 1.6, max: 1e4, noNaN: true }),
        fc.integer({ min: 1, max: 6 }),
        (at, ratio, n) => {
          const marks = [...Array<number>(n).fill(at), ...Array<number>(n).fill(at * ratio)];
          expect(judge(...marks).some((it) => it === undefined)).toBe(false);
        },
      ),
    );
  });

  test('a stale row is compared with the fresh ones and reported as stale', () => {
    const rows = [
      eligibility(100),
      eligibility(100.1),
      eligibility(108, { fresh: false }),
      eligibility(99, { fresh: false }),
    ];
    expect(judgeAsset(rows, 'crypto')).toEqual([undefined, undefined, 'stale', undefined]);
  });

  test('dead, placeholder and uncertain rows neither pass nor count', () => {
    const rows = [
      eligibility(100),
      eligibility(50, { dead: true }),
      eligibility(50, { placeholder: true }),
      eligibility(50, { identityCertain: false }),
      eligibility(undefined),
    ];
    expect(judgeAsset(rows, 'crypto')).toEqual([
      undefined,
      'dead_market',
      'placeholder',
      'identity_uncertain',
      'no_mark_price',
    ]);
  });

  test('do not depend on the order of rows', () => {
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        (marks, picks) => {
          const shuffled = [...marks];
          for (let i = shuffled.length - 1; i > 0; i--) {
            const j = (picks.next().value ?? 0) % (i + 1);
            [shuffled[i], shuffled[j]] = [shuffled[j] ?? 0, shuffled[i] ?? 0];
          }
          const verdict = new Map(marks.map((mark, i) => [mark, judge(...marks)[i]]));
          const after = judge(...shuffled);
          shuffled.forEach((mark, i) => {
            expect(after[i]).toBe(verdict.get(mark));
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  test('marks within the base limit: comparable, at any scale', () => {
    fc.assert(
      fc.property(
        price,
        fc.array(fc.double({ min: -0.014, max: 0.014, noNaN: true }), { minLength: 1 }),
        (at, offs) => {
          expect(judge(...offs.map((off) => at * (1 + off))).every((it) => it === undefined)).toBe(true);
        },
      ),
    );
  });

  test('a majority keeps its comparability whatever one other venue says', () => {
    fc.assert(
      fc.property(price, price, (at, other) => {
        const [a, b, c] = judge(at, at * 1.001, other);
        expect([a, b]).toEqual([undefined, undefined]);
        if (Math.abs(other / at - 1) > 0.04) expect(c).toBeDefined();
      }),
    );
  });
});

describe('power-of-ten ratios', () => {
  test('are found in both directions, and no other ratio is', () => {
    fc.assert(
      fc.property(
        price,
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: -0.02, max: 0.02, noNaN: true }),
        (p, n, off) => {
          const q = p * 10 ** n * (1 + off);
          expect(isPowerOfTenApart(p, q, 0.05)).toBe(true);
          expect(isPowerOfTenApart(q, p, 0.05)).toBe(true);
          expect(isPowerOfTenApart(p, p * (1 + off), 0.05)).toBe(false);
          expect(isPowerOfTenApart(p, q * 2, 0.05)).toBe(false);
        },
      ),
    );
  });
});
