import type { Command } from 'commander';
import type { CommandHost } from '../host/command.ts';
import type { IdentityRequest } from '../market/change-identity.ts';
import type { IdentityListOptions, IdentityLocation } from './identity.ts';

interface Flags {
  readonly dataDir?: string;
  readonly ledgerUrl?: string;
}

interface ChangeFlags extends Flags {
  readonly reason: string;
}

/** The command that they are added to. */
interface Identity {
  /** A subcommand with the flags that say where identities are. */
  readonly command: (name: string, about: string) => Command;
  readonly run: (flags: Flags, task: (place: IdentityLocation) => Promise<number>) => Promise<void>;
}

/** Adds `identity list | pin | merge | split | undo | log | move`. */
export function addIdentity(program: Command, host: CommandHost): void {
  const parent = program
    .command('identity')
    .description('which asset each contract is: list, pin, merge, split, undo, and the log of changes');
  const identity: Identity = {
    command: (name, about) =>
      host.withSettings(parent.command(name).description(about), ['dataDir', 'ledgerUrl']),
    run: async ({ dataDir, ledgerUrl }, task) => {
      const read = host.settingsFrom({ dataDir, ledgerUrl });
      process.exitCode = read === undefined ? 2 : await task(read.settings);
    },
  };
  addList(identity);
  addChanges(identity);
  addLog(identity);
  addMove(identity);
}

function addList({ command, run }: Identity): void {
  command('list', 'list contracts by asset')
    .option('--id <canonical_id>', 'only this asset')
    .option('--venue <venue>', 'only this venue')
    .option('--ticker <ticker>', 'only this ticker')
    .option('--all', 'also what has ended')
    .option('--json', 'one JSON object a line instead of a table')
    .action((flags: Flags & IdentityListOptions) =>
      run(flags, async (place) => (await import('./identity.ts')).identityList(place, flags)),
    );
}

function addChanges({ command, run }: Identity): void {
  const withReason = (name: string, about: string): Command =>
    command(name, about).requiredOption('--reason <text>', 'why; kept in the log');
  const change = (flags: ChangeFlags, request: IdentityRequest): Promise<void> =>
    run(flags, async (place) => (await import('./identity.ts')).identityChange(place, request, flags.reason));
  withReason('pin', 'give one contract an asset, against every rule')
    .argument('<venue>')
    .argument('<symbol>', "the venue's own symbol")
    .argument('<canonical_id>')
    .action((venue: string, symbol: string, to: string, flags: ChangeFlags) =>
      change(flags, { action: 'pin', venue: venue.toLowerCase(), symbol, to }),
    );
  withReason('merge', 'two ids are one asset: give the second for the first')
    .argument('<from>')
    .argument('<into>')
    .action((from: string, to: string, flags: ChangeFlags) => change(flags, { action: 'merge', from, to }));
  withReason('split', 'what some venues list under an id is another asset')
    .argument('<canonical_id>')
    .argument('<venues...>')
    .option('--to <canonical_id>', 'the other asset; default the first free <id>~2')
    .action((from: string, named: string[], { to, ...flags }: ChangeFlags & { to?: string }) => {
      const venues = named.map((venue) => venue.toLowerCase());
      return change(flags, { action: 'split', from, venues, ...(to !== undefined && { to }) });
    });
  withReason('undo', 'give the contracts of a decision what they had before')
    .argument('<sequence>', 'number of the decision, as the log has it')
    .action((sequence: string, flags: ChangeFlags) =>
      change(flags, { action: 'undo', sequence: Number(sequence) }),
    );
}

function addLog({ command, run }: Identity): void {
  command('log', 'list the changes that operators made')
    .option('--json', 'one JSON object a line instead of a table')
    .action((flags: Flags & { json?: boolean }) =>
      run(flags, async (place) => (await import('./identity.ts')).identityLog(place, flags)),
    );
}

function addMove({ command, run }: Identity): void {
  command('move', 'carry the identities of the data folder into PostgreSQL, and compare')
    .option('--to <url>', 'postgres://owner:password@host:port/database; default LEDGER_URL')
    .addHelpText('after', '\nExit code: 0 equal, 1 different, 2 could not be carried. It can be run again.')
    .action((flags: Flags & { readonly to?: string }) =>
      run(flags, async ({ dataDir, ledgerUrl }) =>
        (await import('./identity-move.ts')).identityMove(dataDir, flags.to ?? ledgerUrl),
      ),
    );
}
