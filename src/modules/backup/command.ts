import { onStore } from '../../host/on-store.ts';
import type { Settings } from '../../host/settings/settings.ts';
import { backUp } from './back-up.ts';
import { differences, readManifest, restore } from './restore.ts';

/** Backs the history up into an empty folder. */
export function historyBackupCommand(settings: Settings, folder: string): Promise<number> {
  return onStore(settings, async (store) => {
    const made = await backUp(store, folder);
    if (!made.ok) return made;
    const rows = made.value.chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
    process.stdout.write(`${rows} rows in ${made.value.chunks.length} files backed up to ${folder}\n`);
    return { ok: true, value: 0 };
  });
}

export interface RestoreOptions {
  /** Compares row by row with the backup afterwards. */
  readonly verify?: boolean;
  /** Loads nothing: compares only. */
  readonly verifyOnly?: boolean;
}

/** Restores a backup into an empty history, and on request proves that all of it is there. */
export function historyRestoreCommand(
  settings: Settings,
  folder: string,
  options: RestoreOptions,
): Promise<number> {
  return onStore(settings, async (store) => {
    const manifest = options.verifyOnly === true ? readManifest(folder) : await restore(store, folder);
    if (!manifest.ok) return manifest;
    const rows = manifest.value.chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
    if (options.verifyOnly !== true) process.stdout.write(`${rows} rows restored from ${folder}\n`);
    if (options.verify !== true && options.verifyOnly !== true) return { ok: true, value: 0 };
    const wrong = await differences(store, manifest.value);
    if (!wrong.ok) return wrong;
    for (const line of wrong.value) process.stderr.write(`history: ${line}\n`);
    if (wrong.value.length === 0) process.stdout.write(`verified: all ${rows} rows are as in the backup\n`);
    return { ok: true, value: wrong.value.length === 0 ? 0 : 1 };
  });
}
