import { expect, it } from 'vitest';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { VenueId, VenueStatus } from '../../src/domain/venue.ts';
import { findOpenGaps } from '../../src/history/open-gaps.ts';
import { gapBatch, StatusWatch } from '../../src/history/status-watch.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { valueIn } from './load.ts';

const NOW = asMs(Date.UTC(2026, 9, 20, 16));
const minutesAgo = (count: number): UnixMs => asMs(NOW - count * MINUTE_MS);

async function load(
  store: HistoryStore,
  venue: VenueId,
  statuses: readonly (readonly [VenueStatus, UnixMs])[],
): Promise<void> {
  const batches: Parameters<ConstructorParameters<typeof StatusWatch>[0]>[0][] = [];
  const watch = new StatusWatch((batch) => batches.push(batch) > 0);
  const rejects = { rejects5m: 0, rejectsByReason: {}, errorRate5m: 0, lastError: undefined };
  for (const [status, since] of statuses)
    watch.observe([{ venue, status, since, lastUpdateAt: since, ...rejects }], since);
  for (const { table, columns, lines } of batches)
    expect(await store.insert({ table, columns, lines })).toMatchObject({ ok: true });
}

describeEngines('a history whose recorder was killed', (engine) => {
  it('tells since when which venues were away, as far as no gap says it', async () => {
    const store = await engine.open('open_gaps');
    await load(store, 'okx', [
      ['live', minutesAgo(90)],
      ['stale', minutesAgo(60)],
      ['live', minutesAgo(50)],
      ['stale', minutesAgo(30)],
      ['down', minutesAgo(25)],
    ]);
    await load(store, 'bybit', [
      ['live', minutesAgo(40)],
      ['down', minutesAgo(20)],
      ['live', minutesAgo(10)],
    ]);
    await load(store, 'gate', [
      ['live', minutesAgo(40)],
      ['stale', minutesAgo(20)],
    ]);
    await load(store, 'mexc', [['down', asMs(NOW - 8 * DAY_MS)]]);
    const { table, columns, lines } = gapBatch(
      { venue: 'gate', from: minutesAgo(20), to: minutesAgo(5), reason: 'venue_stale', rows: 0 },
      minutesAgo(5),
    );
    expect(await store.insert({ table, columns, lines })).toMatchObject({ ok: true });
    expect([...valueIn(await findOpenGaps(store, NOW))].sort()).toEqual([
      ['gate', minutesAgo(5)],
      ['okx', minutesAgo(30)],
    ]);
  });
});
