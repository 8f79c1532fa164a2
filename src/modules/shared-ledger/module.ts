import { rolesOf } from '../../host/collection.ts';
import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import { reading } from '../../host/open-modules.ts';
import { placeNames, runWithSettings } from '../../host/place-flags.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { identitiesOn, ledgerOn } from './places.ts';
import type { SchemaRoles } from './print-schema.ts';

const SETTINGS = {
  ledgerUrl: {
    flag: 'ledger-url',
    env: 'LEDGER_URL',
    type: 'text',
    notInDemo: true,
    secret: true,
    about:
      'PostgreSQL that keeps payments and identities of several hosts, postgres://user:password@host:5432/database; without it they are kept in the data folder',
  },
} as const satisfies SettingSpecs;

const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text);

const CARRIED = '\nExit code: 0 equal, 1 different, 2 could not be carried. It can be run again.';

/** A command that carries what the data folder holds to the server, and compares both. */
const move =
  (
    group: 'ledger' | 'identity',
    about: string,
    carry: (dataDir: string, to: string | undefined) => Promise<number>,
  ): AddCommand =>
  (parent, host) => {
    const names = placeNames(host, group);
    host
      .withSettings(parent.command('move').description(about), names)
      .option('--to <url>', 'postgres://owner:password@host:port/database; default LEDGER_URL')
      .addHelpText('after', CARRIED)
      .action((flags: { readonly to?: string }) =>
        runWithSettings(host, flags, names, ({ settings }) =>
          carry(settings.dataDir, flags.to ?? reading(settings)(SETTINGS).ledgerUrl),
        ),
      );
  };

const addSchema: AddCommand = (parent) => {
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
    .action(async (roles: SchemaRoles) => (await import('./print-schema.ts')).printSchema(roles));
};

/** Payments and identities of several hosts, on one PostgreSQL server. */
export const sharedLedger: Module = {
  id: 'shared-ledger',
  needs: ['tables'],
  settings: [{ after: 'facilitatorKey', specs: SETTINGS, groups: ['ledger', 'identity'] }],
  commands: [
    {
      group: 'ledger',
      name: 'move',
      after: 'export',
      add: move(
        'ledger',
        'carry the ledger of the data folder into PostgreSQL, and compare both',
        async (...args) => (await import('./ledger-move.ts')).ledgerMove(...args),
      ),
    },
    { group: 'ledger', name: 'schema', after: 'move', add: addSchema },
    {
      group: 'identity',
      name: 'move',
      after: 'log',
      add: move(
        'identity',
        'carry the identities of the data folder into PostgreSQL, and compare',
        async (...args) => (await import('./identity-move.ts')).identityMove(...args),
      ),
    },
  ],
  check: (settings) => {
    const { ledgerUrl } = settings(SETTINGS);
    if (ledgerUrl === undefined || isPostgresUrl(ledgerUrl)) return [];
    return ['LEDGER_URL must be postgres://user:password@host:port/database'];
  },
  seams: (settings) => {
    const { ledgerUrl } = settings(SETTINGS);
    if (ledgerUrl === undefined) return {};
    return { ledger: ledgerOn(ledgerUrl), identities: identitiesOn(ledgerUrl) };
  },
  open: async ({ settings, options, clock }) => {
    const { ledgerUrl } = settings(SETTINGS);
    // Only who sells has rights to what was sold.
    if (ledgerUrl === undefined || !rolesOf(options).has('sell')) return {};
    return (await import('./tables/open-tables.ts')).openTables(ledgerUrl, clock);
  },
};
