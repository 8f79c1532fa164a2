import { describe, expect, it } from 'vitest';
import type { TokenBucket } from '../../runtime/token-bucket.ts';
import { bookTokenBucket } from './book-runner.ts';

const taken = (bucket: TokenBucket, now: number, weight = 1): number => {
  let count = 0;
  while (bucket.take(weight, now)) count++;
  return count;
};

describe('token bucket of a venue’s books', () => {
  it('starts a fifth full for a short rate-limit window, full for a long one', () => {
    const short = bookTokenBucket(50, 10_000, 0.6, 1);
    expect([taken(short, 0), taken(short, 5000), taken(short, 60_000)]).toEqual([6, 15, 30]);
    expect(taken(bookTokenBucket(1200, 60_000, 0.15, 2), 0, 2)).toBe(90);
  });

  it('holds at least one request from the start', () => {
    expect(taken(bookTokenBucket(10, 1000, 0.1, 4), 0, 4)).toBe(1);
    expect(taken(bookTokenBucket(10, 1000, 0.5, 4), 0, 4)).toBe(1);
  });
});
