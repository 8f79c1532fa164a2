import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import { HISTORY_PLACE, type HistoryFlags, withHistoryPlace } from '../../host/on-store.ts';
import type { CorrectFlags } from './command.ts';

const addCorrections: AddCommand = (history, host) => {
  host
    .withSettings(history.command('corrections'), HISTORY_PLACE)
    .description('what corrects stored values where they are read, and from when on')
    .option('--json', 'one JSON array instead of a table')
    .action((flags: HistoryFlags & { json?: boolean }) =>
      withHistoryPlace(flags, host.settingsFrom, async (settings) => {
        const { historyCorrectionsCommand } = await import('./command.ts');
        return historyCorrectionsCommand(settings, flags);
      }),
    );
};

const addCorrect: AddCommand = (history, host) => {
  host
    .withSettings(history.command('correct'), HISTORY_PLACE)
    .description('correct what was stored wrong, or undo a correction; shows it, and notes it with --yes')
    .argument('<id>', 'name of the correction')
    .option('--venue <id>', 'a venue, or all that begin alike: hyperliquid-*')
    .option('--metric <name>', 'open_interest, volume_24h or funding_rate')
    .option('--factor <number>', 'what the stored value is times')
    .option('--withdraw', 'instead of a factor: the value cannot be known')
    .option('--before <time>', 'what was recorded before it is concerned: 2026-11-20T21:30:00Z')
    .option('--from <time>', 'and what was recorded from then on; default: all')
    .option('--origin <name>', 'only sampled, or only backfilled values')
    .option('--reason <text>', 'what was wrong; buyers are told')
    .option('--undo', 'undo the correction of this id')
    .option('--yes', 'note it')
    .action((id: string, flags: HistoryFlags & CorrectFlags) =>
      withHistoryPlace(flags, host.settingsFrom, async (settings) => {
        const { historyCorrectCommand } = await import('./command.ts');
        return historyCorrectCommand(settings, id, flags);
      }),
    );
};

/** Corrects what earlier builds stored wrong, where it is read: declared with a decoder's change, or noted by the operator. */
export const corrections: Module = {
  id: 'corrections',
  seams: () => ({
    reading: async () => (await import('./correction-watch.ts')).openCorrectedReading,
  }),
  commands: [
    { group: 'history', name: 'corrections', after: 'check', add: addCorrections },
    { group: 'history', name: 'correct', after: 'corrections', add: addCorrect },
  ],
};
