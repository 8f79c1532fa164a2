import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { FailureCounts } from './failure-counts.ts';

it('ends of requests: counted by outcome and reason, in order', () => {
  const counts = new FailureCounts();
  counts.add({ outcome: 'limited', reason: undefined }, asMs(1));
  counts.add({ outcome: 'rejected', reason: 'invalid_payload' }, asMs(2));
  counts.add({ outcome: 'rejected', reason: 'invalid_payload' }, asMs(3));
  expect(counts.all()).toEqual([
    { outcome: 'rejected', reason: 'invalid_payload', requests: 2, newestAt: 3 },
    { outcome: 'limited', reason: undefined, requests: 1, newestAt: 1 },
  ]);
});

it('more words than are kept apart: counted by outcome', () => {
  const counts = new FailureCounts();
  for (let i = 0; i < 1000; i++) counts.add({ outcome: 'refused', reason: `word_${i}` }, asMs(i));
  const all = counts.all();
  expect(all).toHaveLength(201);
  expect(all[0]).toEqual({ outcome: 'refused', reason: 'other', requests: 800, newestAt: 999 });
});
