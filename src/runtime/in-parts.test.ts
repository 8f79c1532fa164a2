import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inParts, repeatInParts } from './in-parts.ts';

const fail = (cause: unknown): never => {
  throw cause;
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it('other work: goes on between two parts, and the result is known', async () => {
  const order: string[] = [];
  function* work(): Generator<undefined, string> {
    for (const part of ['one', 'two']) {
      order.push(part);
      setImmediate(() => order.push(`after ${part}`));
      yield;
    }
    return 'done';
  }
  expect(await inParts(work())).toBe('done');
  expect(order).toEqual(['one', 'after one', 'two', 'after two']);
});

it('repeated work begins again only when the last time is done', async () => {
  let begun = 0;
  let isHeld = true;
  const timer = repeatInParts(
    function* () {
      begun++;
      while (isHeld) yield;
    },
    1000,
    fail,
  );
  vi.advanceTimersByTime(3000);
  expect(begun).toBe(1);
  isHeld = false;
  await vi.waitFor(() => {
    vi.advanceTimersByTime(1000);
    expect(begun).toBeGreaterThan(1);
  });
  clearInterval(timer);
});

it('repeated work that fails says so each time, and is begun again', async () => {
  const reasons: unknown[] = [];
  let begun = 0;
  const timer = repeatInParts(
    function* () {
      begun++;
      yield;
      throw new Error(`time ${begun}`);
    },
    1000,
    (cause) => reasons.push(cause),
  );
  for (const time of [1, 2]) {
    vi.advanceTimersByTime(1000);
    await vi.waitFor(() => expect(reasons).toHaveLength(time));
  }
  expect(reasons).toEqual([new Error('time 1'), new Error('time 2')]);
  clearInterval(timer);
});
