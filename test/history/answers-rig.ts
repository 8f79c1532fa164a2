import fc from 'fast-check';
import { expect } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';
import type { Listing, Measure, SeriesBucket, SettledBucket } from '../../src/domain/series.ts';
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

/** Order by venue, then by time. */
export const byVenue = (a: Stored, b: Stored): number =>
  a.venue === b.venue ? a.start - b.start : a.venue < b.venue ? -1 : 1;

type Stored = Listing & { readonly start: number };

/** The symbol that a venue's row of an asset has now, or had as of a moment: of a row alone samples are taken. */
function rowSymbol(canonicalId: string, venue: string, asOf: UnixMs | undefined): string | undefined {
  if (asOf === undefined) {
    return rows.find((row) => row.venue === venue && row.canonicalId === canonicalId)?.symbol;
  }
  const known = log.samples.filter(
    ({ value, recordedAt }) =>
      value.canonicalId === canonicalId &&
      value.venue === venue &&
      value.origin === 'sampled' &&
      recordedAt <= asOf,
  );
  return known.filter(({ value }) => value.at <= asOf).sort((a, b) => b.value.at - a.value.at)[0]?.value
    .symbol;
}

/** True of a part that belongs to the series of its venue: counted one by one. */
export function seriesIn(
  { canonicalId, asOf }: Pick<Scope, 'canonicalId' | 'asOf'>,
  buckets: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): (part: Stored) => boolean {
  const all: readonly Stored[] = [...buckets, ...payments];
  /** Samples count before payments. */
  const weight = (is: (part: Stored) => boolean): number =>
    buckets.filter(is).reduce((sum, bucket) => sum + count(bucket) * 1e6, 0) +
    payments.filter(is).reduce((sum, paid) => sum + paid.payments, 0);
  const first = <Key extends string | number>(keys: readonly Key[], weightOf: (key: Key) => number) =>
    [...keys].sort((a, b) => weightOf(b) - weightOf(a))[0];
  const symbolOf = new Map<string, string | undefined>();
  for (const { venue } of all) {
    const symbols = [
      ...new Set(all.filter((part) => part.venue === venue).map(({ symbol }) => symbol)),
    ].sort();
    const shown = rowSymbol(canonicalId, venue, asOf);
    const most = first(symbols, (symbol) => weight((part) => part.venue === venue && part.symbol === symbol));
    symbolOf.set(venue, symbols.includes(shown ?? '') ? shown : most);
  }
  return ({ venue, symbol, listedAt, start }) => {
    if (symbol !== symbolOf.get(venue)) return false;
    const here = (part: Stored) => part.venue === venue && part.symbol === symbol && part.start === start;
    const listings = [...new Set(all.filter(here).map((part) => part.listedAt))].sort((a, b) => b - a);
    return (
      listedAt === first(listings, (listing) => weight((part) => here(part) && part.listedAt === listing))
    );
  };
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
    store,
    clock,
    timer,
    logger: silentLogger,
    oldestWaiting: () => undefined,
  });
  await loadSamples(store, log.samples);
  await loadSettlements(store, log.settlements);
  valueIn(await rollUps.refresh());
  rollUps.written(log.from, log.to, log.assets);
  await rollUps.work();
  const reader = new HistoryReader({
    store,
    clock,
    retention: DEFAULT_RETENTION,
    rolledTo: () => rollUps.rolledTo,
  });
  return createExampleApi({
    mode: 'off',
    clock,
    history: { reader, version: 1 },
    market: createFakeMarket(EXAMPLE_VENUES, rows),
  });
}
