import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table, TableKey } from '../../tables/tables.ts';
import type { SharedRow } from './shared-rows.ts';

/** Rows that are looked at in one turn of the event loop. */
export const SLICE = 500;

/**
 * The changes by which a copy becomes what a server has, whole. After a promotion almost all rows are as they were: they are looked at
 * in slices, so that nothing else waits for tens of thousands of them, and the few others are written at once.
 *
 * @param tables of the copy, by name, which must not change meanwhile: who takes the changes looks at its position
 * @param rows all that the server has, page by page: of a row that changed between two pages the last one holds
 */
export async function differencesOf(
  tables: ReadonlyMap<string, Table<unknown, TableKey>>,
  rows: readonly SharedRow[],
): Promise<readonly SharedRow[]> {
  const changes: SharedRow[] = [];
  const latest = new Map<string, SharedRow>();
  for (let at = 0; at < rows.length; at += SLICE) {
    for (const shared of rows.slice(at, at + SLICE)) latest.set(`${shared.name} ${shared.key}`, shared);
    await nextTurn();
  }
  const there = new Set<string>();
  const found = [...latest];
  for (let at = 0; at < found.length; at += SLICE) {
    for (const [place, shared] of found.slice(at, at + SLICE)) {
      const { name, key, row } = shared;
      if (row === null || row === undefined) continue;
      there.add(place);
      const copied = tables.get(name)?.get(JSON.parse(key) as TableKey);
      if (JSON.stringify(copied) !== JSON.stringify(row)) changes.push(shared);
    }
    await nextTurn();
  }
  for (const [name, table] of tables)
    for await (const key of keysOf(table)) {
      const text = JSON.stringify(key);
      if (!there.has(`${name} ${text}`)) changes.push({ name, key: text, row: null });
    }
  return changes;
}

/** All keys of a table, in slices. */
async function* keysOf(table: Table<unknown, TableKey>): AsyncGenerator<TableKey> {
  let last: TableKey | undefined;
  for (;;) {
    // The first of a range is the last of the one before it.
    const found = table.range({ limit: SLICE + 1, ...(last !== undefined && { start: last }) });
    const keys = found.map(({ key }) => key).slice(last === undefined ? 0 : 1);
    yield* keys;
    last = keys.at(-1);
    if (found.length <= SLICE || last === undefined) return;
    await nextTurn();
  }
}
