import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreFormat } from '../../storage/store-folder.ts';
import { FolderTables } from './folder-tables.ts';
import type { TableKey, Tables } from './tables.ts';

/** Rows that are carried in one transaction. */
const AT_ONCE = 200;
/** Beside the data of a folder that was carried over. */
const NOTE = 'carried-over';

/**
 * Carries what a host has kept for itself into tables of several hosts, once: a row that is there already stays as it is. Broken off, it
 * begins again the next time.
 *
 * @param folder of the host's own tables; where there is none, nothing is carried
 * @param names of the tables, in the order in which they are to be seen by others
 */
export async function carryOver(
  folder: string,
  format: StoreFormat,
  names: readonly string[],
  to: Tables,
): Promise<void> {
  if (!existsSync(folder) || existsSync(join(folder, NOTE))) return;
  const from = new FolderTables(folder, format);
  try {
    for (const name of names) await carryTable(from, name, to);
    writeFileSync(join(folder, NOTE), '');
  } finally {
    await from.close();
  }
}

async function carryTable(from: Tables, name: string, to: Tables): Promise<void> {
  const rows = from.table<unknown, TableKey>(name).range();
  const target = to.table<unknown, TableKey>(name);
  for (let begin = 0; begin < rows.length; begin += AT_ONCE)
    await to.transact(() => {
      for (const { key, value } of rows.slice(begin, begin + AT_ONCE))
        if (target.get(key) === undefined) target.put(key, value);
    });
}
