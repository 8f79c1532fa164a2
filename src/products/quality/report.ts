import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { type Cell, CSV_TYPE, csv } from '../answer/csv.ts';
import type { Content } from '../answer/product-answer.ts';
import { publicNumbers } from '../answer/public-numbers.ts';
import { oneOf } from '../answer/schema.ts';
import type { Ports } from '../define-product.ts';
import { days, readWindow, windowParameters } from '../history/window.ts';

/** What reports on the quality of the data have in common: a venue, a window of at most 90 days, JSON or CSV. */

const { from, to } = windowParameters('7 days before the end');

export const formatParameter = oneOf(['json', 'csv'], {
  description: 'csv has the rows of the list alone',
  default: 'json',
});

export const venueFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'This venue alone, in any case' }),
);

export const reportQuery = Type.Object({ venue: venueFilter, from, to, format: formatParameter });

export const REPORT_FILES: readonly string[] = ['text/csv'];

export interface ReportScope {
  readonly venue: VenueId | undefined;
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs;
}

/** The venue that is asked for; undefined where all are. */
export function findVenue(name: string | undefined, { market }: Ports): Result<VenueId | undefined> {
  if (name === undefined) return ok(undefined);
  const venue = market.venue(name.toLowerCase());
  if (venue !== undefined) return ok(venue.info.id);
  return fail({ code: 'unknown_venue', detail: `${name} is not a venue that is tracked` });
}

/** Venue and window, by default the last seven days; both ends are floored to the hour. */
export function findReport(asked: Static<typeof reportQuery>, ports: Ports): Result<ReportScope> {
  const venue = findVenue(asked.venue, ports);
  if (!venue.ok) return venue;
  const rule = { capMs: days(90), defaultMs: days(7) };
  const window = readWindow({ aggregation: '1h', ...asked }, rule, ports.clock.now());
  return window.ok ? ok({ venue: venue.value, from: window.value.from, to: window.value.to }) : window;
}

/** Rows as CSV, one column a field of the first schema; lists are joined by semicolons. */
export function csvReport(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
  fileName: string,
): Content {
  const cells = publicNumbers(rows).map((row) =>
    Object.fromEntries(columns.map((name) => [name, cellOf(row[name])])),
  );
  return { bytes: csv(cells, columns), contentType: CSV_TYPE, fileName: `${fileName}.csv` };
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((one) => cellOf(one) ?? '').join(';');
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
