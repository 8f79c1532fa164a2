import { beforeAll, expect, it } from 'vitest';
import { asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { SettledAgainstShown } from '../../src/modules/second-reader/readings/settled-against-shown.ts';
import { secondReadBatch } from '../../src/modules/second-reader/second-read-rows.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';

const PAID_AT = asMs(Date.UTC(2026, 9, 20, 16));
const NOW = asMs(PAID_AT + 5 * MINUTE_MS);
const before = (ms: number): UnixMs => asMs(PAID_AT - ms);
const CONTRACT = {
  canonicalId: 'crypto:BTC',
  ticker: 'BTC',
  venue: 'binance',
  symbol: "BTC'USDT",
  listedAt: asMs(Date.UTC(2025, 0, 1)),
};
const shown = (at: UnixMs, rate: number, of: Partial<Sample> = {}): Sample => ({
  ...CONTRACT,
  at,
  origin: 'sampled',
  comparable: true,
  fundingRate: asRate(rate),
  ...of,
});
const paid = (rate: number, of: Partial<Settlement> = {}): Settlement =>
  ({ ...CONTRACT, at: PAID_AT, origin: 'settled', rate: asRate(rate), ...of }) as Settlement;

describeEngines('comparisons with what was paid', (engine) => {
  let store: HistoryStore;
  beforeAll(async () => {
    store = await engine.open('second_reads');
    const samples = [
      shown(before(MINUTE_MS), 0.0001),
      shown(before(HOUR_MS), 0.0004),
      shown(before(8 * HOUR_MS), -0.0003),
      shown(before(MINUTE_MS), 0.0009, { venue: 'okx', symbol: 'OTHER' }),
      shown(before(2 * HOUR_MS), 0.0009),
    ];
    await loadSamples(
      store,
      samples.map((value) => ({ value, recordedAt: value.at })),
    );
    const late = asMs(PAID_AT + 2 * MINUTE_MS);
    await loadSettlements(store, [
      { value: paid(0.00011), recordedAt: late },
      { value: paid(0.00011, { symbol: 'UNSEEN' }), recordedAt: late },
      // Of long ago, and one that was known before.
      { value: paid(0.5, { at: before(72 * HOUR_MS) }), recordedAt: late },
      { value: paid(0.5, { at: before(8 * HOUR_MS) }), recordedAt: before(7 * HOUR_MS) },
    ]);
  });

  it('payments new since the last look: a minute, hour, interval before', async () => {
    const reader = new HistoryReader({
      store,
      clock: { now: () => NOW },
      retention: DEFAULT_RETENTION,
      rolledTo: () => asMs(0),
    });
    const settled = new SettledAgainstShown(
      { reader, intervalOf: () => 8, waitingSince: () => undefined },
      PAID_AT,
    );
    const found = await settled.next(NOW);
    const values = found.map(({ field, symbol, shown: was, second, agrees }) => [
      ...[field, symbol, was.value, second.value, agrees],
    ]);
    expect(values.sort()).toEqual([
      ['shown_hour_before', CONTRACT.symbol, 0.0004, 0.00011, false],
      ['shown_interval_before', CONTRACT.symbol, -0.0003, 0.00011, false],
      ['shown_minute_before', CONTRACT.symbol, 0.0001, 0.00011, true],
    ]);
    expect(await settled.next(asMs(NOW + MINUTE_MS))).toEqual([]);

    const batch = secondReadBatch(found, NOW);
    if (batch === undefined) throw new Error('nothing to write');
    valueIn(await store.insert(batch));
    const sql =
      'SELECT venue, symbol, field, way, toUnixTimestamp64Milli(ts), shown, second, agrees FROM second_reads ORDER BY field';
    const rows = valueIn(await store.select({ sql, params: {} }));
    const about = ['binance', CONTRACT.symbol];
    expect(
      rows.map((cells) => cells.map((cell) => (Number.isNaN(Number(cell)) ? cell : Number(cell)))),
    ).toEqual([
      [...about, 'shown_hour_before', 'payment', PAID_AT, 0.0004, 0.00011, 0],
      [...about, 'shown_interval_before', 'payment', PAID_AT, -0.0003, 0.00011, 0],
      [...about, 'shown_minute_before', 'payment', PAID_AT, 0.0001, 0.00011, 1],
    ]);
  });
});
