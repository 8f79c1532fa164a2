import type { Command } from 'commander';
import type { CommandHost } from '../host/command.ts';
import type { LedgerOptions, SumsOptions } from './ledger.ts';
import type { ReconcileOptions, ReconcileSettings } from './ledger-reconcile.ts';
import type { RecordFlags, RecordsLocation } from './ledger-records.ts';

type SettingFlag = 'dataDir' | 'ledgerUrl' | 'rpcUrl' | 'payTo' | 'asset' | 'network';
type SettingFlags = Partial<Record<SettingFlag, string>>;

export interface LedgerSettings extends ReconcileSettings, RecordsLocation {}

/** The command that they are added to. */
interface Ledger {
  /** A subcommand with the flags that say where the ledger is. */
  readonly command: (name: string, about: string, isDefault?: boolean) => Command;
  /** Adds the flags of further settings. */
  readonly prepare: (command: Command, names: readonly SettingFlag[]) => Command;
  readonly run: (flags: SettingFlags, task: (settings: LedgerSettings) => Promise<number>) => Promise<void>;
}

/** Adds `ledger [list] | sums | export | reconcile | move | schema`. */
export function addLedger(program: Command, host: CommandHost): void {
  const prepare: Ledger['prepare'] = (command, names) => host.withSettings(command, names);
  const parent = program
    .command('ledger')
    .description('the payments that the service took: list, sums, CSV, and comparison with the chain');
  const ledger: Ledger = {
    prepare,
    command: (name, about, isDefault = false) =>
      prepare(parent.command(name, { isDefault }).description(about), ['dataDir', 'ledgerUrl']),
    run: async (flags, task) => {
      const { dataDir, ledgerUrl, rpcUrl, payTo, asset, network } = flags;
      const read = host.settingsFrom({ dataDir, ledgerUrl, rpcUrl, payTo, asset, network });
      process.exitCode = read === undefined ? 2 : await task(read.settings);
    },
  };
  addRecords(ledger);
  addReconcile(ledger);
  addMove(ledger);
  addSchema(parent);
}

const JSON_LINES = 'one JSON object a line instead of a table';

const timed = (made: Command): Command =>
  made
    .option('--since <time>', 'claimed at this time or later, as 2026-11-21 or 2026-11-21T10:00:00Z')
    .option('--until <time>', 'claimed before this time');

const selecting = (made: Command): Command => timed(made).option('--state <state>', 'only in this state');

function addRecords({ command, run }: Ledger): void {
  selecting(command('list', 'list payments, newest first', true))
    .option('--json', JSON_LINES)
    .option('--limit <n>', 'at most this many', '50')
    .action((flags: SettingFlags & LedgerOptions) =>
      run(flags, async (place) => (await import('./ledger.ts')).ledgerList(place, flags)),
    );
  timed(command('sums', 'what was paid, by route, day or payer'))
    .option('--by <key>', 'route, day (UTC, of settling) or payer', 'route')
    .option('--json', JSON_LINES)
    .action((flags: SettingFlags & SumsOptions) =>
      run(flags, async (place) => (await import('./ledger.ts')).ledgerSums(place, flags)),
    );
  selecting(command('export', 'write payments as CSV')).action((flags: SettingFlags & RecordFlags) =>
    run(flags, async (place) => (await import('./ledger.ts')).ledgerExport(place, flags)),
  );
}

function addReconcile({ command, prepare, run }: Ledger): void {
  const about = "compare the ledger with the chain's transfers to the seller";
  prepare(command('reconcile', about), ['rpcUrl', 'payTo', 'asset', 'network'])
    .option('--json', 'one JSON object a difference instead of a table')
    .option('--since <time>', 'from when on, where the ledger begins later or has no payment')
    .addHelpText('after', '\nExit code: 0 equal, 1 different, 2 could not be compared.')
    .action((flags: SettingFlags & ReconcileOptions) =>
      run(flags, async (settings) =>
        (await import('./ledger-reconcile.ts')).ledgerReconcile(settings, settings, flags),
      ),
    );
}

function addMove({ command, run }: Ledger): void {
  command('move', 'carry the ledger of the data folder into PostgreSQL, and compare both')
    .option('--to <url>', 'postgres://owner:password@host:port/database; default LEDGER_URL')
    .addHelpText('after', '\nExit code: 0 equal, 1 different, 2 could not be carried. It can be run again.')
    .action((flags: SettingFlags & { readonly to?: string }) =>
      run(flags, async ({ dataDir, ledgerUrl }) =>
        (await import('./ledger-move.ts')).ledgerMove(dataDir, flags.to ?? ledgerUrl),
      ),
    );
}

/** Names of database roles. */
interface SchemaRoles {
  readonly role?: string;
  readonly collector?: string;
  readonly recorder?: string;
}

/** psql runs a script to its end whatever fails, and exits with 0, where it is not told otherwise. */
const STOP_AT_FIRST_ERROR = '\\set ON_ERROR_STOP on\n';

function addSchema(parent: Command): void {
  const about =
    "print the tables of payments and identities on PostgreSQL as a script of psql, and a role's rights to them";
  const collectors =
    'role that collectors connect as: it gives identities, which sellers then only read, and reads no payment';
  parent
    .command('schema')
    .description(about)
    .option('--role <name>', 'role that sellers connect as; it must exist')
    .option('--collector <name>', collectors)
    .option('--recorder <name>', 'role that recorders connect as: it reads identities and nothing else')
    .action(async ({ role, collector, recorder }: SchemaRoles) => {
      const { CREATE_TABLES, grantsTo } = await import('../pay/postgres/schema.ts');
      const { CREATE_IDENTITIES, identityGrantsTo } = await import('../market/postgres/schema.ts');
      process.stdout.write(STOP_AT_FIRST_ERROR + CREATE_TABLES + CREATE_IDENTITIES);
      if (role !== undefined)
        process.stdout.write(grantsTo(role) + identityGrantsTo(role, collector === undefined));
      if (collector !== undefined) process.stdout.write(identityGrantsTo(collector, true));
      if (recorder !== undefined) process.stdout.write(identityGrantsTo(recorder, false));
    });
}
