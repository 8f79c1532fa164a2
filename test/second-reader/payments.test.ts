import { expect, it } from 'vitest';
import type { FundingPoint } from '../../src/domain/quote.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { SecondReaderRig } from './rig.ts';

it('payments from further back than asked: left to the back-fill', async () => {
  const taken: FundingPoint[] = [];
  const rig = new SecondReaderRig({
    venues: ['mexc'],
    payments: (_venue, funding) => void taken.push(...funding),
  });
  await rig.run(10 * MINUTE_MS);
  expect(taken.length).toBeGreaterThan(0);
  const oldest = Math.min(...taken.map(({ time }) => time));
  expect(oldest).toBeGreaterThanOrEqual(rig.startedAt - 50 * HOUR_MS);
});
