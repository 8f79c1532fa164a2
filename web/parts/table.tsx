import type { ComponentChildren, JSX } from 'preact';
import { change, usePlace } from '../place.ts';
import { useNarrow } from './narrow.ts';
import { nextOrder, OrderChoice } from './order-choice.tsx';
import { SkipPast } from './skip-past.tsx';

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
  /** True of a row to which it does not apply: a card leaves it out. */
  readonly isVoid?: (row: Row) => boolean;
  /** True if it holds what is pressed: it neither orders nor stands in a file. */
  readonly isControl?: boolean;
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

const isOrdering = ({ isControl = false }: Pick<Column<never>, 'isControl'>): boolean => !isControl;

/** Tables of fewer columns fit into a narrow window. */
const LEAST_CARD_COLUMNS = 3;

/** The words that are beside a value in a card. */
const labelOf = ({ title, unit }: Pick<Column<never>, 'title' | 'unit'>): string =>
  unit === undefined ? title : `${title}, ${unit}`;

/**
 * A table that sorts both ways by every column; its order is in the address. In a narrow window each row is a card, in which each
 * value is below its title: a table all the same for those who hear it, by roles that say so whatever the style makes of it.
 */
export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { id, caption, columns, rows, keyOf, first = '', empty = 'Nothing here.', rowClass, list } = props;
  const { params } = usePlace();
  const isCards = useNarrow() && columns.length >= LEAST_CARD_COLUMNS;
  const name = `sort.${id}`;
  const order = list?.order ?? params.get(name) ?? first;
  const setOrder = list?.setOrder ?? ((next: string) => change({ [name]: next }));
  const shown = list === undefined ? sorted(rows, columns, order) : rows;
  const roleOf = <Role extends string>(role: Role): Role | undefined => (isCards ? role : undefined);
  return (
    <>
      <SkipPast what={caption} isBefore />
      {/* The keyboard must reach a part that scrolls. */}
      <section class={`scroll ${isCards ? 'cards' : ''}`} tabIndex={isCards ? -1 : 0} aria-label={caption}>
        {isCards && rows.length > 1 && (
          <OrderChoice columns={columns.filter(isOrdering)} order={order} setOrder={setOrder} />
        )}
        <table role={roleOf('table')}>
          <caption class="unseen">{caption}</caption>
          <thead role={roleOf('rowgroup')}>
            <tr role={roleOf('row')}>
              {columns.map((column) => (
                <TitleCell
                  key={column.id}
                  column={column}
                  order={order}
                  setOrder={isCards || !isOrdering(column) ? undefined : setOrder}
                />
              ))}
            </tr>
          </thead>
          <tbody role={roleOf('rowgroup')}>
            {shown.map((row) => (
              <tr key={keyOf(row)} class={rowClass?.(row) ?? ''} role={roleOf('row')}>
                {columns.map((column, at) => cellOf(column, row, at === 0, isCards))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p class="empty">{empty}</p>}
      </section>
    </>
  );
}

interface TitleProps<Row> {
  readonly column: Column<Row>;
  readonly order: string;
  /** Undefined where it does not order, or cards are ordered by a choice of their own. */
  readonly setOrder: ((order: string) => void) | undefined;
}

/** The order of a column in words of ARIA; undefined where it does not order. */
function ariaSort(
  column: Pick<Column<never>, 'id' | 'isControl'>,
  order: string,
): 'none' | 'descending' | 'ascending' | undefined {
  if (!isOrdering(column)) return undefined;
  if (column.id !== order.replace(/^-/, '')) return 'none';
  return order.startsWith('-') ? 'descending' : 'ascending';
}

/** A title that sorts by its column. */
function TitleCell<Row>({ column, order, setOrder }: TitleProps<Row>): JSX.Element {
  const words = (
    <>
      {column.title}
      {column.unit !== undefined && <small> {column.unit}</small>}
    </>
  );
  return (
    <th
      scope="col"
      role={setOrder === undefined ? 'columnheader' : undefined}
      class={column.numeric ? 'number' : ''}
      aria-sort={ariaSort(column, order)}
    >
      {setOrder === undefined ? (
        words
      ) : (
        <button
          type="button"
          class="sort"
          title={column.about}
          onClick={() => setOrder(nextOrder(column, order))}
        >
          {words}
        </button>
      )}
    </th>
  );
}

/** The first cell of a row names it. */
function cellOf<Row>(column: Column<Row>, row: Row, isFirst: boolean, isCards: boolean): JSX.Element {
  const shown = column.show === undefined ? (column.value(row) ?? '–') : column.show(row);
  const look = `${column.numeric ? 'number' : ''} ${isCards && column.isVoid?.(row) ? 'void' : ''}`.trim();
  return isFirst ? (
    <th key={column.id} scope="row" role={isCards ? 'rowheader' : undefined}>
      {shown}
    </th>
  ) : (
    <td
      key={column.id}
      class={look}
      role={isCards ? 'cell' : undefined}
      data-title={isCards ? labelOf(column) : undefined}
      title={isCards ? column.about : undefined}
    >
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
export function csvOf<Row>(shown: readonly Column<Row>[], rows: readonly Row[]): string {
  const columns = shown.filter(isOrdering);
  const head = columns.map(({ id }) => cell(id)).join(',');
  return `${[head, ...rows.map((row) => columns.map(({ value, csv = value }) => cell(csv(row))).join(','))].join('\r\n')}\r\n`;
}
