import fc from 'fast-check';
import { expect } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';
import type { Listing, Measure, SeriesBucket } from '../../src/domain/series.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { createExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';
import { referenceBuckets } from './reference.ts';
import { simLog } from './sim-log.ts';

const FROM = asMs(Date.UTC(2026, 9, 20));
export const log = simLog(11, FROM, 10, 15);
/** Some minutes into an hour: windows have to be floored. */
export const NOW = asMs(log.to + 17 * 60_000);
const STEPS = { '1h': HOUR_MS, '4h': 4 * HOUR_MS, '1d': DAY_MS } as const;
export const RUNS = 8 * PROPERTY_RUNS.times;

export const iso = (at: number): string => new Date(at).toISOString();
export const wires = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value.filter(isWire) : []);

export const rows = log.assets.flatMap((canonicalId, i) =>
  log.venues.map((venue, k) => {
    const [assetClass = '', ticker = ''] = canonicalId.split(':');
    const kind = assetClass === 'commodity' ? 'commodity' : 'crypto';
    return exampleRow({
      venue,
      ticker,
      assetClass: kind,
      rate: 0.0001,
      hours: 8,
      mark: 100,
      oi: 1000 + i,
      volume: 1e6 * (k + 1),
    });
  }),
);

/** The contract that was sampled most stands for a venue in a bucket; of equals, the younger listing. */
export function leading<Bucket extends { venue: string; start: number; listedAt: number }>(
  buckets: readonly Bucket[],
  weight: (bucket: Bucket) => number,
): readonly Bucket[] {
  const best = new Map<string, Bucket>();
  for (const bucket of buckets) {
    const key = `${bucket.venue} ${bucket.start}`;
    const held = best.get(key);
    const better =
      held === undefined ||
      weight(bucket) > weight(held) ||
      (weight(bucket) === weight(held) && bucket.listedAt > held.listedAt);
    if (better) best.set(key, bucket);
  }
  return [...best.values()].sort((a, b) =>
    a.venue === b.venue ? a.start - b.start : a.venue < b.venue ? -1 : 1,
  );
}

export const count = ({ sampled, backfilled }: SeriesBucket): number => sampled + backfilled;

export function close(actual: unknown, expected: number | undefined, where: string): void {
  if (expected === undefined) expect(actual, where).toBeNull();
  else {
    const error = Math.abs(Number(actual) - expected);
    expect(error, `${where}: ${String(actual)} and ${expected}`).toBeLessThanOrEqual(
      1e-9 * Math.abs(expected) + 1e-15,
    );
  }
}

export interface Asked {
  readonly canonicalId: string;
  readonly venue: string;
  readonly aggr: keyof typeof STEPS;
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly asOf: UnixMs | undefined;
}

const minute = fc.integer({ min: -2 * 24 * 60, max: 10 * 24 * 60 }).map((m) => asMs(log.from + m * 60_000));
export const asked: fc.Arbitrary<Asked> = fc
  .record({
    canonicalId: fc.constantFrom(...log.assets),
    venue: fc.constantFrom(...log.venues),
    aggr: fc.constantFrom('1h' as const, '4h' as const, '1d' as const),
    a: minute,
    b: minute,
    asOf: fc.option(
      minute.filter((at) => at > log.from),
      { nil: undefined, freq: 4 },
    ),
  })
  .map(({ a, b, ...rest }) => ({ ...rest, from: asMs(Math.min(a, b)), to: asMs(Math.max(a, b)) }));

/** The window that the service has to use, and whether it is one. */
export function windowOf({ aggr, from, to, asOf: now = NOW }: Asked) {
  const step = STEPS[aggr];
  const floor = (at: number): UnixMs => asMs(Math.floor(at / step) * step);
  const current = floor(now);
  return { step, from: floor(from), to: to > current ? asMs(current + step) : floor(to) };
}

/** Minutes of each bucket that a measure is known of: an hour that the venue reported afterwards is covered by one value. */
export function minutesOf(scope: Scope, measure: Measure, step: number): ReadonlyMap<string, number> {
  const minutes = new Map<string, number>();
  for (const hour of referenceBuckets(log.samples, scope, [measure], HOUR_MS)) {
    const key = listingOf(hour, Math.floor(hour.start / step) * step);
    const known = hour.means[measure]?.samples ?? 0;
    const covered = hour.backfilled > 0 && known > 0 ? 60 : known;
    minutes.set(key, (minutes.get(key) ?? 0) + covered);
  }
  return minutes;
}

export const listingOf = (of: Listing, start: number): string =>
  `${of.venue} ${of.symbol} ${of.listedAt} ${start}`;

/** The service over a store with the log in it. */
export async function serveLog(store: HistoryStore) {
  const { clock, timer } = new ManualTime(NOW);
  const rollUps = new RollUps({
    ...{ store, clock, timer, logger: silentLogger },
    oldestWaiting: () => undefined,
  });
  await loadSamples(store, log.samples);
  await loadSettlements(store, log.settlements);
  valueIn(await rollUps.refresh());
  rollUps.written(log.from, log.to, log.assets);
  await rollUps.work();
  const reader = new HistoryReader({
    ...{ store, clock, retention: DEFAULT_RETENTION },
    rolledTo: () => rollUps.rolledTo,
  });
  return createExampleApi({
    ...{ mode: 'off', clock, history: { reader, version: 1 } },
    market: createFakeMarket(EXAMPLE_VENUES, rows),
  });
}
