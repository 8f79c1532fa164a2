import { describe, expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

const taken = (bucket: TokenBucket, now: number, weight = 1): number => {
  let count = 0;
  while (bucket.take(weight, now)) count++;
  return count;
};

describe('TokenBucket', () => {
  it('starts full or at the given level, and refills to its capacity', () => {
    expect(taken(new TokenBucket(10, 1000), 0)).toBe(10);
    const half = new TokenBucket(10, 1000, 0.5);
    expect(taken(half, 0)).toBe(5);
    expect(taken(half, 99)).toBe(0);
    expect(taken(half, 300)).toBe(3);
    expect(taken(half, 5000)).toBe(10);
  });

  it('grants a weight above its capacity when it is full', () => {
    const bucket = new TokenBucket(10, 1000, 0.5);
    expect(bucket.take(15, 400)).toBe(false);
    expect(bucket.take(15, 900)).toBe(true);
    expect(bucket.take(1, 1000)).toBe(false);
  });

  it('does not refill when the clock is set back', () => {
    const bucket = new TokenBucket(10, 1000);
    while (bucket.take(1, 5000));
    expect(bucket.take(1, 0)).toBe(false);
    expect(bucket.take(1, 100)).toBe(true);
  });
});
