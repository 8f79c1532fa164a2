import type { JSX } from 'preact';

/** A column as far as it orders. */
interface Ordering {
  readonly id: string;
  readonly title: string;
  readonly unit?: string;
  readonly numeric?: boolean;
}

/** The order after a title was chosen: its own, then the other way. */
export function nextOrder(column: Pick<Ordering, 'id' | 'numeric'>, order: string): string {
  const natural = column.numeric ? `-${column.id}` : column.id;
  const other = column.numeric ? column.id : `-${column.id}`;
  return order === natural ? other : natural;
}

interface OrderChoiceProps {
  readonly columns: readonly Ordering[];
  readonly order: string;
  readonly setOrder: (order: string) => void;
}

/** The order of cards, which have no titles to be pressed. */
export function OrderChoice({ columns, order, setOrder }: OrderChoiceProps): JSX.Element {
  const chosen = columns.find(({ id }) => id === order.replace(/^-/, ''));
  const isDescending = order.startsWith('-');
  const choose = (id: string): void => {
    const found = columns.find((column) => column.id === id);
    if (found !== undefined) setOrder(nextOrder(found, ''));
  };
  return (
    <div class="order">
      <label>
        Order{' '}
        <select value={chosen?.id ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
          {chosen === undefined && <option value="">as it came</option>}
          {columns.map(({ id, title, unit }) => (
            <option key={id} value={id}>
              {unit === undefined ? title : `${title}, ${unit}`}
            </option>
          ))}
        </select>
      </label>
      {chosen !== undefined && (
        <button type="button" onClick={() => setOrder(isDescending ? chosen.id : `-${chosen.id}`)}>
          <span class="unseen">Turn the order: </span>
          {isDescending ? '▼' : '▲'} <span class="unseen">{isDescending ? 'descending' : 'ascending'}</span>
        </button>
      )}
    </div>
  );
}
