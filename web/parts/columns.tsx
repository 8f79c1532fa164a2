import { count, priceUsd, share, UNKNOWN } from '../text/number.ts';
import { moment } from '../text/time.ts';
import { Age } from './states.tsx';
import type { Column } from './table.tsx';

type Having<Id extends string, Value> = { readonly [Key in Id]?: Value };

/** A column of what a row has under its name. */
export const plain = <Id extends string, Row extends Having<Id, string | number | null>>(
  id: Id,
  title: string,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ id, title, value: (row) => row[id], ...more });

/** A column of whole numbers. */
export const counts = <Id extends string, Row extends Having<Id, number>>(
  id: Id,
  title: string,
  more: Partial<Column<Row>> = {},
): Column<Row> => plain(id, title, { numeric: true, show: (row) => count(row[id]), ...more });

/** A column of shares that are given in percent. */
export const percents = <Id extends string, Row extends Having<Id, number | null>>(
  id: Id,
  title: string,
  about: string,
): Column<Row> =>
  plain(id, title, { unit: '%', numeric: true, about, show: (row) => share((row[id] ?? Number.NaN) / 100) });

/** A column of amounts in US dollars. */
export const dollars = <Id extends string, Row extends Readonly<Record<Id, string>>>(
  id: Id,
  title: string,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  id,
  title,
  numeric: true,
  value: (row) => Number(row[id]),
  csv: (row) => row[id],
  show: (row) => priceUsd(row[id]),
  ...more,
});

/** A column of times, shown by their ages; the youngest first. */
export const ages = <Id extends string, Row extends Readonly<Record<Id, string | null>>>(
  id: Id,
  title: string,
): Column<Row> => ({
  id,
  title,
  numeric: true,
  value: (row) => (row[id] === null ? null : -Date.parse(row[id])),
  csv: (row) => row[id],
  show: (row) => <Age at={row[id]} />,
});

/** A column of sentences, which are broken into lines. */
export const sentences = <Row,>(
  id: string,
  title: string,
  value: (row: Row) => string | null,
): Column<Row> => ({
  id,
  title,
  value,
  show: (row) => <span class="sentences">{value(row) || UNKNOWN}</span>,
});

/** A column of when something was over. */
export const ends = <Row extends Having<'end', string | null>>(): Column<Row> =>
  plain('end', 'Until', {
    show: ({ end }) => (end === null ? <span class="tag down">open</span> : moment(end)),
  });
