import { expect, it } from 'vitest';
import type { Table, TableKey } from '../../tables/tables.ts';
import type { SharedRow } from './shared-rows.ts';
import { differencesOf, SLICE } from './whole-copy.ts';

/** A table in memory, that counts what is read of it in one turn of the event loop. */
function tableOf(keys: readonly string[]) {
  const rows = new Map(keys.map((key) => [key, { of: key }]));
  const reads = { now: 0, most: 0 };
  const read = (count: number): void => {
    if (reads.now === 0) setImmediate(() => (reads.now = 0));
    reads.now += count;
    reads.most = Math.max(reads.most, reads.now);
  };
  const table = {
    get: (key: string) => {
      read(1);
      return rows.get(key);
    },
    range: ({ start = '', limit = Number.POSITIVE_INFINITY }) => {
      const found = [...rows].filter(([key]) => key >= start).slice(0, limit);
      read(found.length);
      return found.map(([key, value]) => ({ key, value }));
    },
  } as unknown as Table<unknown, TableKey>;
  return { table, reads };
}

const keyOf = (at: number): string => String(at).padStart(6, '0');
const rowOf = (name: string, key: string, row: unknown = { of: key }): SharedRow => ({
  name,
  key: JSON.stringify(key),
  row,
});

it('tens of slices of rows, few of them new: those alone, a slice a turn', async () => {
  const keys = Array.from({ length: 20 * SLICE + 7 }, (_, at) => keyOf(at));
  const { table, reads } = tableOf(keys);
  const rows = keys.slice(0, -2).map((key) => rowOf('watches', key));
  rows[SLICE] = rowOf('watches', keyOf(SLICE), { of: 'another' });
  rows.push(rowOf('watches', 'new'), rowOf('watches', 'gone', null));
  const changes = await differencesOf(new Map([['watches', table]]), rows);
  expect(changes).toEqual([
    rowOf('watches', keyOf(SLICE), { of: 'another' }),
    rowOf('watches', 'new'),
    ...keys.slice(-2).map((key) => rowOf('watches', key, null)),
  ]);
  expect(reads.most).toBeLessThanOrEqual(SLICE + 1);
});

it('an empty copy: all rows', async () => {
  const rows = [rowOf('watches', 'a'), rowOf('state', 'b')];
  const tables = new Map([
    ['watches', tableOf([]).table],
    ['state', tableOf([]).table],
  ]);
  expect(await differencesOf(tables, rows)).toEqual(rows);
});

it('a row that changed between two pages: as the last one has it', async () => {
  const tables = new Map([['watches', tableOf(['a', 'b', 'c']).table]]);
  const rows = [
    rowOf('watches', 'a', { of: 'older' }),
    rowOf('watches', 'b', { of: 'newer' }),
    rowOf('watches', 'c'),
    rowOf('watches', 'a'),
    rowOf('watches', 'b', null),
    rowOf('watches', 'c', { of: 'newer' }),
  ];
  expect(await differencesOf(tables, rows)).toEqual([
    rowOf('watches', 'c', { of: 'newer' }),
    rowOf('watches', 'b', null),
  ]);
});
