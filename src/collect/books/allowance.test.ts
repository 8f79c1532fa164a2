import { describe, expect, it } from 'vitest';
import { Allowance, bookAllowance } from './allowance.ts';

const taken = (allowance: Allowance, now: number, weight = 1): number => {
  let count = 0;
  while (allowance.take(weight, now)) count++;
  return count;
};

describe('what books may spend', () => {
  it('is a fifth of its share of a short window at first, and all of it of a long one', () => {
    const short = bookAllowance(50, 10_000, 0.6, 1);
    expect([taken(short, 0), taken(short, 5000), taken(short, 60_000)]).toEqual([6, 15, 30]);
    expect(taken(bookAllowance(1200, 60_000, 0.15, 2), 0, 2)).toBe(90);
  });

  it('is at least one request, from the start', () => {
    expect(taken(bookAllowance(10, 1000, 0.1, 4), 0, 4)).toBe(1);
    expect(taken(bookAllowance(10, 1000, 0.5, 4), 0, 4)).toBe(1);
  });
});

describe('an allowance', () => {
  it('begins full, or with the part that is said, and fills evenly up to a window', () => {
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
