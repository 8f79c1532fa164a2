import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cheapestSingle, cheapestSplit, type Ladder } from './split-route.ts';

/** Levels in ascending cost, in whole units, so that whole units are enough to find the best by trying. */
const ladder: fc.Arbitrary<Ladder> = fc
  .array(fc.tuple(fc.integer({ min: 90, max: 130 }), fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((levels) => ({ levels: levels.sort((a, b) => a[0] - b[0]) }));
const ladders = fc.array(ladder, { minLength: 1, maxLength: 4 });
const EPSILON = 1e-6;

/** Cost of so many units of one ladder; undefined where it has fewer. */
function costOf({ levels }: Ladder, units: number): number | undefined {
  let left = units;
  let cost = 0;
  for (const [price, size] of levels) {
    const taken = Math.min(left, size);
    cost += taken * price;
    left -= taken;
  }
  return left > 0 ? undefined : cost;
}

/** The least cost of so many units of at most `most` ladders, all ways of dividing them tried. */
function byTrying(all: readonly Ladder[], units: number, most: number): number | undefined {
  const [first, ...rest] = all;
  if (units === 0) return 0;
  if (first === undefined || most === 0) return undefined;
  let best: number | undefined;
  for (let here = 0; here <= units; here++) {
    const cost = costOf(first, here);
    const others = byTrying(rest, units - here, here === 0 ? most : most - 1);
    if (cost === undefined || others === undefined) continue;
    if (best === undefined || cost + others < best) best = cost + others;
  }
  return best;
}

describe('a split over ladders', () => {
  test('costs as much as the optimal division over any number of ladders', () => {
    fc.assert(
      fc.property(
        ladders,
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 4 }),
        (all, units, most) => {
          const split = cheapestSplit(all, units, most);
          const best = byTrying(all, units, most);
          if (best === undefined) expect(split.filled).toBeLessThan(units);
          else {
            expect(split.filled).toBeCloseTo(units, 9);
            expect(split.cost).toBeCloseTo(best, 6);
          }
          expect(split.units.filter((part) => part > 0).length).toBeLessThanOrEqual(most);
          expect(split.units.reduce((sum, part) => sum + part, 0)).toBeCloseTo(split.filled, 9);
        },
      ),
    );
  });

  test('is never above the best single ladder, nor above fewer of them', () => {
    const real = fc.array(
      fc.array(
        fc.tuple(
          fc.double({ min: -100, max: 100, noNaN: true }),
          fc.double({ min: 0.01, max: 5, noNaN: true }),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(real, fc.double({ min: 0.1, max: 20, noNaN: true }), (drawn, wanted) => {
        const all = drawn.map((levels) => ({ levels: levels.sort((a, b) => a[0] - b[0]) }));
        const single = cheapestSingle(all, wanted);
        let before = cheapestSplit(all, wanted, 1);
        if (single !== undefined) expect(before.cost).toBeCloseTo(single.cost, 6);
        for (let most = 2; most <= all.length; most++) {
          const split = cheapestSplit(all, wanted, most);
          expect(split.filled).toBeGreaterThan(before.filled - EPSILON);
          const isAsMuch = Math.abs(split.filled - before.filled) <= EPSILON;
          if (isAsMuch) expect(split.cost).toBeLessThanOrEqual(before.cost + EPSILON * 100);
          before = split;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('too many combinations: ladders are added greedily, same size filled', () => {
    const all = Array.from({ length: 60 }, (_, i) => ({
      levels: Array.from({ length: 60 }, (_level, at) => [100 + at + i / 60, 0.1] as const),
    }));
    const wanted = 6;
    let before = Number.POSITIVE_INFINITY;
    for (const most of [1, 2, 3, 5, 8]) {
      const { cost, filled, units } = cheapestSplit(all, wanted, most);
      expect(filled).toBeCloseTo(wanted, 9);
      expect(cost).toBeLessThan(before);
      expect(units.filter((part) => part > 0).length).toBe(most);
      before = cost;
    }
    // The five cheapest ladders, and of each as many levels.
    const five = cheapestSplit(all, wanted, 5);
    expect(five.units.slice(0, 5).every((part) => part > 1)).toBe(true);
  });
});
