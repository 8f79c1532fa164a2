import type { TObject } from 'typebox';
import { badParameter, type Failure } from '../../domain/errors.ts';
import { isWire, readText } from '../../domain/read.ts';
import type { Cell } from './csv.ts';
import { oneOf } from './schema.ts';

export const CSV_TIMES = ['iso', 'excel', 'epoch_ms'] as const;
export type CsvTime = (typeof CSV_TIMES)[number];

/**
 * The form of times in CSV. `excel` is text and no serial number: spreadsheets read year, month and day in this order as a date in
 * every locale, while a serial number stays a number until its cell is formatted, and counts from 1904 in some workbooks.
 */
export const timeParameter = oneOf(CSV_TIMES, {
  description:
    'Times in CSV: excel as 2026-11-20 21:30:29 (UTC, whole seconds), which spreadsheets read as dates, epoch_ms as Unix milliseconds; only with format=csv',
  default: 'iso',
});

interface Asked {
  readonly format: string;
  readonly time: CsvTime;
}

/** 400 where a form of times is asked of an answer that is no CSV; `iso` is what clients send that fill in defaults. */
export function timeFault({ format, time }: Asked): Failure | undefined {
  if (time === 'iso' || format === 'csv') return undefined;
  const fault = badParameter('time', `${time} is a form of times in CSV: send format=csv, or leave it out`);
  return { ...fault, corrections: [{ parameter: 'format', value: 'csv' }] };
}

/** Names of the fields of a row that are moments; a day is none. */
export const timesOf = ({ properties }: TObject): readonly string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    isWire(schema) && readText(schema.format) === 'date-time' ? [name] : [],
  );

type Cells = Readonly<Record<string, Cell>>;

/**
 * Rows with their times in the form that was asked for.
 *
 * @param times columns that are moments, as ISO 8601 in UTC with milliseconds
 */
export function withTimes(rows: readonly Cells[], times: readonly string[], form: CsvTime): readonly Cells[] {
  if (form === 'iso' || times.length === 0) return rows;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(times.map((name) => [name, timeIn(form, row[name] ?? null)])),
  }));
}

/** Whole seconds round down: a spreadsheet shows a fraction of one only in a format of its own. */
function timeIn(form: 'excel' | 'epoch_ms', cell: Cell): Cell {
  if (typeof cell !== 'string') return cell;
  return form === 'epoch_ms'
    ? Date.parse(cell)
    : cell.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
}
