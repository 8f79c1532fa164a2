import { readText } from '../domain/read.ts';
import { historyVersion } from '../history/migrate.ts';
import { type HistoryStore, type StoreResult, stored } from '../history/store.ts';

/** The rows of a venue's day. */
export interface VenueDay {
  readonly venue: string;
  /** UTC midnight, Unix seconds. */
  readonly day: number;
  /** Contracts that were followed that day. */
  readonly contracts: number;
  /** Minutes of all contracts that should be there: from each one's first sample to its last. */
  readonly expected: number;
  readonly minutes: number;
  /** Later revisions of minutes that are there; not a fault. */
  readonly revisions: number;
  /** Rows that are there twice; one of each is read. */
  readonly duplicates: number;
}

/** A gap that the service noted. */
export interface NotedGap {
  readonly venue: string;
  readonly from: number;
  readonly until: number;
  readonly reason: string;
  readonly rows: number;
}

export interface HistoryCheck {
  /** Version of the tables. */
  readonly version: number;
  readonly days: readonly VenueDay[];
  readonly gaps: readonly NotedGap[];
}

const CONTRACT = 'canonical_id, venue, symbol, listed_at';
const SAMPLED = "FROM samples WHERE origin = 'sampled'";

const EXPECTED =
  'SELECT venue, d * 86400, count(), sum(intDiv(least(last, d * 86400 + 86399), 60) - intDiv(greatest(first, d * 86400), 60) + 1) FROM (' +
  'SELECT venue, first, last, arrayJoin(range(intDiv(first, 86400), intDiv(last, 86400) + 1)) AS d FROM (' +
  `SELECT ${CONTRACT}, toUnixTimestamp(min(ts)) AS first, toUnixTimestamp(max(ts)) AS last ${SAMPLED} GROUP BY ${CONTRACT}` +
  ')) GROUP BY venue, d ORDER BY d, venue';

const FOUND =
  'SELECT venue, day, sum(minutes), sum(stamps) - sum(minutes), sum(n) - sum(stamps) FROM (' +
  `SELECT ${CONTRACT}, toUnixTimestamp(toStartOfDay(ts)) AS day, count() AS n, uniqExact(ts) AS minutes, uniqExact(ts, recorded_at) AS stamps ${SAMPLED} GROUP BY ${CONTRACT}, day` +
  ') GROUP BY venue, day';

const GAPS =
  'SELECT DISTINCT venue, toUnixTimestamp(ts) AS begin, toUnixTimestamp(until), reason, rows FROM gaps ORDER BY begin, venue';

/** Looks at every sample of our own: what is missing, what is there twice, and what was noted as a gap. */
export async function checkHistory(store: HistoryStore): Promise<StoreResult<HistoryCheck>> {
  const version = await historyVersion(store);
  if (!version.ok) return version;
  const ask = (sql: string) => store.select({ sql, params: {} }, 'maintain');
  const expected = await ask(EXPECTED);
  if (!expected.ok) return expected;
  const found = await ask(FOUND);
  if (!found.ok) return found;
  const gaps = await ask(GAPS);
  if (!gaps.ok) return gaps;
  const held = new Map(found.value.map(([venue, day, ...counts]) => [`${venue} ${day}`, counts.map(Number)]));
  return stored({
    version: version.value,
    days: expected.value.map(([venue, day, contracts, minutes]) => {
      const [there = 0, revisions = 0, duplicates = 0] = held.get(`${venue} ${day}`) ?? [];
      return {
        venue: readText(venue) ?? '',
        day: Number(day),
        contracts: Number(contracts),
        expected: Number(minutes),
        minutes: there,
        revisions,
        duplicates,
      };
    }),
    gaps: gaps.value.map(([venue, from, until, reason, rows]) => ({
      venue: readText(venue) ?? '',
      from: Number(from),
      until: Number(until),
      reason: readText(reason) ?? '',
      rows: Number(rows),
    })),
  });
}
