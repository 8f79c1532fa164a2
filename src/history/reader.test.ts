import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { HistoryReader } from './reader.ts';
import { DEFAULT_RETENTION } from './retention.ts';
import type { HistoryStore } from './store.ts';

it('a failing store: asked for payments once a minute, then once in ten', async () => {
  let now = 0;
  let asked = 0;
  const store = {
    select: async () => {
      asked += 1;
      return { ok: false, fault: { kind: 'unreachable', message: 'gone' } };
    },
  } as unknown as HistoryStore;
  const clock = { now: () => asMs(now) };
  const reader = new HistoryReader({ store, clock, retention: DEFAULT_RETENTION, rolledTo: () => asMs(0) });
  const look = async (minutes: readonly number[]): Promise<number> => {
    asked = 0;
    for (const minute of minutes) {
      now = minute * MINUTE_MS;
      expect(reader.lastSettledSpans()).toBeUndefined();
      await Promise.resolve();
    }
    return asked;
  };
  expect(await look([0, 0.5, 1, 14, 14.5])).toBe(3);
  expect(await look([15, 16, 19, 20, 29, 30])).toBe(3);
});
