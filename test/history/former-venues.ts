import { expect, it } from 'vitest';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { VenueId, VenueStatus } from '../../src/domain/venue.ts';
import { findFormerVenues } from '../../src/history/former-venues.ts';
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
  it('venues that were live once: told, with the time of absence', async () => {
    const store = await engine.open('former_venues');
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
    await load(store, 'mexc', [
      ['live', asMs(NOW - 9 * DAY_MS)],
      ['down', asMs(NOW - 8 * DAY_MS)],
    ]);
    await load(store, 'kraken', [['stale', minutesAgo(20)]]);
    await load(store, 'htx', [
      ['live', asMs(NOW - 30 * DAY_MS)],
      ['stale', minutesAgo(15)],
    ]);
    const { table, columns, lines } = gapBatch(
      { venue: 'gate', from: minutesAgo(20), to: minutesAgo(5), reason: 'venue_stale', rows: 0 },
      minutesAgo(5),
    );
    expect(await store.insert({ table, columns, lines })).toMatchObject({ ok: true });
    expect([...valueIn(await findFormerVenues(store, NOW))].sort()).toEqual([
      ['bybit', undefined],
      ['gate', minutesAgo(5)],
      ['htx', minutesAgo(15)],
      ['mexc', undefined],
      ['okx', minutesAgo(30)],
    ]);
  });
});
