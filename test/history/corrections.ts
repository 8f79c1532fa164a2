import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { MEASURES, type Measure } from '../../src/domain/series.ts';
import { asBase, asMs, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { HistoryReader } from '../../src/history/reader.ts';
import { readAsStored } from '../../src/history/reading.ts';
import type { RollUps } from '../../src/history/roll-ups.ts';
import type { Sample } from '../../src/history/sample.ts';
import { type HistoryStore, stored } from '../../src/history/store.ts';
import { activeAt, type Correction, venuePrefix } from '../../src/modules/corrections/correction.ts';
import {
  clearCorrections,
  readCorrections,
  recordCorrections,
} from '../../src/modules/corrections/correction-log.ts';
import type { CorrectionWatch } from '../../src/modules/corrections/correction-watch.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { close } from './close.ts';
import { correctedRig } from './corrected-rig.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';
import { referenceBaselines, referenceBuckets, referenceInterest } from './reference.ts';
import { type Recorded, simLog } from './sim-log.ts';

const RUNS = 4 * PROPERTY_RUNS.times;
const log = simLog(19, asMs(Date.UTC(2026, 9, 20)), 6, 15);
/** Within an hour: it has samples of both sides. */
const UPGRADE = asMs(log.from + 3 * DAY_MS + 30 * MINUTE_MS);
const NOTED = asMs(log.to + 2 * HOUR_MS);
const UNDONE = asMs(log.to + 4 * HOUR_MS);
/** Nothing is recorded before its time. */
const recorded = log.samples.filter(({ recordedAt }) => recordedAt <= log.to);

const since = { revision: 1, from: asMs(0) };
const atUpgrade = { ...since, before: UPGRADE, knownAt: UPGRADE };
const TWICE: Correction = {
  ...atUpgrade,
  id: 'twice',
  venue: 'hyperliquid',
  metric: 'open_interest',
  factor: 0.5,
  reason: "long and short: \\ the venue's",
};
const DECLARED: readonly Correction[] = [
  TWICE,
  {
    ...atUpgrade,
    id: 'sides',
    venue: 'bin*',
    metric: 'volume_24h',
    factor: 0.25,
    reason: 'four times',
  },
  {
    ...atUpgrade,
    id: 'unit',
    venue: 'okx',
    metric: 'volume_24h',
    factor: undefined,
    reason: 'unit',
  },
];
const OPERATORS: readonly Correction[] = [
  {
    id: 'span',
    revision: 1,
    venue: 'binance',
    metric: 'open_interest',
    factor: 3,
    reason: 'a third',
    from: asMs(log.from + DAY_MS + 17 * MINUTE_MS),
    before: asMs(log.from + 2 * DAY_MS + 43 * MINUTE_MS),
    knownAt: NOTED,
  },
  {
    ...since,
    id: 'told',
    venue: 'okx',
    metric: 'open_interest',
    origin: 'backfilled',
    factor: undefined,
    before: log.to,
    knownAt: NOTED,
    reason: 'told of another contract',
  },
  {
    ...since,
    id: 'rate',
    venue: 'hyperliquid',
    metric: 'funding_rate',
    factor: undefined,
    before: asMs(log.from + 4 * DAY_MS + 44 * MINUTE_MS),
    knownAt: NOTED,
    reason: 'not knowable then',
  },
];
const UNDOING: readonly Correction[] = [
  { ...DECLARED[0], revision: 2, factor: 1, knownAt: UNDONE, reason: 'it was right' } as Correction,
  { ...OPERATORS[0], revision: 2, factor: 1, knownAt: UNDONE, reason: 'it was right' } as Correction,
];
const ALL = [...DECLARED, ...OPERATORS, ...UNDOING];

function times<T extends number>(x: T | undefined, by: number | undefined, as: (x: number) => T) {
  return x === undefined || by === undefined ? undefined : as(x * by);
}

function correctedBy(value: Sample, { metric, factor }: Correction): Sample {
  if (metric === 'funding_rate') return { ...value, fundingRate: times(value.fundingRate, factor, asRate) };
  if (metric === 'open_interest') {
    const usd = times(value.openInterestUsd, factor, asUsd);
    return {
      ...value,
      openInterestBase: times(value.openInterestBase, factor, asBase),
      openInterestUsd: usd,
    };
  }
  const usd = times(value.volume24hUsd, factor, asUsd);
  return { ...value, volume24hBase: times(value.volume24hBase, factor, asBase), volume24hUsd: usd };
}

/** The rows as they should read as of a time: each corrected by itself. */
function readAs(at: UnixMs): readonly Recorded<Sample>[] {
  const active = activeAt(ALL, at);
  return recorded.map((row) => {
    const covering = active.filter(({ venue, origin, from, before }) => {
      const prefix = venuePrefix(venue);
      const isVenue = prefix === undefined ? row.value.venue === venue : row.value.venue.startsWith(prefix);
      const isOrigin = origin === undefined || origin === row.value.origin;
      return isVenue && isOrigin && row.recordedAt >= from && row.recordedAt < before;
    });
    return covering.length === 0 ? row : { ...row, value: covering.reduce(correctedBy, row.value) };
  });
}
const READ = new Map([log.from, UPGRADE, NOTED, UNDONE].map((at) => [at, readAs(at)]));
/** Rows as of any time: they change only where a correction becomes known. */
function rowsAt(at: UnixMs): readonly Recorded<Sample>[] {
  const since = [...READ.keys()].filter((time) => time <= at);
  return READ.get(asMs(Math.max(log.from, ...since))) ?? recorded;
}

const hour = fc.integer({ min: 0, max: 6 * 24 }).map((h) => asMs(log.from + h * HOUR_MS));
const question = fc.record({
  canonicalId: fc.constantFrom(...log.assets),
  venues: fc.option(fc.subarray([...log.venues], { minLength: 1, maxLength: 2 }), { nil: undefined }),
  ends: fc.tuple(hour, hour),
  step: fc.constantFrom(HOUR_MS, 4 * HOUR_MS, DAY_MS),
  measures: fc.subarray([...MEASURES], { minLength: 1 }),
});

describeEngines(
  'corrections',
  (engine) => {
    const time = new ManualTime(UPGRADE);
    let store: HistoryStore;
    let rollUps: RollUps;
    let watch: CorrectionWatch;
    let reader: HistoryReader;

    beforeAll(async () => {
      store = await engine.open('corrections');
      ({ rollUps, watch, reader } = correctedRig(store, time));
      await loadSamples(
        store,
        recorded.filter(({ recordedAt }) => recordedAt < UPGRADE),
      );
      valueIn(await rollUps.refresh());
      await rollUps.work();
      valueIn(await recordCorrections(store, DECLARED));
      valueIn(await watch.refresh());
      await loadSamples(
        store,
        recorded.filter(({ recordedAt }) => recordedAt >= UPGRADE),
      );
      time.jump(log.to + HOUR_MS - time.now);
      rollUps.written(log.from, log.to, log.assets);
      await rollUps.work();
    });

    async function holds(measures: readonly Measure[], asOf: UnixMs | undefined, seed: number) {
      let found = 0;
      const rows = rowsAt(asOf ?? time.clock.now());
      await fc.assert(
        fc.asyncProperty(question, async ({ ends: [a, b], step, ...one }) => {
          const floor = (at: number) => Math.floor(at / step) * step;
          const window = { from: asMs(floor(Math.min(a, b))), to: asMs(floor(Math.max(a, b)) + step), asOf };
          const scope = { ...window, canonicalId: one.canonicalId, venues: one.venues };
          const asked = [...new Set([...one.measures, ...measures])];
          const got = await reader.buckets(scope, { measures: asked, book: true, lastRate: true }, step);
          const want = referenceBuckets(rows, scope, asked, step);
          found += want.length;
          close(valueIn(got), want);
        }),
        { numRuns: RUNS, seed: seed + PROPERTY_RUNS.seed },
      );
      expect(found).toBeGreaterThan(4 * RUNS);
    }

    it('noted in a store that is read as written: it is refused', async () => {
      const reading = readAsStored({
        store,
        clock: { now: () => log.to },
        logger: silentLogger,
        sampleMs: DAY_MS,
        onSplit: () => {},
        onChange: () => {},
      });
      valueIn(await clearCorrections(store));
      const ofNothing = { ...atUpgrade, before: asMs(0) };
      const inEmptyStore: Correction = { ...TWICE, ...ofNothing, id: 'of an empty store' };
      valueIn(await recordCorrections(store, [inEmptyStore]));
      expect(await reading.refresh()).toEqual(stored(undefined));
      valueIn(await recordCorrections(store, [TWICE]));
      const message = expect.stringContaining('module corrections');
      expect(await reading.refresh()).toEqual({ ok: false, fault: { kind: 'refused', message } });
      valueIn(await clearCorrections(store));
    });

    it('are stored once on every node, as recorded', async () => {
      valueIn(await recordCorrections(store, DECLARED));
      const sql = 'SELECT count(), uniqExact(id, revision) FROM corrections';
      const counts = valueIn(await store.selectOnNodes(() => ({ sql, params: {} })));
      expect(new Set(counts.map(String))).toEqual(new Set(['3,3']));
      const held = valueIn(await readCorrections(store));
      expect([...held].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
        [...DECLARED].sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    });

    it('apply to hours before, after and across their time, rolled up or not', async () => {
      await holds(['interest', 'volumeUsd'], undefined, 31);
    });

    it.each([
      ['before', asMs(UPGRADE - 1)],
      ['when', UPGRADE],
      ['after', asMs(log.to)],
    ])('apply to answers as of a time %s they are known', async (_, asOf) => {
      await holds(['interest', 'volumeUsd'], asOf, 32);
    });

    it('change baselines, single values, and what is known at all', async () => {
      const rows = rowsAt(time.clock.now());
      const { list, from, to } = valueIn(await reader.baselines());
      const want = referenceBaselines(rows, log.assets, from, to, 48);
      const key = (b: (typeof want)[number]) => `${b.canonicalId} ${b.venue} ${b.symbol} ${b.listedAt}`;
      const sorted = (all: readonly (typeof want)[number][]) =>
        [...all].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      expect(want.length).toBeGreaterThan(4);
      close(sorted(list), sorted(want));
      for (const canonicalId of log.assets) {
        for (const at of [log.from + 7 * HOUR_MS, UPGRADE - 1, UPGRADE + 20 * MINUTE_MS]) {
          const got = valueIn(
            await reader.interestAt({ canonicalId, venue: 'hyperliquid', at: asMs(at) }, HOUR_MS),
          );
          const values = referenceInterest(rows, canonicalId, 'hyperliquid', asMs(at), HOUR_MS);
          const nearest = new Map(
            [...got]
              .reverse()
              .map((contract) => [`hyperliquid|${contract.symbol}|${contract.listedAt}`, contract.value]),
          );
          expect(nearest.size).toBe(values.size);
          for (const [key, value] of nearest) close(value, values.get(key)?.value);
        }
        const known = rows.filter(({ value }) => value.canonicalId === canonicalId && value.venue === 'okx');
        const range = valueIn(await reader.knownRange({ canonicalId, venues: ['okx'] }, 'volumeUsd'));
        const times = known.flatMap(({ value }) => (value.volume24hUsd === undefined ? [] : [value.at]));
        expect(range?.from).toBe(
          times.length === 0 ? undefined : Math.floor(Math.min(...times) / HOUR_MS) * HOUR_MS,
        );
      }
    });

    it('that are recorded later apply to hours that are rolled up already', async () => {
      valueIn(await recordCorrections(store, OPERATORS));
      time.jump(NOTED - 1 - time.now);
      valueIn(await watch.refresh());
      await holds(['interest', 'rate'], undefined, 33);
      time.jump(NOTED - time.now);
      valueIn(await watch.refresh());
      await holds(['interest', 'rate'], undefined, 34);
      await rollUps.work();
      await holds(['interest', 'rate'], undefined, 35);
      await holds(['interest', 'rate'], asMs(NOTED - 1), 36);
    });

    it('undone ones: applied only as of the time in between', async () => {
      valueIn(await recordCorrections(store, UNDOING));
      time.jump(UNDONE - time.now);
      valueIn(await watch.refresh());
      await rollUps.work();
      await holds(['interest'], undefined, 37);
      await holds(['interest'], asMs(UNDONE - 1), 38);
    });

    it('never roll an hour up twice', async () => {
      const sql = 'SELECT count() FROM hours';
      const before = valueIn(await store.select({ sql, params: {} }));
      const again = correctedRig(store, time);
      valueIn(await again.rollUps.refresh());
      valueIn(await again.watch.refresh());
      await again.rollUps.work();
      expect(valueIn(await store.select({ sql, params: {} }))).toEqual(before);
    });
  },
  { later: ['cluster'] },
);
