import type { AddCommand } from '../host/command.ts';
import { addCommands } from '../host/commands.ts';
import { HISTORY_PLACE, type HistoryFlags, withHistoryPlace } from '../host/on-store.ts';

/** Adds `history check`, and the commands of modules beside it. */
export const addHistory: AddCommand = (program, host) => {
  const history = program
    .command('history')
    .description(
      'look after what is kept: check, correct, backup, restore. The embedded engine is held by one process: stop the service first',
    );
  addCommands(history, [['check', addCheck]], host, 'history');
};

const addCheck: AddCommand = (history, host) => {
  host
    .withSettings(history.command('check'), HISTORY_PLACE)
    .description('gaps, duplicates and completeness by venue and day; exit 1 where rows are there twice')
    .option('--json', 'one JSON object instead of a table')
    .action((flags: HistoryFlags & { json?: boolean }) =>
      withHistoryPlace(flags, host.settingsFrom, async (settings) => {
        const { historyCheckCommand } = await import('./history.ts');
        return historyCheckCommand(settings, flags);
      }),
    );
};
