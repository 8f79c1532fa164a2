import { afterEach, expect, it } from 'vitest';
import { EventLoopLag } from './event-loop.ts';

const lag = new EventLoopLag();
afterEach(() => lag.stop());

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((next) => setTimeout(next, 25));
};

it('is 0 before it is measured', () => {
  expect(lag.seconds()).toBe(0);
});

it('reports a 300 ms stall, also after shorter turns', async () => {
  lag.start();
  await turns(2);
  const until = performance.now() + 300;
  while (performance.now() < until);
  await turns(4);
  expect(lag.seconds()).toBeGreaterThan(0.2);
});
