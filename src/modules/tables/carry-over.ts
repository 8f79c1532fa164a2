import { existsSync, renameSync } from 'node:fs';
import type { StoreFormat } from '../../storage/store-folder.ts';
import { FolderTables } from './folder-tables.ts';
import type { Soon } from './soon.ts';
import type { TableKey, Tables } from './tables.ts';

/** Rows that are carried in one transaction. */
const AT_ONCE = 200;
export interface CarryOptions {
  /** The host's own tables; where there are none, nothing is carried. */
  readonly folder: string;
  readonly format: StoreFormat;
  /** Tables in the order in which others are to see them. */
  readonly names: readonly string[];
  readonly to: Tables;
  /** Called before the first row is carried. */
  readonly begin?: (from: Tables) => Soon<void>;
}

/**
 * Carries what a host has kept for itself into tables of several hosts: a row that is there already stays as it is. Broken off, it
 * begins again the next time. Then the folder has another name: what the host keeps for itself later is carried again.
 */
export async function carryOver({ folder, format, names, to, begin }: CarryOptions): Promise<void> {
  if (!existsSync(folder)) return;
  const from = new FolderTables(folder, format);
  try {
    await begin?.(from);
    for (const name of names) await carryTable(from, name, to);
  } finally {
    await from.close();
  }
  // Another process of this host may have done so meanwhile.
  if (existsSync(folder)) renameSync(folder, freeName(folder));
}

function freeName(folder: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${folder}-carried-${number}`;
    if (!existsSync(name)) return name;
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
