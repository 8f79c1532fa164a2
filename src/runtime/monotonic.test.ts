import { expect, it } from 'vitest';
import { monotonicFrom } from './monotonic.ts';

it('counts on where the clock is set back, and what it is set ahead by', () => {
  let now = 5000;
  const elapsed = monotonicFrom({ now: () => now });
  expect(elapsed()).toBe(5000);
  now = 5200;
  expect(elapsed()).toBe(5200);
  now = 100;
  expect(elapsed()).toBe(5200);
  now = 150;
  expect(elapsed()).toBe(5250);
  now = 1150;
  expect(elapsed()).toBe(6250);
});
