import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { asMs } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
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
      ...{ store, clock: time.clock, timer: time.timer, logger: silentLogger },
      oldestWaiting: () => undefined,
    });
    reader = new HistoryReader({
      ...{ store, clock: time.clock, retention: DEFAULT_RETENTION },
      rolledTo: () => rollUps.rolledTo,
      currentTo: (canonicalId) => rollUps.currentTo(canonicalId),
    });
    await loadSamples(store, early);
    valueIn(await rollUps.refresh());
    await rollUps.work();
  });

  it('replace their samples until late samples arrive, and again after the next roll-up', async () => {
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
      ...{ store, clock: time.clock, timer: time.timer },
      ...{ logger: silentLogger, oldestWaiting: () => undefined },
    });
    valueIn(await broken.refresh());
    broken.written(middle, middle);
    await broken.work();
    expect(broken.currentTo(ASSET)).toBe(middle);
  });
});
