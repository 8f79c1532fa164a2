import { iso } from '../domain/clock.ts';
import { asMs } from '../domain/units.ts';
import { openStore } from '../history/open-store.ts';
import type { HistoryStore, StoreResult } from '../history/store.ts';
import { tableText } from '../host/process/table-text.ts';
import { historyEngine } from '../host/settings/history-settings.ts';
import type { Settings } from '../host/settings/settings.ts';
import { backUp } from './history-backup.ts';
import { checkHistory } from './history-check.ts';
import { addCorrection, type CorrectFlags, listCorrections } from './history-correct.ts';
import { differences, readManifest, restore } from './history-restore.ts';

/** Runs an operator's work on the history of these settings. Exit code 1 where it cannot be opened or done. */
async function onStore(
  settings: Settings,
  work: (store: HistoryStore) => Promise<StoreResult<number>>,
): Promise<number> {
  const store = await openStore(historyEngine(settings));
  const result = store.ok ? await work(store.value) : store;
  if (store.ok) await store.value.close();
  if (result.ok) return result.value;
  process.stderr.write(`history: ${result.fault.message}\n`);
  return 1;
}

const time = (seconds: number): string => iso(asMs(seconds * 1000));

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(2);

/** Prints completeness by venue and day, and the gaps. Exit code 1 where rows are there twice. */
export function historyCheckCommand(
  settings: Settings,
  { json }: { readonly json?: boolean },
): Promise<number> {
  return onStore(settings, async (store) => {
    const check = await checkHistory(store);
    if (!check.ok) return check;
    const { days, gaps, version } = check.value;
    if (json === true) process.stdout.write(`${JSON.stringify(check.value)}\n`);
    else {
      const cells = days.map((day) => [
        ...[time(day.day).slice(0, 10), day.venue, `${day.contracts}`, percent(day.minutes, day.expected)],
        ...[day.expected - day.minutes, day.revisions, day.duplicates].map(String),
      ]);
      process.stdout.write(
        tableText(['day', 'venue', 'contracts', 'complete %', 'missing', 'revisions', 'duplicates'], cells),
      );
      for (const { venue, from, until, reason, rows } of gaps) {
        const lost = rows === 0 ? '' : `, ${rows} rows lost`;
        process.stdout.write(`gap: ${venue} ${time(from)} to ${time(until)}, ${reason}${lost}\n`);
      }
      process.stdout.write(`format version ${version}\n`);
    }
    return { ok: true, value: days.some(({ duplicates }) => duplicates > 0) ? 1 : 0 };
  });
}

/** Prints what corrects the history. */
export function historyCorrectionsCommand(
  settings: Settings,
  { json }: { readonly json?: boolean },
): Promise<number> {
  return onStore(settings, (store) => listCorrections(store, json === true));
}

/** Notes a correction, or undoes one. */
export function historyCorrectCommand(settings: Settings, id: string, flags: CorrectFlags): Promise<number> {
  return onStore(settings, (store) => addCorrection(store, id, flags));
}

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
