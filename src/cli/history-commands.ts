import type { Command } from 'commander';
import type { RestoreOptions } from './history.ts';
import type { SettingName } from './setting-table.ts';
import type { Settings } from './settings.ts';

type Flags = Partial<Record<SettingName, string>>;

/** Settings that say where the history is kept. */
const PLACE: readonly SettingName[] = ['dataDir', 'clickhouseUrl', 'clickhouseCluster', 'clickhouseDatabase'];

/**
 * Adds `history check | backup | restore`.
 *
 * @param prepare adds the flags of settings
 * @param read reads them, or says what is wrong and gives undefined
 */
export function addHistory(
  program: Command,
  prepare: (command: Command, names: readonly SettingName[]) => Command,
  read: (flags: Flags) => Settings | undefined,
): void {
  const history = program
    .command('history')
    .description(
      'look after what is kept: check, backup, restore. The embedded engine is held by one process: stop the service first',
    );
  const run = async (flags: Flags, task: (settings: Settings) => Promise<number>): Promise<void> => {
    const place = Object.fromEntries(
      Object.entries(flags).filter(([name]) => PLACE.some((one) => one === name)),
    );
    const settings = read(place);
    process.exitCode = settings === undefined ? 2 : await task(settings);
  };
  prepare(history.command('check'), PLACE)
    .description('gaps, duplicates and completeness by venue and day; exit 1 where rows are there twice')
    .option('--json', 'one JSON object instead of a table')
    .action((flags: Flags & { json?: boolean }) =>
      run(flags, async (settings) => {
        const { historyCheckCommand } = await import('./history.ts');
        return historyCheckCommand(settings, flags);
      }),
    );
  prepare(history.command('backup'), PLACE)
    .description('write everything into an empty folder, with a manifest of rows and hashes')
    .argument('<folder>', 'made where it is missing')
    .action((folder: string, flags: Flags) =>
      run(flags, async (settings) => {
        const { historyBackupCommand } = await import('./history.ts');
        return historyBackupCommand(settings, folder);
      }),
    );
  prepare(history.command('restore'), PLACE)
    .description('load a backup into an empty history, of the same engine or another')
    .argument('<folder>', 'a backup')
    .option('--verify', 'then compare rows and hashes with the backup; exit 1 where they differ')
    .option('--verify-only', 'load nothing, compare only')
    .action((folder: string, flags: Flags & RestoreOptions) =>
      run(flags, async (settings) => {
        const { historyRestoreCommand } = await import('./history.ts');
        return historyRestoreCommand(settings, folder, flags);
      }),
    );
}
