import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Clock, systemClock } from '../domain/clock.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { backupName, needRoom } from '../storage/store-folder.ts';
import { notStored, type StoreResult, stored } from './store.ts';

/**
 * Says which copy the upgrade began with, until it is done: a start after a kill copies no tables that are half upgraded. It
 * lies in the folder, so that a backup in its place has none.
 */
const noteOf = (folder: string): string => join(folder, 'upgrade');

/**
 * Copies the folder of a history that is of an older version, and open nowhere, to `backup-<version>-<time>` beside it.
 *
 * @param folder the engine's
 * @param version that its tables have
 */
export async function backUpFolder(
  folder: string,
  version: number,
  clock: Clock = systemClock,
): Promise<StoreResult<void>> {
  if (hasBackup(folder)) return stored(undefined);
  const backup = join(dirname(folder), backupName(version, clock));
  const whole = join(backup, basename(folder));
  try {
    needRoom(folder, sizeOf(folder));
    await mkdir(backup, { recursive: true, mode: 0o700 });
    await copyWhole(folder, whole);
    writeFileSync(noteOf(folder), whole);
    return stored(undefined);
  } catch (cause) {
    return notStored(
      'refused',
      `the history in ${folder} has format version ${version} and cannot be backed up before its upgrade; it is unchanged: ${reasonOf(cause)}`,
    );
  }
}

/** A copy that fails leaves nothing behind, so that a start that is tried again and again fills no disk. */
async function copyWhole(from: string, to: string): Promise<void> {
  const part = `${to}.part`;
  try {
    await cp(from, part, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    renameSync(part, to);
  } catch (cause) {
    rmSync(part, { recursive: true, force: true });
    if (readdirSync(dirname(to)).length === 0) rmdirSync(dirname(to));
    throw cause;
  }
}

/** To be called once the tables are upgraded: the next upgrade begins with a copy of its own. */
export const noteUpgraded = (folder: string): void => rmSync(noteOf(folder), { force: true });

function hasBackup(folder: string): boolean {
  const note = noteOf(folder);
  return existsSync(note) && existsSync(readFileSync(note, 'utf8'));
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.reduce((sum, entry) => sum + lstatSync(join(folder, entry)).size, 0);
}
