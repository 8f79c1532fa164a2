import type { Command } from 'commander';
import type { AddCommand, CommandHost } from '../../host/command.ts';
import { addCommands } from '../../host/commands.ts';
import type { Module } from '../../host/module.ts';
import { placeNames, runWithSettings } from '../../host/place-flags.ts';
import type { IdentityRequest } from '../../market/change-identity.ts';
import type { IdentityListOptions, IdentityLocation } from './command.ts';

interface ChangeFlags {
  readonly reason: string;
}

/** A subcommand with the flags that say where identities are. */
const command = (parent: Command, host: CommandHost, name: string): Command =>
  host.withSettings(parent.command(name), placeNames(host, 'identity'));

const run = (flags: object, host: CommandHost, task: (location: IdentityLocation) => Promise<number>) =>
  runWithSettings(host, flags, placeNames(host, 'identity'), (given) =>
    task({ dataDir: given.settings.dataDir, place: host.seamsOf(given).identities }),
  );

/** Adds `identity list | pin | merge | split | undo | log`, and what modules add to them. */
const addIdentity: AddCommand = (program, host) => {
  const parent = program
    .command('identity')
    .description('which asset each contract is: list, pin, merge, split, undo, and the log of changes');
  addCommands(
    parent,
    [
      ['list', addList],
      ['pin', addPin],
      ['merge', addMerge],
      ['split', addSplit],
      ['undo', addUndo],
      ['log', addLog],
    ],
    host,
    'identity',
  );
};

const addList: AddCommand = (parent, host) => {
  command(parent, host, 'list')
    .description('list contracts by asset')
    .option('--id <canonical_id>', 'only this asset')
    .option('--venue <venue>', 'only this venue')
    .option('--ticker <ticker>', 'only this ticker')
    .option('--all', 'also what has ended')
    .option('--json', 'one JSON object a line instead of a table')
    .action((flags: IdentityListOptions) =>
      run(flags, host, async (location) => (await import('./command.ts')).identityList(location, flags)),
    );
};

const withReason = (parent: Command, host: CommandHost, name: string): Command =>
  command(parent, host, name).requiredOption('--reason <text>', 'why; kept in the log');

const change = (host: CommandHost, flags: ChangeFlags, request: IdentityRequest): Promise<void> =>
  run(flags, host, async (location) =>
    (await import('./command.ts')).identityChange(location, request, flags.reason),
  );

const addPin: AddCommand = (parent, host) => {
  withReason(parent, host, 'pin')
    .description('give one contract an asset, against every rule')
    .argument('<venue>')
    .argument('<symbol>', "the venue's own symbol")
    .argument('<canonical_id>')
    .action((venue: string, symbol: string, to: string, flags: ChangeFlags) =>
      change(host, flags, { action: 'pin', venue: venue.toLowerCase(), symbol, to }),
    );
};

const addMerge: AddCommand = (parent, host) => {
  withReason(parent, host, 'merge')
    .description('two ids are one asset: give the second for the first')
    .argument('<from>')
    .argument('<into>')
    .action((from: string, to: string, flags: ChangeFlags) =>
      change(host, flags, { action: 'merge', from, to }),
    );
};

const addSplit: AddCommand = (parent, host) => {
  withReason(parent, host, 'split')
    .description('what some venues list under an id is another asset')
    .argument('<canonical_id>')
    .argument('<venues...>')
    .option('--to <canonical_id>', 'the other asset; default the first free <id>~2')
    .action((from: string, named: string[], { to, ...flags }: ChangeFlags & { to?: string }) => {
      const venues = named.map((venue) => venue.toLowerCase());
      return change(host, flags, { action: 'split', from, venues, ...(to !== undefined && { to }) });
    });
};

const addUndo: AddCommand = (parent, host) => {
  withReason(parent, host, 'undo')
    .description('give the contracts of a decision what they had before')
    .argument('<sequence>', 'number of the decision, as the log has it')
    .action((sequence: string, flags: ChangeFlags) =>
      change(host, flags, { action: 'undo', sequence: Number(sequence) }),
    );
};

const addLog: AddCommand = (parent, host) => {
  command(parent, host, 'log')
    .description('list the changes that operators made')
    .option('--json', 'one JSON object a line instead of a table')
    .action((flags: { json?: boolean }) =>
      run(flags, host, async (location) => (await import('./command.ts')).identityLog(location, flags)),
    );
};

/** The operator's decisions on which asset a contract is, from the command line. */
export const identity: Module = {
  id: 'identity',
  commands: [{ name: 'identity', after: 'history', add: addIdentity }],
};
