import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { contractKey, MEASURES, type SeriesBucket, type SettledSpans } from '../../src/domain/series.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { Batch } from '../../src/history/batch.ts';
import { FeeWatch } from '../../src/history/fee-watch.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { close } from './close.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';
import { referenceBaselines, referenceBuckets, referenceInterest } from './reference.ts';
import { referencePayments, referenceSettled, referenceSpans } from './reference-payments.ts';
import { simLog } from './sim-log.ts';

/** Europe sets its clocks back on 25 October 2026, America on 1 November: nothing of that may show. */
const FROM = asMs(Date.UTC(2026, 9, 20));
const DAYS = 14;
const log = simLog(7, FROM, DAYS, 10);
/** Not every venue states how long a payment is for. */
const settlements = log.settlements.map(({ value, ...recorded }) => ({
  ...recorded,
  value: value.at % (5 * HOUR_MS) === 0 ? { ...value, intervalHours: undefined } : value,
}));
const RUNS = 10 * PROPERTY_RUNS.times;

const hourIn = (from: number, to: number) =>
  fc.integer({ min: 0, max: (to - from) / HOUR_MS }).map((h) => asMs(from + h * HOUR_MS));

const anyScope: fc.Arbitrary<Scope & { step: number }> = fc
  .record({
    canonicalId: fc.constantFrom(...log.assets),
    venues: fc.option(fc.subarray([...log.venues], { minLength: 1, maxLength: 2 }), { nil: undefined }),
    a: hourIn(log.from - DAY_MS, log.to),
    b: hourIn(log.from - DAY_MS, log.to),
    asOf: fc.option(hourIn(log.from, log.to + DAY_MS), { nil: undefined, freq: 3 }),
    step: fc.constantFrom(HOUR_MS, 4 * HOUR_MS, DAY_MS),
  })
  .map(({ a, b, step, ...rest }) => {
    const floor = (at: number): UnixMs => asMs(Math.floor(at / step) * step);
    return { ...rest, step, from: floor(Math.min(a, b)), to: asMs(floor(Math.max(a, b)) + step) };
  });

describeEngines(
  'history answers what was recorded',
  (engine) => {
    const time = new ManualTime(log.to + HOUR_MS);
    let store: HistoryStore;
    let reader: HistoryReader;

    beforeAll(async () => {
      store = await engine.open('queries');
      const rollUps = new RollUps({
        store,
        clock: time.clock,
        timer: time.timer,
        logger: silentLogger,
        oldestWaiting: () => undefined,
      });
      // A sample recorded late arrives when its hours are rolled up already.
      const middle = asMs(log.from + 9 * DAY_MS);
      await loadSamples(
        store,
        log.samples.filter(({ recordedAt }) => recordedAt < middle),
      );
      valueIn(await rollUps.refresh());
      await rollUps.work();
      const late = log.samples.filter(({ recordedAt }) => recordedAt >= middle);
      await loadSamples(store, late);
      await loadSettlements(store, settlements);
      rollUps.written(log.from, log.to, log.assets);
      await rollUps.work();
      expect(rollUps.rolledTo).toBe(log.to);
      const options = { store, clock: time.clock, retention: DEFAULT_RETENTION };
      reader = new HistoryReader({ ...options, rolledTo: () => rollUps.rolledTo });
    });

    it('any window, step, moment: buckets equal the reference', async () => {
      let found = 0;
      await fc.assert(
        fc.asyncProperty(
          anyScope,
          fc.subarray([...MEASURES], { minLength: 1 }),
          async ({ step, ...scope }, measures) => {
            const parts = { measures, book: true, lastRate: true };
            const got = valueIn(await reader.buckets(scope, parts, step));
            const want = referenceBuckets(log.samples, scope, measures, step);
            found += want.length;
            close(got, want);
          },
        ),
        { numRuns: RUNS, seed: 11 + PROPERTY_RUNS.seed },
      );
      expect(found).toBeGreaterThan(8 * RUNS);
    });

    it('any window, step, moment: payments equal the reference', async () => {
      let found = 0;
      await fc.assert(
        fc.asyncProperty(anyScope, async ({ step, ...scope }) => {
          const want = referenceSettled(settlements, scope, step);
          found += want.length;
          close(valueIn(await reader.settled(scope, step)), want);
        }),
        { numRuns: RUNS, seed: 12 + PROPERTY_RUNS.seed },
      );
      expect(found).toBeGreaterThan(2 * RUNS);
    });

    it('answers payments of every contract over the days before its last one', async () => {
      const key = ({ canonicalId, venue, symbol }: SettledSpans) => `${canonicalId} ${venue} ${symbol}`;
      const sorted = (list: readonly SettledSpans[]) => [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      const got = valueIn(await reader.settledSpans());
      const want = referenceSpans(settlements, log.assets, time.clock.now());
      expect(want.length).toBeGreaterThan(8);
      close(sorted(got), sorted(want));
      expect(reader.lastSettledSpans()).toBe(got);
    });

    it('answers every payment with the hours that it is for, and their means', async () => {
      let found = 0;
      await fc.assert(
        fc.asyncProperty(anyScope, async ({ step, canonicalId, ...window }) => {
          const want = referencePayments(settlements, { canonicalId, ...window });
          found += want.length;
          const scope = { ...window, canonicalIds: [canonicalId] };
          close(valueIn(await reader.fundingPayments(scope)), want);
          const means = new Map<string, { rate: number; hours: number; lastAt: number }>();
          for (const { symbol, listedAt, at, rate, hours, ...of } of want) {
            if (hours === undefined) continue;
            const key = [of.venue, symbol, listedAt, Math.floor(at / step) * step].join(' ');
            const held = means.get(key) ?? { rate: 0, hours: 0 };
            means.set(key, { rate: held.rate + rate, hours: held.hours + hours, lastAt: at });
          }
          const got = valueIn(await reader.settledMeans(scope, step)).map(
            ({ symbol, listedAt, start, rate8h, hours, lastAt, ...of }) =>
              [[of.venue, symbol, listedAt, start].join(' '), { rate8h, hours, lastAt }] as const,
          );
          close(
            Object.fromEntries(got),
            Object.fromEntries(
              [...means].map(([key, { rate, ...of }]) => [key, { rate8h: (rate / of.hours) * 8, ...of }]),
            ),
          );
          const [one] = want;
          if (one === undefined) return;
          const contracts = [contractKey(one.venue, one.symbol)];
          const own = want.filter((other) => other.venue === one.venue && other.symbol === one.symbol);
          close(valueIn(await reader.fundingPayments({ ...scope, contracts })), own);
        }),
        { numRuns: RUNS, seed: 13 + PROPERTY_RUNS.seed },
      );
      expect(found).toBeGreaterThan(4 * RUNS);
    });

    it('answers long windows from roll-ups that equal the samples of each hour', async () => {
      const scope = { canonicalId: 'crypto:BTC', from: log.from, to: log.to };
      const parts = { measures: MEASURES, book: true, lastRate: true };
      const long = valueIn(await reader.buckets(scope, parts, HOUR_MS));
      const days: SeriesBucket[] = [];
      // The state of knowledge as of a time is read from the samples.
      const asOf = asMs(log.to + 100 * DAY_MS);
      for (let from = log.from; from < log.to; from = asMs(from + DAY_MS)) {
        const day = { ...scope, from, to: asMs(from + DAY_MS), asOf };
        days.push(...valueIn(await reader.buckets(day, parts, HOUR_MS)));
      }
      const key = ({ venue, symbol, listedAt, start }: SeriesBucket) =>
        `${venue} ${symbol} ${listedAt} ${start}`;
      const sorted = (list: readonly SeriesBucket[]) => [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      close(sorted(long), sorted(days));
    });

    it('answers open interest at any time as the reference does', async () => {
      const moment = fc.integer({ min: 0, max: (log.to - log.from) / 60_000 });
      const asset = fc.constantFrom(...log.assets);
      await fc.assert(
        fc.asyncProperty(
          asset,
          fc.constantFrom(...log.venues),
          moment,
          async (canonicalId, venue, minute) => {
            const at = asMs(log.from + minute * 60_000);
            const got = valueIn(await reader.interestAt({ canonicalId, venue, at }, HOUR_MS));
            const want = referenceInterest(log.samples, canonicalId, venue, at, HOUR_MS);
            const nearest = new Map(
              [...got].reverse().map((value) => [`${venue}|${value.symbol}|${value.listedAt}`, value]),
            );
            expect(nearest.size).toBe(want.size);
            for (const [key, value] of nearest) close({ at: value.at, value: value.value }, want.get(key));
          },
        ),
        { numRuns: RUNS, seed: 13 },
      );
    });

    it('keeps taker fees as they change, and reads them again at a start', async () => {
      const batches: Batch[] = [];
      const watchFees = async (isTaken = true) => {
        const watch = new FeeWatch((batch) => isTaken && batches.push(batch) > 0);
        valueIn(await watch.start(store));
        return watch;
      };
      const fee = (takerBps: number, symbol = 'BTC-PERP') => ({ venue: 'fees', symbol, takerBps });
      const first = log.from;
      const later = asMs(log.from + HOUR_MS);
      (await watchFees(false)).observe([fee(5)], first);
      const before = await watchFees();
      before.observe([fee(5), fee(2.5, 'ETH-PERP')], first);
      before.observe([fee(5), fee(2.5, 'ETH-PERP')], later);
      for (const batch of batches) valueIn(await store.insert(batch));
      const after = await watchFees();
      after.observe([fee(4.5), fee(2.5, 'ETH-PERP')], later);
      expect(batches.map(({ lines }) => lines.length)).toEqual([2, 1]);
      for (const batch of batches.slice(1)) valueIn(await store.insert(batch));
      await store.deliver('fees');
      const contracts = [{ venue: 'fees', symbol: 'BTC-PERP' }];
      const noted = { venue: 'fees', symbol: 'BTC-PERP', since: first, takerBps: 5 };
      const changed = { venue: 'fees', symbol: 'BTC-PERP', since: later, takerBps: 4.5 };
      expect(valueIn(await reader.takerFees({ contracts }))).toEqual([noted, changed]);
      expect(valueIn(await reader.takerFees({ contracts, asOf: first }))).toEqual([noted]);
      expect(valueIn(await reader.takerFees({ contracts: [] }))).toEqual([]);
    });

    it('answers volume baselines of all contracts as the reference does', async () => {
      const { list, from, to } = valueIn(await reader.baselines());
      const want = referenceBaselines(log.samples, log.assets, from, to, 48);
      const key = (it: { canonicalId: string; venue: string; symbol: string }) =>
        `${it.canonicalId} ${it.venue} ${it.symbol}`;
      const sorted = <T extends { canonicalId: string; venue: string; symbol: string }>(all: readonly T[]) =>
        [...all].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      expect(want.length).toBeGreaterThan(8);
      close(sorted(list), sorted(want));
    });

    it('answers the range in which something is known', async () => {
      for (const canonicalId of log.assets) {
        const scope = { canonicalId, venues: ['binance'] };
        const all = log.samples.filter(
          ({ value }) => value.canonicalId === canonicalId && value.venue === 'binance',
        );
        const times = all.filter(({ value }) => value.markPrice !== undefined).map(({ value }) => value.at);
        const range = valueIn(await reader.knownRange(scope, 'mark'));
        if (times.length === 0) expect(range).toBeUndefined();
        else {
          expect(range?.to).toBe(Math.max(...times));
          expect(range?.from).toBe(Math.floor(Math.min(...times) / HOUR_MS) * HOUR_MS);
        }
      }
      expect(valueIn(await reader.knownRange({ canonicalId: 'crypto:NOPE' }, 'rate'))).toBeUndefined();
    });
  },
  { later: ['cluster'] },
);
