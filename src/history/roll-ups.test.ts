import { expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { silentLogger } from '../collect/logger.ts';
import { asMs } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { RollUps } from './roll-ups.ts';
import { type HistoryStore, notStored, type StoreResult, stored } from './store.ts';

const HOUR = asMs(Date.UTC(2026, 10, 20, 12));

/** Roll-ups of a store that is rolled up to 12:00, with all that is asked of it. */
async function rolledUp(deliver: (table: string) => StoreResult<void>) {
  const asked: string[] = [];
  const store = {
    select: async () => stored([[(HOUR - HOUR_MS) / 1000, 1]]),
    run: async () => {
      asked.push('roll up');
      return stored(undefined);
    },
    deliver: async (table: string) => {
      asked.push(`deliver ${table}`);
      return deliver(table);
    },
  } as unknown as HistoryStore;
  const time = new ManualTime(HOUR);
  const { clock, timer } = time;
  const rollUps = new RollUps({ store, clock, timer, logger: silentLogger, oldestWaiting: () => undefined });
  expect(await rollUps.refresh()).toMatchObject({ ok: true });
  return { rollUps, asked };
}

const late = [{ from: asMs(HOUR - 2 * HOUR_MS), to: asMs(HOUR - 2 * HOUR_MS) }];

it('hours are rolled up again once the late samples are on every node', async () => {
  const { rollUps, asked } = await rolledUp(() => stored(undefined));
  expect(await rollUps.redo(late)).toMatchObject({ ok: true });
  expect(asked).toEqual(['deliver samples', 'roll up', 'deliver hours']);
});

it('late samples that cannot be delivered: hours not rolled up again', async () => {
  const { rollUps, asked } = await rolledUp(() => notStored('unavailable', 'a node is away'));
  expect(await rollUps.redo(late)).toMatchObject({ ok: false });
  expect(asked).toEqual(['deliver samples']);
});
