import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import type { SeriesBucket } from '../../src/domain/series.ts';
import { asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { Sample } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';
import { referenceBuckets } from './reference.ts';
import { simLog } from './sim-log.ts';

const log = simLog(5, asMs(Date.UTC(2026, 9, 20)), 4, 15);
const [ASSET = '', OTHER = ''] = log.assets;
const scope = { canonicalId: ASSET, from: log.from, to: log.to };
const middle = asMs(log.from + 2 * DAY_MS);
const early = log.samples.filter(({ value }) => value.at < middle);
const late = log.samples.filter(({ value }) => value.at >= middle);

describeEngines('hours that are rolled up', (engine) => {
  const time = new ManualTime(log.to + HOUR_MS);
  let store: HistoryStore;
  let rollUps: RollUps;
  let reader: HistoryReader;
  const counts = async (): Promise<readonly number[]> =>
    valueIn(await reader.buckets(scope, { measures: ['mark'] }, HOUR_MS)).map(
      ({ sampled, backfilled }) => sampled + backfilled,
    );
  const expected = (samples: typeof log.samples): readonly number[] =>
    referenceBuckets(samples, scope, ['mark'], HOUR_MS).map(
      ({ sampled, backfilled }) => sampled + backfilled,
    );

  beforeAll(async () => {
    store = await engine.open('current_hours');
    rollUps = new RollUps({
      store,
      clock: time.clock,
      timer: time.timer,
      logger: silentLogger,
      oldestWaiting: () => undefined,
    });
    reader = new HistoryReader({
      store,
      clock: time.clock,
      retention: DEFAULT_RETENTION,
      rolledTo: () => rollUps.rolledTo,
      currentTo: (canonicalId) => rollUps.currentTo(canonicalId),
    });
    await loadSamples(store, early);
    valueIn(await rollUps.refresh());
    await rollUps.work();
  });

  it('replace their samples until late ones, and after roll-up', async () => {
    expect(rollUps.currentTo(ASSET)).toBe(log.to);
    expect(await counts()).toEqual(expected(early));

    await loadSamples(store, late);
    rollUps.written(middle, asMs(log.to - 1), [ASSET]);
    expect(rollUps.currentTo(ASSET)).toBe(middle);
    expect(rollUps.currentTo(OTHER)).toBe(log.to);
    expect(await counts()).toEqual(expected(log.samples));

    await rollUps.work();
    expect(rollUps.currentTo(ASSET)).toBe(log.to);
    expect(await counts()).toEqual(expected(log.samples));
  });

  it('are not current while the roll-up fails', async () => {
    const fault = { ok: false, fault: { kind: 'unavailable', message: 'no node' } } as const;
    const run = vi.spyOn(store, 'run').mockResolvedValue(fault);
    onTestFinished(() => run.mockRestore());
    const broken = new RollUps({
      store,
      clock: time.clock,
      timer: time.timer,
      logger: silentLogger,
      oldestWaiting: () => undefined,
    });
    valueIn(await broken.refresh());
    broken.written(middle, middle);
    await broken.work();
    expect(broken.currentTo(ASSET)).toBe(middle);
  });
});

const contract = { canonicalId: 'crypto:BTC', ticker: 'BTC', venue: 'binance', symbol: 'BTCUSDT' };
const sampleAt = (at: number, origin: Sample['origin']): Sample => ({
  ...contract,
  listedAt: log.from,
  at: asMs(at),
  origin,
  comparable: true,
  markPrice: asPrice(origin === 'sampled' ? 100 : 99),
  ...(origin === 'sampled' && { fundingRate: asRate(0.0001), fundingIntervalHours: asHours(8) }),
});

describeEngines('hours whose samples are no longer kept', (engine) => {
  const from = log.from;
  const to = asMs(from + 8 * HOUR_MS);
  const time = new ManualTime(to + HOUR_MS);
  let reader: HistoryReader;

  /** Samples of every hour of a span. */
  const hours = (start: number, end: number, origin: Sample['origin']) =>
    Array.from({ length: (end - start) / HOUR_MS }, (_, i) => ({
      value: sampleAt(start + i * HOUR_MS, origin),
      recordedAt: time.clock.now(),
    }));
  const buckets = async (stepMs: number): Promise<readonly SeriesBucket[]> =>
    valueIn(
      await reader.buckets(
        { canonicalId: contract.canonicalId, from, to },
        { measures: ['rate', 'mark'] },
        stepMs,
      ),
    );

  beforeAll(async () => {
    const store = await engine.open('dropped_samples');
    const common = { store, clock: time.clock };
    const rollUps = new RollUps({
      ...common,
      timer: time.timer,
      logger: silentLogger,
      oldestWaiting: () => undefined,
    });
    reader = new HistoryReader({
      ...common,
      retention: DEFAULT_RETENTION,
      rolledTo: () => rollUps.rolledTo,
      currentTo: (canonicalId) => rollUps.currentTo(canonicalId),
    });
    await loadSamples(store, hours(from, from + 4 * HOUR_MS, 'sampled'));
    valueIn(await rollUps.refresh());
    await rollUps.work();
    valueIn(await store.runOnNodes((local) => `TRUNCATE TABLE ${local('samples')}`));
    time.jump(HOUR_MS);
    await loadSamples(store, hours(from, to, 'backfilled'));
    rollUps.written(from, asMs(to - 1), [contract.canonicalId]);
    await rollUps.work();
    expect(rollUps.currentTo(contract.canonicalId)).toBeGreaterThanOrEqual(to);
  });

  it('the same hours back-filled later: our roll-ups stay', async () => {
    const made = await buckets(HOUR_MS);
    expect(made.map(({ sampled, backfilled }) => [sampled, backfilled])).toEqual([
      ...Array(4).fill([1, 0]),
      ...Array(4).fill([0, 1]),
    ]);
    expect(made.map(({ means }) => means.mark?.mean)).toEqual([100, 100, 100, 100, 99, 99, 99, 99]);
    expect(made.map(({ means }) => means.rate?.mean)).toEqual([...Array(4).fill(0.0001), ...Array(4)]);
  });

  it('read the same in longer buckets', async () => {
    const made = await buckets(4 * HOUR_MS);
    expect(made.map(({ sampled, backfilled, means }) => [sampled, backfilled, means.rate?.mean])).toEqual([
      [4, 0, expect.closeTo(0.0001, 12)],
      [0, 4, undefined],
    ]);
  });
});
