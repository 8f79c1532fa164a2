import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Rotation } from '../../src/modules/second-reader/rotation.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';

const T0 = Date.UTC(2026, 10, 20);
const PERIODS = { majorMs: 5 * MINUTE_MS, otherMs: 12 * HOUR_MS, againMs: 30_000 };
const isPriority = (symbol: string): boolean => symbol.startsWith('M');
const symbols = (priority: number, others: number): string[] => [
  ...Array.from({ length: priority }, (_, i) => `M${i}`),
  ...Array.from({ length: others }, (_, i) => `x${i}`),
];

/** Looks at one contract after the other, each of which takes so long. */
function looksOf(rotation: Rotation, lookMs: number, forMs: number): ReadonlyMap<string, number> {
  const looks = new Map<string, number>();
  for (let t = T0; t < T0 + forMs; t += lookMs) {
    const symbol = rotation.next(asMs(t));
    if (symbol === undefined) continue;
    looks.set(symbol, (looks.get(symbol) ?? 0) + 1);
    rotation.done(symbol, asMs(t + lookMs), false);
  }
  return looks;
}

describe('Rotation', () => {
  it('priority assets: every few minutes; others: twice a day', () => {
    const rotation = new Rotation(PERIODS);
    rotation.follow(symbols(5, 600), isPriority, asMs(T0));
    const looks = looksOf(rotation, 1000, DAY_MS);
    expect(looks.size).toBe(605);
    expect(looks.get('M0')).toBeGreaterThan(280);
    expect(looks.get('x7')).toBe(2);
  });

  it('a small budget: every contract once a day all the same', () => {
    const rotation = new Rotation(PERIODS);
    rotation.follow(symbols(5, 100), isPriority, asMs(T0));
    // 360 looks a day: the priority assets alone would take 1,440.
    const looks = looksOf(rotation, 4 * MINUTE_MS, DAY_MS);
    expect(looks.size).toBe(105);
    expect(looks.get('M0')).toBeGreaterThan(20);
  });

  it('disagreements: asked again soon; new and gone contracts: named', () => {
    const rotation = new Rotation(PERIODS);
    rotation.follow(['M0', 'x0'], isPriority, asMs(T0));
    expect(rotation.next(asMs(T0))).toBe('M0');
    rotation.done('M0', asMs(T0), true);
    expect(rotation.dueIn(asMs(T0))).toBe(30_000);
    expect(rotation.next(asMs(T0 + 29_000))).toBeUndefined();
    expect(rotation.next(asMs(T0 + 30_000))).toBe('M0');
    expect(rotation.follow(['x0', 'M1'], isPriority, asMs(T0))).toEqual(['M0']);
    expect(rotation.next(asMs(T0))).toBe('M1');
  });
});
