import fc from 'fast-check';
import { expect } from 'vitest';
import type { Result } from '../domain/errors.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { makeVenueInfo } from '../market/market-fixture.ts';
import { makeRow, type RowSketch } from '../market/row-fixture.ts';
import { sumOf } from '../market/venue-totals.ts';
import type { TrackedVenue } from '../market/view.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import type { AssetRows, Pair } from './rows/select.ts';

/** Returns a result's value; where it is a failure the test fails with the reason. */
export function made<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return result.value;
}

/** A tracked live venue. */
export function makeTracked(info: Partial<VenueInfo> = {}): TrackedVenue {
  const full = makeVenueInfo(info);
  return {
    info: full,
    sourceId: full.sourceId ?? 1000,
    status: 'live',
    isRetired: false,
    refreshMs: 5000,
    trackedSymbols: 10,
    freshSymbols: 9,
    fundingIntervals: [4, 8],
  };
}

/** An asset with a row on each of the venues v1, v2, … and whatever else lists it. */
export function makeAsset(
  sketches: readonly RowSketch[],
  infos: Readonly<Record<string, Partial<VenueInfo>>> = {},
): AssetRows {
  const rows = sketches.map((sketch, i) => makeRow({ venue: `v${i + 1}`, sourceId: i + 1, ...sketch }));
  const names = [...new Set([...rows.map((row) => row.venue), ...Object.keys(infos)])];
  return {
    ticker: rows[0]?.ticker ?? 'BTC',
    canonicalId: rows[0]?.canonicalId ?? 'crypto:BTC',
    rows,
    listedBy: names.map((id, i) => makeTracked({ id, sourceId: i + 1, ...infos[id] })),
    totalsOf: (venue) => sumOf(rows.filter((row) => row.venue === venue)),
    statedInterest: () =>
      new Map(rows.flatMap(({ venue, openInterestUsd: usd }) => (usd === undefined ? [] : [[venue, usd]]))),
  };
}

/** The asset where some of its venues do not publish their taker fee. */
export function withoutFee(asset: AssetRows, ...venues: readonly string[]): AssetRows {
  const listedBy = asset.listedBy.map((venue) => {
    const { takerFeeBps: _fee, ...info } = venue.info;
    return venues.includes(info.id) ? { ...venue, info } : venue;
  });
  return { ...asset, listedBy };
}

export function makePair(sketch: RowSketch = {}, info: Partial<VenueInfo> = {}): Pair {
  const row = makeRow(sketch);
  return {
    ticker: row.ticker,
    canonicalId: row.canonicalId,
    row,
    venue: makeTracked({ id: row.venue, ...info }),
    contracts: [row],
  };
}

const maybe = (values: fc.Arbitrary<number>) => fc.option(values, { nil: undefined, freq: 6 });

/** Rows as venues may give them: facts missing, intervals odd, marks of like level. */
export const rowSketch: fc.Arbitrary<RowSketch> = fc.record({
  rate: maybe(fc.double({ min: -0.05, max: 0.05, noNaN: true })),
  interval: maybe(fc.constantFrom(1, 2, 4, 8)),
  next: maybe(fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 })),
  mark: fc.double({ min: 99, max: 101, noNaN: true }),
  index: maybe(fc.double({ min: 99, max: 101, noNaN: true })),
  interestBase: maybe(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e9, noNaN: true }))),
  volumeUsd: maybe(fc.oneof(fc.constant(0), fc.double({ min: 1, max: 1e11, noNaN: true }))),
  bid: maybe(fc.double({ min: 99, max: 100, noNaN: true })),
  ask: maybe(fc.double({ min: 100, max: 101, noNaN: true })),
  age: fc.integer({ min: 0, max: MINUTE_MS }),
});

export const rowSketches = fc.array(rowSketch, { minLength: 1, maxLength: 8 });

/** Every number of a body is finite, nothing is undefined, names are snake_case. */
export function expectPublic(value: unknown): void {
  expect(publicFaults(value, 'body')).toEqual([]);
}

/** One expectation for all of a body: thousands are made. */
function publicFaults(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} = ${value}`];
  if (typeof value !== 'object') return ['string', 'boolean'].includes(typeof value) ? [] : [path];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => [
    ...(/^[a-z0-9_]+$/.test(name) ? [] : [`${path}: ${name}`]),
    ...publicFaults(inner, `${path}.${name}`),
  ]);
}
