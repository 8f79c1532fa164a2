import { describe, expect, it } from 'vitest';
import { Allowance } from './allowance.ts';

describe('an allowance', () => {
  it('begins full, or with the part that is said, and fills evenly up to a window', () => {
    const taken = (allowance: Allowance, now: number): number => {
      let count = 0;
      while (allowance.take(1, now)) count++;
      return count;
    };
    expect(taken(new Allowance(10, 1000), 0)).toBe(10);
    const half = new Allowance(10, 1000, 0.5);
    expect(taken(half, 0)).toBe(5);
    expect(taken(half, 99)).toBe(0);
    expect(taken(half, 300)).toBe(3);
    expect(taken(half, 5000)).toBe(10);
  });

  it('lets a weight above a window pass when the window is full', () => {
    const allowance = new Allowance(10, 1000, 0.5);
    expect(allowance.take(15, 400)).toBe(false);
    expect(allowance.take(15, 900)).toBe(true);
    expect(allowance.take(1, 1000)).toBe(false);
  });

  it('gets nothing from a clock that is set back', () => {
    const allowance = new Allowance(10, 1000);
    while (allowance.take(1, 5000));
    expect(allowance.take(1, 0)).toBe(false);
    expect(allowance.take(1, 100)).toBe(true);
  });
});
