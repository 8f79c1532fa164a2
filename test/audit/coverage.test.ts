import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { VenueHealth } from '../../src/collect/ports.ts';
import { asMs } from '../../src/domain/units.ts';
import type { VenueStatus } from '../../src/domain/venue.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { CoverageTracker, coveredShare } from '../../src/modules/audit/coverage/coverage.ts';
import { openCoverageStore } from '../../src/modules/audit/coverage/coverage-store.ts';
import { type GradeInputs, gradeOf } from '../../src/modules/audit/grade.ts';
import { makeTracked } from '../../src/products/asset-fixture.ts';
import fieldUnitsFile from '../../src/products/field-units.json' with { type: 'json' };
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { fieldUnits } from '../venues/field-units.ts';
import { memoryCoverageStore } from './memory-incidents.ts';

const T0 = Date.UTC(2026, 10, 20, 23, 58);
const all = { from: asMs(0), to: asMs(T0 + 100 * DAY_MS) };
const health = { of: () => undefined };
const look = (book: CoverageTracker, minute: number, rows = [makeRow()], status: 'live' | 'stale' = 'live') =>
  book.observe(
    { eachRow: () => rows, venues: () => [{ ...makeTracked(), status }] },
    health,
    asMs(T0 + minute * MINUTE_MS),
  );

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('coverage', () => {
  it('values of each minute: counted by day; unseen minutes are missing', () => {
    const book = new CoverageTracker(memoryCoverageStore());
    look(book, 0, [makeRow(), makeRow({ ticker: 'ETH', rate: undefined })]);
    look(book, 1, [makeRow(), makeRow({ ticker: 'ETH', fresh: false })]);
    look(book, 7, [makeRow(), makeRow({ ticker: 'ETH' })]);
    const [first, second] = book.days(all);
    if (first === undefined || second === undefined) throw new Error('two days');
    expect(first).toMatchObject({ contracts: 2, metrics: { mark_price: { served: 2, samples: 3 } } });
    expect(coveredShare([first], 'mark_price')).toBe(0.5);
    expect(coveredShare([first], 'funding_rate')).toBeCloseTo(1 / 3, 12);
    expect(coveredShare([second], 'mark_price')).toBe(0.2);
    expect(book.gaps(all)).toMatchObject([
      { reason: 'not_running', from: T0 + MINUTE_MS, to: T0 + 7 * MINUTE_MS },
    ]);
  });

  it('has a gap while a venue is not live, over restarts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
    folders.push(folder);
    const first = new CoverageTracker(openCoverageStore(folder));
    look(first, 0);
    look(first, 1, [], 'stale');
    await first.stop(asMs(T0));
    const second = new CoverageTracker(openCoverageStore(folder));
    expect(second.gaps(all)).toEqual([{ venue: 'binance', from: T0 + MINUTE_MS, reason: 'venue_stale' }]);
    look(second, 9);
    expect(second.gaps(all)).toMatchObject([{ to: T0 + 9 * MINUTE_MS }]);
    expect(second.days({ ...all, venue: 'okx' })).toEqual([]);
    look(second, 92 * 1440, []);
    // As long as answers reach back.
    expect(second.days(all)).toHaveLength(91);
    expect(second.days(all)[0]).toMatchObject({ day: T0 + 2 * MINUTE_MS + DAY_MS });
    await second.stop(asMs(T0));
  });

  it('an outage over midnights and a restart: missing on each day', () => {
    const store = memoryCoverageStore();
    const before = new CoverageTracker(store);
    const midnight = 2;
    for (let minute = 1; minute <= 600; minute++) look(before, midnight + minute);
    before.flush(asMs(T0));
    const after = new CoverageTracker(store);
    const noon = midnight + 2 * 1440 + 720;
    for (let minute = 1; minute <= 360; minute++) look(after, noon + minute);
    after.flush(asMs(T0));
    const shares = (book: CoverageTracker) => book.days(all).map((day) => coveredShare([day], 'mark_price'));
    expect(shares(after)).toEqual([600 / 1440, 0, 360 / 1080]);
    expect(after.days(all).map(({ contracts }) => contracts)).toEqual([1, 1, 1]);
    expect(shares(new CoverageTracker(store))).toEqual(shares(after));
  });

  it('a venue collected no more: its gap ends, and counts stop', () => {
    const book = new CoverageTracker(memoryCoverageStore());
    const lookAt = (minute: number, status: VenueStatus, isRetired = false) =>
      book.observe(
        { eachRow: () => [makeRow()], venues: () => [makeTracked()] },
        { of: () => ({ status, ...(isRetired && { retired: true }) }) as VenueHealth },
        asMs(T0 - 600 * MINUTE_MS + minute * MINUTE_MS),
      );
    const begin = T0 - 600 * MINUTE_MS;
    lookAt(0, 'live');
    lookAt(1, 'down');
    for (let minute = 2; minute < 60; minute++) lookAt(minute, 'down', true);
    expect(book.gaps(all)).toMatchObject([
      { from: begin + MINUTE_MS, to: begin + 2 * MINUTE_MS, reason: 'venue_down' },
    ]);
    expect(book.days(all)).toMatchObject([{ to: begin + MINUTE_MS }]);
    lookAt(60, 'live');
    expect(book.gaps(all)).toHaveLength(1);
  });

  it('a clock set back over midnight: the counts of the day stay', () => {
    const store = memoryCoverageStore();
    const book = new CoverageTracker(store);
    for (const minute of [0, 1, 2, 3, 1, 2]) look(book, minute);
    const samples = () => book.days(all).map(({ metrics }) => metrics.mark_price.samples);
    expect(samples()).toEqual([3, 3]);
    expect(book.days(all)).toMatchObject([{ to: T0 + 2 * MINUTE_MS }, { to: T0 + 3 * MINUTE_MS }]);
    book.flush(asMs(T0));
    expect(new CoverageTracker(store).days(all).map(({ metrics }) => metrics.mark_price.samples)).toEqual([
      3, 3,
    ]);
  });

  it('the last look not on a whole minute: nothing missed at midnight', () => {
    const book = new CoverageTracker(memoryCoverageStore());
    for (let minute = 0; minute < 10; minute++) look(book, minute + 0.4);
    expect(book.days(all).map((day) => coveredShare([day], 'mark_price'))).toEqual([1, 1]);
  });
});

describe('a grade', () => {
  const good: GradeInputs = { status: 'live', marks: 1, rates: 1, suspect: 0, venueIncidents: 0 };
  it.each([
    [{}, 'A'],
    [{ marks: 0.98 }, 'B'],
    [{ marks: 0.8 }, 'C'],
    [{ suspect: 0.1 }, 'D'],
    [{ suspect: 0.1, rates: 0.5, venueIncidents: 2 }, 'F'],
    [{ status: 'down' }, 'F'],
    [{ marks: undefined }, null],
  ] as const)('of %j is %s', (change, grade) => {
    expect(gradeOf({ ...good, ...change }).grade).toBe(grade);
  });
});

it('the units that are served are those of the venues pages', () => {
  const served: unknown = fieldUnitsFile;
  expect(served).toEqual(JSON.parse(JSON.stringify(fieldUnits(VENUES))));
});
