import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { type Series, seconds } from '../../data/series.ts';
import { Chart } from '../../parts/chart.tsx';
import { decimal } from '../../text/number.ts';
import { type Entry, plain } from './answer-rows.ts';

const MAX_LINES = 6;
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

const labelOf = (row: Entry, field: string): string => plain(row.venue ?? field);

/** The field with the times of a list, where its lines have several. */
function timeFieldOf(rows: readonly Entry[]): string | undefined {
  if (new Set(rows.map((row) => labelOf(row, ''))).size === rows.length) return undefined;
  const names = Object.keys(rows[0] ?? {}).filter((name) => isTime(rows[0]?.[name]));
  const times = (name: string): number => new Set(rows.map((row) => row[name])).size;
  return names.sort((a, b) => times(b) - times(a)).find((name) => times(name) > 1);
}

/** Fields that can be drawn over time. */
const numbersOf = (rows: readonly Entry[]): readonly string[] =>
  Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => typeof row[name] === 'number'));

/** One field over time, a line for each venue where rows have one. */
function seriesOf(rows: readonly Entry[], time: string, field: string): readonly Series[] {
  const labels = [...new Set(rows.map((row) => labelOf(row, field)))];
  return labels.slice(0, MAX_LINES).map((label) => {
    const points = rows
      .filter((row) => labelOf(row, field) === label && isTime(row[time]))
      .sort((a, b) => (plain(a[time]) < plain(b[time]) ? -1 : 1));
    return {
      label,
      times: points.map((row) => seconds(plain(row[time]))),
      values: points.map((row) => (typeof row[field] === 'number' ? row[field] : null)),
    };
  });
}

/** One field of an answer's list over time. */
export function AnswerPlot({ rows }: { rows: readonly Entry[] }): JSX.Element {
  const time = timeFieldOf(rows);
  const fields = numbersOf(rows);
  const [chosen, choose] = useState<string>();
  const field = chosen ?? fields[0];
  const series = useMemo(
    () => (time === undefined || field === undefined ? [] : seriesOf(rows, time, field)),
    [rows, time, field],
  );
  if (time === undefined || field === undefined)
    return <p class="empty">Nothing in this answer changes over time.</p>;
  return (
    <>
      <label>
        Field{' '}
        <select value={field} onChange={(event) => choose(event.currentTarget.value)}>
          {fields.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Chart title={field} unit="" series={series} format={short} sync="answer" name="answer" />
    </>
  );
}

/** Some digits of a number, as an axis has room for. */
const short = (value: number | null): string =>
  value === null ? '–' : decimal(Number(value.toPrecision(4)));
