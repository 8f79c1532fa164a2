import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Database, open, type RootDatabase, type RootDatabaseOptions } from 'lmdb';
import { type Clock, iso, systemClock } from '../domain/clock.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { lmdbDamage } from './lmdb-check.ts';

/** A table as bytes, whatever its reader makes of them; versions of its entries are a part of these. */
type RawTable = Database<Buffer, Buffer>;

interface RawTables {
  readonly root: RawTable;
  /** One of the format's tables. */
  readonly named: (name: string) => RawTable;
}

/** The tables of one kind of store in every version. */
export interface StoreFormat {
  /** As it is called in messages. */
  readonly name: string;
  /** The loss that an empty store means for the service, as a sentence for the operator. */
  readonly whenLost: string;
  /** All tables that any version has; what else lies in the environment's root is data of the root itself. */
  readonly tables: readonly string[];
  /**
   * The first brings version 1 (what builds wrote that noted no version) to version 2, and so on. Only ever added to.
   * They run in one transaction: with synchronous calls only.
   */
  readonly upgrades: readonly ((tables: RawTables) => void)[];
}

/** A store that this build must not open; nothing in it was changed. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}

/** An upgrade that leaves the data as they are: from here on the store says its version. */
export const noteVersion = (): void => {};

/** The version that this build writes. */
export const newestVersion = ({ upgrades }: StoreFormat): number => upgrades.length + 1;

/** Message for a store of another version; the same words for every kind of store. */
export function refusal(store: string, version: number, known: number): string {
  return (
    `${store} has format version ${version}, this build of perpmeter knows versions up to ${known}: ` +
    'a newer build wrote it. Run that build or a newer one, or put the backup that it made of version ' +
    `${known} in its place (docs/upgrades.md). Nothing was changed`
  );
}

/** Message for a store whose file was cut off or written over. */
function damaged({ name, whenLost }: StoreFormat, folder: string, damage: string): string {
  return (
    `${name} in ${folder} is damaged: ${join(folder, DATA_FILE)}: ${damage}. Nothing was changed, and nothing starts with it. ` +
    `Put a copy of the folder in its place, or move it aside and start with an empty one: ${whenLost}`
  );
}

/** As LMDB names it. */
const DATA_FILE = 'data.mdb';
const FORMAT = 'format';
const VERSION = Buffer.from('version');
const FIRST_VERSION = 1;
const RAW = { encoding: 'binary', keyEncoding: 'binary' } as const;

/**
 * Opens an LMDB folder, made where it is missing, and brings it to the newest version: once, in one transaction that all
 * processes of the host wait for, after a copy into `backup-<version>-<time>` beside it. Whenever it is cut off, the
 * folder holds either version whole. Its tables are opened by the caller, with encodings of their own.
 *
 * @throws StoreOpenError where the file is damaged, where the version is newer than this build's, or older and it
 *   could not be copied or upgraded
 */
export function openStoreFolder(
  folder: string,
  format: StoreFormat,
  options: Omit<RootDatabaseOptions, 'path'> = {},
  clock: Clock = systemClock,
): RootDatabase<Buffer, Buffer> {
  mkdirSync(folder, { recursive: true });
  const damage = lmdbDamage(join(folder, DATA_FILE));
  if (damage !== undefined) throw new StoreOpenError(damaged(format, folder, damage));
  const root = open<Buffer, Buffer>({ path: folder, ...roomFor(format), ...RAW, ...options });
  const newest = newestVersion(format);
  let found: number | undefined;
  try {
    // The version is noted before any table is made, so a store with tables and no note is of version 1.
    const notes: RawTable = root.openDB({ name: FORMAT, ...RAW });
    found = notedVersion(notes);
    if (found === newest) return root;
    found ??= hasTables(root) ? FIRST_VERSION : newest;
    if (found > newest) throw new StoreOpenError(refusal(`${format.name} in ${folder}`, found, newest));
    const tables = tablesOf(root, found < newest ? [FORMAT, ...format.tables] : []);
    root.transactionSync(() => {
      const from = notedVersion(notes) ?? found ?? newest;
      const upgrade = (): void => {
        for (const step of format.upgrades.slice(from - 1)) step(tables);
        notes.putSync(VERSION, versionBytes(newest));
      };
      if (from === newest) upgrade();
      else withBackup({ tables, format, folder, name: backupName(from, clock) }, upgrade);
    });
    return root;
  } catch (cause) {
    void root.close();
    if (cause instanceof StoreOpenError) throw cause;
    throw new StoreOpenError(notUpgraded(`${format.name} in ${folder}`, found, newest, cause), { cause });
  }
}

const roomFor = ({ tables }: StoreFormat) => ({ noSubdir: false, maxDbs: tables.length + 1 });

const notedVersion = (notes: RawTable): number | undefined => notes.get(VERSION)?.readUInt32BE();

function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
}

/** True if there is more than the table of the note. */
const hasTables = (root: RawTable): boolean => [...root.getKeys({ limit: 2 })].length > 1;

/** Opened before the transaction that needs them: opening takes one of its own. */
function tablesOf(root: RootDatabase<Buffer, Buffer>, names: readonly string[]): RawTables {
  const opened = new Map<string, RawTable>(names.map((name) => [name, root.openDB({ name, ...RAW })]));
  return {
    root,
    named: (name) => {
      const table = opened.get(name);
      if (table === undefined) throw new Error(`no table "${name}" is declared`);
      return table;
    },
  };
}

/** Entries of the root that are data, and no table's name (which LMDB ends with a zero). */
export function* rootEntries({ root }: RawTables, { tables }: StoreFormat): Generator<[Buffer, Buffer]> {
  const names = new Set([FORMAT, ...tables].map((name) => `${name}\0`));
  for (const { key, value } of root.getRange()) {
    if (!names.has(key.toString('latin1'))) yield [key, value];
  }
}

/** Folder of a data folder's copies of stores that have this version. */
export function backupName(version: number, clock: Clock): string {
  return `backup-${version}-${iso(clock.now()).replaceAll(':', '')}`;
}

interface Backup {
  readonly tables: RawTables;
  readonly format: StoreFormat;
  readonly folder: string;
  readonly name: string;
}

/** Where the upgrade fails, what it began with is still there: a start that is tried again and again fills no disk. */
function withBackup({ tables, format, folder, name }: Backup, upgrade: () => void): void {
  const backup = join(dirname(folder), name);
  const whole = join(backup, basename(folder));
  const part = `${whole}.part`;
  needRoom(folder, statSync(join(folder, 'data.mdb')).size);
  mkdirSync(backup, { recursive: true, mode: 0o700 });
  try {
    copyEntries(tables, format, part);
    renameSync(part, whole);
    upgrade();
  } catch (cause) {
    for (const path of [part, whole]) rmSync(path, { recursive: true, force: true });
    if (readdirSync(backup).length === 0) rmdirSync(backup);
    throw cause;
  }
}

/** The files of an empty copy, and what the upgrade writes beside it. */
const SPARE_BYTES = 1 << 20;

/**
 * Throws where the disk has no room for a copy of a store and its upgrade: where it fills up under a file that LMDB has
 * mapped, the process ends without a word.
 */
export function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = 2 * bytes + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  throw new Error(`its backup and the upgrade need ${needed} bytes, and the disk has ${bavail * bsize} left`);
}

/** Entry by entry, as the transaction sees them: a copy of the file could end before the last that was written. */
function copyEntries(from: RawTables, format: StoreFormat, path: string): void {
  const to = open<Buffer, Buffer>({ path, ...roomFor(format), ...RAW, overlappingSync: false });
  try {
    const names = [FORMAT, ...format.tables];
    const tables = tablesOf(to, names);
    to.transactionSync(() => {
      for (const [key, value] of rootEntries(from, format)) to.putSync(key, value);
      for (const name of names) {
        for (const { key, value } of from.named(name).getRange()) tables.named(name).putSync(key, value);
      }
    });
  } finally {
    void to.close();
  }
}

function notUpgraded(store: string, found: number | undefined, newest: number, cause: unknown): string {
  const reason = reasonOf(cause);
  if (found === undefined || found === newest) return `${store} cannot be opened: ${reason}`;
  return `${store} could not be upgraded from format version ${found} to ${newest}, and is unchanged: ${reason}`;
}
