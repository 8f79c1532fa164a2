import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { SlidingCount } from './sliding-count.ts';

const NOW = Date.UTC(2026, 9, 20, 12);

it('events: counted for their span, also when the clock was set back', () => {
  const count = new SlidingCount(5 * MINUTE_MS);
  count.add(2, NOW);
  expect(count.total(NOW + 4 * MINUTE_MS)).toBe(2);
  expect(count.total(NOW + 6 * MINUTE_MS)).toBe(0);
  count.add(3, NOW + 6 * MINUTE_MS);
  const back = NOW - HOUR_MS;
  expect(count.total(back)).toBe(3);
  count.add(1, back + MINUTE_MS);
  expect(count.total(back + 4 * MINUTE_MS)).toBe(4);
  expect(count.total(back + 5 * MINUTE_MS + 1)).toBe(1);
  expect(count.total(back + 7 * MINUTE_MS)).toBe(0);
});

it('an event a moment older than the one before moves nothing', () => {
  const count = new SlidingCount(5 * MINUTE_MS);
  for (let i = 0; i < 100; i++) {
    count.add(1, NOW);
    count.add(1, NOW - 1);
  }
  expect(count.total(NOW + 4 * MINUTE_MS)).toBe(200);
});
