import type { Command } from 'commander';
import type { CommandHost } from '../host/command.ts';
import type { Settings } from '../host/settings/settings.ts';
import type { RestoreOptions } from './history.ts';
import type { CorrectFlags } from './history-correct.ts';

type Flags = Partial<Record<(typeof PLACE)[number], string>>;
type Prepare = (command: Command, names: readonly string[]) => Command;
type Run = (flags: Flags, task: (settings: Settings) => Promise<number>) => Promise<void>;

/** Settings that say where the history is kept. */
const PLACE = ['dataDir', 'clickhouseUrl', 'clickhouseCluster', 'clickhouseDatabase'] as const;

/** Adds `history check | corrections | correct | backup | restore`. */
export function addHistory(program: Command, host: CommandHost): void {
  const prepare: Prepare = (command, names) => host.withSettings(command, names);
  const history = program
    .command('history')
    .description(
      'look after what is kept: check, correct, backup, restore. The embedded engine is held by one process: stop the service first',
    );
  const run: Run = async (flags, task) => {
    const place = PLACE.map((name) => [name, flags[name]] as const);
    const read = host.settingsFrom(Object.fromEntries(place));
    process.exitCode = read === undefined ? 2 : await task(read.settings);
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
  addCorrections(history, prepare, run);
  addBackups(history, prepare, run);
}

/** Adds `history backup` and `history restore`. */
function addBackups(history: Command, prepare: Prepare, run: Run): void {
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

/** Adds `history corrections` and `history correct`. */
function addCorrections(history: Command, prepare: Prepare, run: Run): void {
  prepare(history.command('corrections'), PLACE)
    .description('what corrects stored values where they are read, and from when on')
    .option('--json', 'one JSON array instead of a table')
    .action((flags: Flags & { json?: boolean }) =>
      run(flags, async (settings) => {
        const { historyCorrectionsCommand } = await import('./history.ts');
        return historyCorrectionsCommand(settings, flags);
      }),
    );
  prepare(history.command('correct'), PLACE)
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
    .action((id: string, flags: Flags & CorrectFlags) =>
      run(flags, async (settings) => {
        const { historyCorrectCommand } = await import('./history.ts');
        return historyCorrectCommand(settings, id, flags);
      }),
    );
}
