import { expect, it } from 'vitest';
import { NOW, rig, toy, until } from '../../../test/history/backfill-rig.ts';
import { memoryProgress } from '../../../test/history/memory-progress.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';

it('values without a second way: back-filled again once old enough', async () => {
  const [payments, marks] = toy.backfill ?? [];
  if (payments === undefined || marks === undefined) throw new Error('no endpoints');
  const venue = { ...toy, backfill: [{ ...payments, repeatMs: 12 * HOUR_MS }, marks] };
  const progress = memoryProgress();
  const { backfill, asked, taken, time } = rig({ venues: () => [venue], progress });
  backfill.start();
  await until(time, () => backfill.state().done === 3);
  const filledTo = progress.filledTo('toy', 'BTC', asMs(0));
  const before = asked.length;
  const written = taken.length;
  await until(time, () => asked.length >= before + 3);
  expect(time.now - NOW).toBeGreaterThanOrEqual(12 * HOUR_MS);
  expect(asked.slice(before).map((path) => path.slice(0, 14))).toEqual(
    ['BTC', 'BBB', 'AAA'].map((symbol) => `/funding?s=${symbol}`),
  );
  await until(time, () => taken.length === written + 3);
  const times = taken.slice(written).map(({ settlements }) => settlements.map(({ at }) => at));
  // 16:00 of that day, and midnight after it.
  expect(times).toEqual(Array(3).fill([Date.UTC(2026, 10, 20, 16), Date.UTC(2026, 10, 21)]));
  expect(backfill.state()).toMatchObject({ contracts: 3, done: 3 });
  // Marks of the time since are asked for after a restart.
  expect(progress.filledTo('toy', 'BTC', asMs(0))).toBe(filledTo);
  await backfill.stop();
});
