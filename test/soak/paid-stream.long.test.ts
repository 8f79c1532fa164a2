import { expect, it } from 'vitest';
import { PaidSoak } from './paid-stream-run.ts';

/** A part of what `npm run soak paid-stream` does. */
it('late payments, silence and a kill: nothing unpaid, uncredited or lost', async () => {
  const seen = await new PaidSoak({
    seed: 3,
    readers: 16,
    breaks: 40,
    kills: 1,
    seconds: 240,
    everyMs: 10,
  }).run();
  const { unpaidSeconds, uncredited, wrongSums, unsaid, wrong, faults } = seen;
  expect({ unpaidSeconds, uncredited, wrongSums, unsaid, wrong, faults }).toEqual({
    unpaidSeconds: 0,
    uncredited: 0,
    wrongSums: 0,
    unsaid: 0,
    wrong: 0,
    faults: 0,
  });
  expect([seen.kills, seen.paused > 0, seen.conflated > 0]).toEqual([1, true, true]);
}, 240_000);
