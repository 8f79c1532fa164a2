/**
 * The answers that history must give, computed from the recorded rows in the plainest way there is: no engine,
 * no SQL.
 */

import type { Mean, Measure, SeriesBucket } from '../../src/domain/series.ts';
import { asMs, asPrice, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { Recorded } from './sim-log.ts';

type Row = Sample | Settlement;

/** The latest revision of each row that fits, as of the time asked for. */
export function current<T extends Row>(rows: readonly Recorded<T>[], scope: Scope): readonly T[] {
  const latest = new Map<string, Recorded<T>>();
  for (const row of rows) {
    const { canonicalId, venue, symbol, listedAt, at, origin } = row.value;
    if (canonicalId !== scope.canonicalId || at < scope.from || at >= scope.to) continue;
    if (scope.venues !== undefined && !scope.venues.includes(venue)) continue;
    if (scope.asOf !== undefined && row.recordedAt > scope.asOf) continue;
    const kind = 'rate' in row.value ? '' : origin;
    const key = [venue, symbol, listedAt, at, kind].join('|');
    const held = latest.get(key);
    if (held === undefined || row.recordedAt > held.recordedAt) latest.set(key, row);
  }
  return [...latest.values()].map(({ value }) => value);
}

export function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

export const contractOf = ({ venue, symbol, listedAt }: Row): string => `${venue}|${symbol}|${listedAt}`;
export const order = <T extends { venue: string; symbol: string; listedAt: number; start: number }>(
  list: T[],
): T[] =>
  list.sort(
    (a, b) =>
      compare(a.venue, b.venue) ||
      compare(a.symbol, b.symbol) ||
      a.listedAt - b.listedAt ||
      a.start - b.start,
  );
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function valueIn(sample: Sample, measure: Measure): number | undefined {
  const { markPrice: mark, openInterestBase: base, openInterestUsd: usd } = sample;
  switch (measure) {
    case 'rate':
      return sample.fundingRate;
    case 'mark':
      return mark;
    case 'index':
      return sample.indexPrice;
    case 'interest':
      return base ?? (usd === undefined || mark === undefined ? undefined : usd / mark);
    case 'interestUsd':
      return usd ?? (base === undefined || mark === undefined ? undefined : base * mark);
    case 'volumeUsd': {
      const { volume24hBase: volume, volume24hUsd: volumeUsd } = sample;
      return volumeUsd ?? (volume === undefined || mark === undefined ? undefined : volume * mark);
    }
  }
}

export function meanOf(values: readonly (number | undefined)[]): Mean | undefined {
  const known = values.filter((x) => x !== undefined);
  if (known.length === 0) return undefined;
  return { samples: known.length, mean: known.reduce((a, b) => a + b, 0) / known.length };
}

/** The value of all, where they have the same one. */
export function oneOf(values: readonly (number | undefined)[]): number | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

/** A venue's report of an hour stands for all sixty minutes of it, each sample of our own for one. */
function meanOverHours(rows: readonly Sample[], measure: Measure): Mean | undefined {
  const hours = groupBy(rows, ({ at }) => String(Math.floor(at / HOUR_MS))).flatMap((hour) => {
    const mean = meanOf(hour.map((row) => valueIn(row, measure)));
    const minutes = hour[0]?.origin === 'backfilled' ? 60 : (mean?.samples ?? 0);
    return mean === undefined ? [] : [{ ...mean, minutes }];
  });
  const total = hours.reduce((sum, { minutes }) => sum + minutes, 0);
  if (total === 0) return undefined;
  return {
    samples: hours.reduce((sum, { samples }) => sum + samples, 0),
    mean: hours.reduce((sum, { mean, minutes }) => sum + (mean * minutes) / total, 0),
  };
}

/** Of the hours with a sample of our own, those samples; of the others, what the venue told. */
function chosen(rows: readonly Sample[]): readonly Sample[] {
  return groupBy(rows, ({ at }) => String(Math.floor(at / HOUR_MS))).flatMap((hour) => {
    const own = hour.filter(({ origin }) => origin === 'sampled');
    return own.length > 0 ? own : hour;
  });
}

const latestFirst = (rows: readonly Sample[]) => [...rows].sort((a, b) => b.at - a.at);

export function referenceBuckets(
  samples: readonly Recorded<Sample>[],
  scope: Scope,
  measures: readonly Measure[],
  stepMs: number,
): readonly SeriesBucket[] {
  const startOf = ({ at }: Row): number => Math.floor(at / stepMs) * stepMs;
  const buckets = groupBy(current(samples, scope), contractOf)
    .flatMap((rows) => groupBy(chosen(rows), (row) => String(startOf(row))))
    .flatMap((rows): SeriesBucket[] => {
      const [first] = rows;
      if (first === undefined) return [];
      const { venue, symbol, listedAt } = first;
      const told = rows.filter(({ origin }) => origin === 'backfilled');
      const means: Partial<Record<Measure, Mean>> = {};
      for (const measure of measures) {
        const mean = meanOverHours(rows, measure);
        if (mean !== undefined) means[measure] = mean;
      }
      const rated = latestFirst(rows).find(({ fundingRate }) => fundingRate !== undefined);
      return [
        {
          venue,
          symbol,
          listedAt,
          start: asMs(startOf(first)),
          lastAt: asMs(Math.max(...rows.map(({ at }) => at))),
          sampled: rows.length - told.length,
          backfilled: told.length,
          backfilledHours: new Set(told.map(({ at }) => Math.floor(at / HOUR_MS))).size,
          means,
          book: lastBook(rows),
          lastRate: rated?.fundingRate,
          lastIntervalHours: rated?.fundingIntervalHours,
          ...intervalsOf(rows),
        },
      ];
    });
  return order(buckets);
}

/** The interval of the rates where they came with one, and whether they came with several. */
function intervalsOf(rows: readonly Sample[]): Pick<SeriesBucket, 'intervalHours' | 'intervalChanged'> {
  const rated = rows.filter(({ fundingRate }) => fundingRate !== undefined);
  const stated = new Set(rated.flatMap(({ fundingIntervalHours: hours }) => hours ?? []));
  const ofHours = groupBy(rated, ({ at }) => String(Math.floor(at / HOUR_MS))).map(
    (hour) => latestFirst(hour)[0]?.fundingIntervalHours,
  );
  // An hour whose last rate came without an interval leaves that of the bucket unknown.
  return {
    intervalHours: stated.size === 1 ? oneOf(ofHours) : undefined,
    intervalChanged: hasSeveral(rated),
  };
}

/** Two rates of one hour, or the last ones of two hours, came with different intervals. */
function hasSeveral(rated: readonly Sample[]): boolean {
  const hours = groupBy(rated, ({ at }) => String(Math.floor(at / HOUR_MS)));
  const intervals = (list: readonly (Sample | undefined)[]) =>
    new Set(list.flatMap((sample) => sample?.fundingIntervalHours ?? [])).size;
  return (
    hours.some((hour) => intervals(hour) > 1) || intervals(hours.map((hour) => latestFirst(hour)[0])) > 1
  );
}

function lastBook(rows: readonly Sample[]): SeriesBucket['book'] {
  const last = latestFirst(rows).find(
    // A touch without depth was a ticker's.
    ({ bestBid, bestAsk, depth }) =>
      bestBid !== undefined && bestAsk !== undefined && depth?.bidDepthUsd !== undefined,
  );
  if (last?.bestBid === undefined || last.bestAsk === undefined) return undefined;
  return {
    bestBid: asPrice(last.bestBid),
    bestAsk: asPrice(last.bestAsk),
    bidDepthUsd: last.depth?.bidDepthUsd === undefined ? undefined : asUsd(last.depth.bidDepthUsd),
    askDepthUsd: last.depth?.askDepthUsd,
    slippage1kBps: last.depth?.slippage1kBps,
    slippage5kBps: last.depth?.slippage5kBps,
    slippage10kBps: last.depth?.slippage10kBps,
  };
}

/** Open interest of each contract at a time, at most an hour older, newest first. */
export function referenceInterest(
  samples: readonly Recorded<Sample>[],
  canonicalId: string,
  venue: string,
  at: UnixMs,
  withinMs: number,
): ReadonlyMap<string, { readonly at: number; readonly value: number }> {
  const scope = { canonicalId, venues: [venue], from: asMs(at - withinMs), to: asMs(at + withinMs + 1) };
  const found = new Map<string, { at: number; value: number }>();
  const rows = [...current(samples, scope)].sort(
    (a, b) =>
      Math.abs(a.at - at) - Math.abs(b.at - at) ||
      a.at - b.at ||
      (a.origin === b.origin ? 0 : a.origin === 'sampled' ? -1 : 1),
  );
  for (const row of rows) {
    const value = valueIn(row, 'interest');
    if (value !== undefined && !found.has(contractOf(row))) found.set(contractOf(row), { at: row.at, value });
  }
  return found;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const low = sorted[Math.ceil(half) - 1] ?? 0;
  return (low + (sorted[Math.floor(half)] ?? low)) / 2;
};

/** Median and median absolute deviation of the hourly means of volume, for every contract with enough hours. */
export function referenceBaselines(
  samples: readonly Recorded<Sample>[],
  assets: readonly string[],
  from: UnixMs,
  to: UnixMs,
  minHours: number,
) {
  return assets.flatMap((canonicalId) => {
    const hours = referenceBuckets(samples, { canonicalId, from, to }, ['volumeUsd'], HOUR_MS);
    return groupBy(hours, ({ venue, symbol, listedAt }) => `${venue}|${symbol}|${listedAt}`).flatMap(
      (own) => {
        const values = own.flatMap(({ means }) => means.volumeUsd?.mean ?? []);
        const [first] = own;
        if (first === undefined || values.length < minHours) return [];
        const middle = median(values);
        const mad = median(values.map((x) => Math.abs(x - middle)));
        const { venue, symbol, listedAt } = first;
        return [{ canonicalId, venue, symbol, listedAt, hours: values.length, median: middle, mad }];
      },
    );
  });
}
