import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReaderOptions } from './reader-options.ts';
import { type Cells, type Query, type StoreResult, stored } from './store.ts';

/** Rows read before the event loop gets its turn: about two milliseconds. */
const ROWS_PER_TURN = 4000;

/**
 * The rows of a query, each read from its cells. A long answer gives the event loop its turn in between.
 *
 * @param choose takes some of the rows before they are read
 */
export async function readRows<Row>(
  store: ReaderOptions['store'],
  query: Query,
  read: (cells: Cells) => Row,
  choose?: (rows: readonly Cells[]) => readonly Cells[],
): Promise<StoreResult<readonly Row[]>> {
  const found = await store.select(query);
  if (!found.ok) return found;
  const rows = choose?.(found.value) ?? found.value;
  const list: Row[] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_TURN) {
    for (const cells of rows.slice(at, at + ROWS_PER_TURN)) list.push(read(cells));
    if (rows.length > ROWS_PER_TURN) await nextTurn();
  }
  return stored(list);
}
