import Type, { type Static, type TObject } from 'typebox';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Ports } from '../define-product.ts';
import { days, readWindow, windowParameters } from '../history/window.ts';
import { type Cell, CSV_TYPE, csv, csvLines } from './csv.ts';
import { CSV_TIMES, type CsvTime, timeFault, timeParameter, timesOf, withTimes } from './csv-time.ts';
import type { Content } from './product-answer.ts';
import { publicNumbers } from './public-numbers.ts';
import { oneOf } from './schema.ts';

/** Shared terms of reports on the quality of the data: a venue, a window of at most 90 days, JSON or CSV. */

const { from, to } = windowParameters('7 days before the end');

const formatParameter = oneOf(['json', 'csv'], {
  description: 'csv has the rows of the list alone',
  default: 'json',
});

const venueFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'This venue alone, in any case' }),
);

/** Parameters of the form of the answer. */
const form = { format: formatParameter, time: timeParameter };

export const reportQuery = Type.Object({ venue: venueFilter, from, to, ...form });

/** Query of a report about the present. */
export const presentQuery = Type.Object({ venue: venueFilter, ...form });

export const REPORT_FILES: readonly string[] = ['text/csv'];

export interface ReportScope {
  readonly venue: VenueId | undefined;
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs;
}

/** The venue that is asked for; undefined where all are. */
export function findVenue(
  asked: Static<typeof presentQuery>,
  { market }: Ports,
): Result<{ readonly venue: VenueId | undefined }> {
  const fault = timeFault(asked);
  if (fault !== undefined) return fail(fault);
  const { venue: name } = asked;
  if (name === undefined) return ok({ venue: undefined });
  const venue = market.venue(name.toLowerCase());
  if (venue !== undefined) return ok({ venue: venue.info.id });
  return fail({ code: 'unknown_venue', detail: `${name} is not a venue that is tracked` });
}

/** Venue and window, by default the seven days before its end; both ends are floored to the hour. */
export function findReport(asked: Static<typeof reportQuery>, ports: Ports): Result<ReportScope> {
  const venue = findVenue(asked, ports);
  if (!venue.ok) return venue;
  const rule = { capMs: days(90), defaultMs: days(7), beforeEnd: true };
  const window = readWindow({ aggregation: '1h', ...asked }, rule, ports.clock.now());
  return window.ok ? ok({ ...venue.value, from: window.value.from, to: window.value.to }) : window;
}

/**
 * Rows as CSV, one column a field of their schema; lists are joined by semicolons.
 *
 * @param fileName without its ending
 */
export function csvReport(rows: readonly Row[], row: TObject, time: CsvTime, fileName: string): Content {
  const bytes = csv(cellsOf(rows, row, time), columnsOf(row));
  return { bytes, contentType: CSV_TYPE, fileName: `${fileName}.csv` };
}

type Row = Readonly<Record<string, unknown>>;

const columnsOf = ({ properties }: TObject): readonly string[] => Object.keys(properties);

function cellsOf(
  rows: readonly Row[],
  row: TObject,
  time: CsvTime,
): readonly Readonly<Record<string, Cell>>[] {
  const columns = columnsOf(row);
  const cells = publicNumbers(rows).map((values) =>
    Object.fromEntries(columns.map((name) => [name, cellOf(values[name])])),
  );
  return withTimes(cells, timesOf(row), time);
}

type Form = Pick<Static<typeof reportQuery>, 'format' | 'time'>;

/** The sources of the rows of a long report. */
interface ReportPart<Source> {
  /** Name of the list in the answer, and of the file. */
  readonly list: string;
  /** Schema of its rows. */
  readonly row: TObject;
  readonly rowsOf: (source: Source) => readonly Row[];
  /** True if its content never changes again: its text is made once. */
  readonly isFinal: (source: Source) => boolean;
}

/** The lists of long reports as text. Ninety days of them are a hundred thousand values, and all but a few are of the past. */
export class ReportTexts<Source extends object> {
  readonly #part: ReportPart<Source>;
  readonly #json = new WeakMap<Source, string>();
  readonly #csv = new Map(CSV_TIMES.map((time) => [time, new WeakMap<Source, string>()]));

  constructor(part: ReportPart<Source>) {
    this.#part = part;
  }

  /** The answer: the fields of `head`, then the list. */
  content({ format, time }: Form, head: Row, sources: readonly Source[]): Content {
    const { list, row, rowsOf } = this.#part;
    if (format === 'json') {
      const text = (source: Source): string => JSON.stringify(publicNumbers(rowsOf(source))).slice(1, -1);
      const rows = sources.map((source) => this.#text(this.#json, source, text));
      return { write: () => `${JSON.stringify(head).slice(0, -1)},"${list}":[${rows.join(',')}]}` };
    }
    const columns = columnsOf(row);
    const known = this.#csv.get(time) ?? new WeakMap();
    const text = (source: Source): string => csvLines(cellsOf(rowsOf(source), row, time), columns);
    const lines = sources.map((source) => this.#text(known, source, text)).join('');
    const bytes = Buffer.from(`${columns.join(',')}\r\n${lines}`);
    return { bytes, contentType: CSV_TYPE, fileName: `${list}.csv` };
  }

  #text(known: WeakMap<Source, string>, source: Source, make: (source: Source) => string): string {
    const held = known.get(source);
    if (held !== undefined) return held;
    const text = make(source);
    if (this.#part.isFinal(source)) known.set(source, text);
    return text;
  }
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((item) => cellOf(item) ?? '').join(';');
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
