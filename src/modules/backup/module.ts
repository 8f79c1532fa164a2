import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import { HISTORY_PLACE, type HistoryFlags, withHistoryPlace } from '../../host/on-store.ts';
import type { RestoreOptions } from './command.ts';

const addBackup: AddCommand = (history, host) => {
  host
    .withSettings(history.command('backup'), HISTORY_PLACE)
    .description('write everything into an empty folder, with a manifest of rows and hashes')
    .argument('<folder>', 'made where it is missing')
    .action((folder: string, flags: HistoryFlags) =>
      withHistoryPlace(flags, host.settingsFrom, async (settings) => {
        const { historyBackupCommand } = await import('./command.ts');
        return historyBackupCommand(settings, folder);
      }),
    );
};

const addRestore: AddCommand = (history, host) => {
  host
    .withSettings(history.command('restore'), HISTORY_PLACE)
    .description('load a backup into an empty history, of the same engine or another')
    .argument('<folder>', 'a backup')
    .option('--verify', 'then compare rows and hashes with the backup; exit 1 where they differ')
    .option('--verify-only', 'load nothing, compare only')
    .action((folder: string, flags: HistoryFlags & RestoreOptions) =>
      withHistoryPlace(flags, host.settingsFrom, async (settings) => {
        const { historyRestoreCommand } = await import('./command.ts');
        return historyRestoreCommand(settings, folder, flags);
      }),
    );
};

/** Writes the history into a folder, and loads it again, in the same engine or another. */
export const backup: Module = {
  id: 'backup',
  needs: ['corrections'],
  commands: [
    { group: 'history', name: 'backup', after: 'correct', add: addBackup },
    { group: 'history', name: 'restore', after: 'backup', add: addRestore },
  ],
};
