import type { Command } from 'commander';
import type { AddCommand, CommandHost } from '../host/command.ts';
import { addCommands } from '../host/commands.ts';
import type { RecordFlags, RecordsLocation } from '../host/ledger-records.ts';
import { placeNames, runWithSettings } from '../host/place-flags.ts';
import type { LedgerOptions, SumsOptions } from './ledger.ts';
import type { AccountsOptions } from './ledger-accounts.ts';

/** A subcommand with the flags that say where the ledger is. */
const command = (parent: Command, host: CommandHost, name: string, isDefault = false): Command =>
  host.withSettings(parent.command(name, { isDefault }), placeNames(host, 'ledger'));

const run = (flags: object, host: CommandHost, task: (location: RecordsLocation) => Promise<number>) =>
  runWithSettings(host, flags, placeNames(host, 'ledger'), (given) =>
    task({ dataDir: given.settings.dataDir, place: host.seamsOf(given).ledger }),
  );

/** Adds `ledger [list] | accounts | sums | export`, and what modules add to them. */
export const addLedger: AddCommand = (program, host) => {
  const parent = program
    .command('ledger')
    .description(
      'the payments that the service took: list, accounts, sums, CSV, and comparison with the chain',
    );
  addCommands(
    parent,
    [
      ['list', addList],
      ['accounts', addAccounts],
      ['sums', addSums],
      ['export', addExport],
    ],
    host,
    'ledger',
  );
};

const JSON_LINES = 'one JSON object a line instead of a table';

const timed = (made: Command): Command =>
  made
    .option('--since <time>', 'claimed at this time or later, as 2026-11-21 or 2026-11-21T10:00:00Z')
    .option('--until <time>', 'claimed before this time');

const selecting = (made: Command): Command => timed(made).option('--state <state>', 'only in this state');

const addList: AddCommand = (parent, host) => {
  selecting(command(parent, host, 'list', true).description('list payments, newest first'))
    .option('--json', JSON_LINES)
    .option('--limit <n>', 'at most this many', '50')
    .action((flags: LedgerOptions) =>
      run(flags, host, async (location) => (await import('./ledger.ts')).ledgerList(location, flags)),
    );
};

const addAccounts: AddCommand = (parent, host) => {
  command(parent, host, 'accounts')
    .alias('channels')
    .description('running accounts of buyers (payment channels), or one of them with its sales')
    .argument('[id]', 'id of one account')
    .option('--unclaimed', 'only those with something charged and not claimed')
    .option('--json', JSON_LINES)
    .option('--limit <n>', 'at most this many sales of the one account', '50')
    .action((id: string | undefined, flags: AccountsOptions) =>
      run(flags, host, async (location) =>
        (await import('./ledger-accounts.ts')).ledgerAccounts(location, id, flags),
      ),
    );
};

const addSums: AddCommand = (parent, host) => {
  timed(command(parent, host, 'sums').description('what was paid, by route, day or payer'))
    .option('--by <key>', 'route, day (UTC, of settling) or payer', 'route')
    .option('--json', JSON_LINES)
    .action((flags: SumsOptions) =>
      run(flags, host, async (location) => (await import('./ledger.ts')).ledgerSums(location, flags)),
    );
};

const addExport: AddCommand = (parent, host) => {
  selecting(command(parent, host, 'export').description('write payments as CSV')).action(
    (flags: RecordFlags) =>
      run(flags, host, async (location) => (await import('./ledger.ts')).ledgerExport(location, flags)),
  );
};
