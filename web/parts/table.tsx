import type { ComponentChildren, JSX } from 'preact';
import { change, usePlace } from '../place.ts';

type Value = string | number | null | undefined;

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** The unit of its numbers; beside the title. */
  readonly unit?: string;
  /** Its meaning, shown on hover. */
  readonly about?: string;
  readonly value: (row: Row) => Value;
  readonly show?: (row: Row) => ComponentChildren;
  /** The value in a file, if it differs from the one that orders. */
  readonly csv?: (row: Row) => Value;
  /** Aligned right, and sorted from the largest first. */
  readonly numeric?: boolean;
}

export interface TableProps<Row> {
  /** Names the file of the table, and its order in the address. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Order without one in the address. */
  readonly first?: string;
  readonly empty?: string;
  readonly rowClass?: (row: Row) => string;
  /**
   * Set for rows that are a part of a longer list, which is ordered as a whole. Without it the table orders its
   * own.
   */
  readonly list?: { readonly order: string; readonly setOrder: (order: string) => void };
}

/** Unknown last, whichever way the rest goes. */
function compare(a: Value, b: Value, direction: 1 | -1): number {
  const lost = a === null || a === undefined;
  const other = b === null || b === undefined;
  if (lost || other) return Number(lost) - Number(other);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * direction;
}

/** Rows in the order that a word of the address names: a column, `-` in front for descending. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: string,
): readonly Row[] {
  const direction = order.startsWith('-') ? -1 : 1;
  const column = columns.find(({ id }) => id === order.replace(/^-/, ''));
  return column === undefined
    ? rows
    : rows.toSorted((a, b) => compare(column.value(a), column.value(b), direction));
}

/** The order after a title was chosen: its own, then the other way. */
export function nextOrder(column: Pick<Column<never>, 'id' | 'numeric'>, order: string): string {
  const natural = column.numeric ? `-${column.id}` : column.id;
  const other = column.numeric ? column.id : `-${column.id}`;
  return order === natural ? other : natural;
}

/** A table that sorts both ways by every column; its order is in the address. */
export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { id, caption, columns, rows, keyOf, first = '', empty = 'Nothing here.', rowClass, list } = props;
  const { params } = usePlace();
  const name = `sort.${id}`;
  const order = list?.order ?? params.get(name) ?? first;
  const setOrder = list?.setOrder ?? ((next: string) => change({ [name]: next }));
  const shown = list === undefined ? sorted(rows, columns, order) : rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <TitleCell key={column.id} column={column} order={order} setOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)} class={rowClass?.(row) ?? ''}>
              {columns.map((column, at) => cellOf(column, row, at === 0))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="empty">{empty}</p>}
    </section>
  );
}

interface TitleProps<Row> {
  readonly column: Column<Row>;
  readonly order: string;
  readonly setOrder: (order: string) => void;
}

/** A title that sorts by its column. */
function TitleCell<Row>({ column, order, setOrder }: TitleProps<Row>): JSX.Element {
  const isChosen = column.id === order.replace(/^-/, '');
  return (
    <th
      scope="col"
      class={column.numeric ? 'number' : ''}
      aria-sort={!isChosen ? 'none' : order.startsWith('-') ? 'descending' : 'ascending'}
    >
      <button
        type="button"
        class="sort"
        title={column.about}
        onClick={() => setOrder(nextOrder(column, order))}
      >
        {column.title}
        {column.unit !== undefined && <small> {column.unit}</small>}
      </button>
    </th>
  );
}

/** The first cell of a row names it. */
function cellOf<Row>(column: Column<Row>, row: Row, isFirst: boolean): JSX.Element {
  const shown = column.show === undefined ? (column.value(row) ?? '–') : column.show(row);
  return isFirst ? (
    <th key={column.id} scope="row">
      {shown}
    </th>
  ) : (
    <td key={column.id} class={column.numeric ? 'number' : ''}>
      {shown}
    </td>
  );
}

/** A cell of CSV; text that a spreadsheet would run as a formula is marked as text. */
function cell(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV: full precision, unknown as nothing. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const head = columns.map(({ id }) => cell(id)).join(',');
  return `${[head, ...rows.map((row) => columns.map(({ value, csv = value }) => cell(csv(row))).join(','))].join('\r\n')}\r\n`;
}
