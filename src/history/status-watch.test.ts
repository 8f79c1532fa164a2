import { expect, it } from 'vitest';
import type { VenueHealth } from '../collect/ports.ts';
import { asMs } from '../domain/units.ts';
import type { Batch } from './batch.ts';
import { StatusWatch } from './status-watch.ts';

const T0 = asMs(Date.UTC(2026, 10, 20, 12));
const live: VenueHealth = {
  venue: 'okx',
  status: 'live',
  since: T0,
  lastUpdateAt: T0,
  rejects5m: 0,
  rejectsByReason: {},
  errorRate5m: 0,
  lastError: undefined,
};

it('a venue collected no more: down once, and missed in no sample', () => {
  const batches: Batch[] = [];
  const watch = new StatusWatch((batch) => batches.push(batch) > 0);
  const lines = () => batches.splice(0).flatMap((batch) => batch.lines.map((line) => [batch.table, line]));
  watch.observe([live], T0);
  expect(lines()).toHaveLength(1);
  const gone = asMs(T0 + 60_000);
  watch.observe([], gone);
  expect(lines()).toEqual([['venue_status', expect.stringMatching(/^okx\t.*\tdown\t/)]]);
  watch.observe([], asMs(gone + 1000));
  watch.sampled(gone, new Set(), gone);
  expect(lines()).toEqual([]);
});

it('notes no gap that ends before it begins where the clock was set back', () => {
  const batches: Batch[] = [];
  const watch = new StatusWatch((batch) => batches.push(batch) > 0);
  const gaps = () => batches.splice(0).filter(({ table }) => table === 'gaps');
  watch.observe([live], T0);
  watch.observe([{ ...live, status: 'stale', since: T0 }], T0);
  const back = asMs(T0 - 3_600_000);
  expect(gaps()).toEqual([]);
  watch.leave(back);
  watch.observe([{ ...live, since: back }], back);
  expect(gaps().map(({ from, to }) => [from, to])).toEqual([
    [back, back],
    [back, back],
  ]);
});
