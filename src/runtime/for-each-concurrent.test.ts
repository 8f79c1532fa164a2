import { expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { forEachConcurrent } from './for-each-concurrent.ts';

it('spreads its tasks on where the clock is set back meanwhile', async () => {
  const time = new ManualTime();
  const begun: number[] = [];
  const task = async (item: number): Promise<void> => {
    begun.push(item);
    if (item === 1) time.setBack(3_600_000);
  };
  const ended = forEachConcurrent([0, 1, 2, 3], task, {
    clock: time.clock,
    timer: time.timer,
    signal: new AbortController().signal,
    concurrency: 1,
    spreadMs: 4000,
  });
  await time.advance(4000);
  expect(begun).toEqual([0, 1, 2, 3]);
  await ended;
});
