import type { Command } from 'commander';
import type { IdentityRequest } from '../market/change-identity.ts';
import type { IdentitiesPlace, IdentityListOptions } from './identity.ts';

interface Flags {
  readonly dataDir?: string;
  readonly ledgerUrl?: string;
}

interface ChangeFlags extends Flags {
  readonly reason: string;
}

/**
 * Adds `identity list | pin | merge | split | undo | log | move`.
 *
 * @param prepare adds the flags that say where identities are
 * @param placeOf reads them, or says what is wrong and gives undefined
 */
export function addIdentity(
  program: Command,
  prepare: (command: Command) => Command,
  placeOf: (flags: Flags) => IdentitiesPlace | undefined,
): void {
  const identity = program
    .command('identity')
    .description('which asset each contract is: list, pin, merge, split, undo, and the log of changes');
  const run = async (flags: Flags, task: (place: IdentitiesPlace) => Promise<number>): Promise<void> => {
    const place = placeOf(flags);
    process.exitCode = place === undefined ? 2 : await task(place);
  };
  const change = (flags: ChangeFlags, request: IdentityRequest): Promise<void> =>
    run(flags, async (place) => {
      const { identityChange } = await import('./identity.ts');
      return identityChange(place, request, flags.reason);
    });
  const withReason = (command: Command): Command =>
    prepare(command).requiredOption('--reason <text>', 'why; kept in the log');

  prepare(identity.command('list').description('list contracts by asset'))
    .option('--id <canonical_id>', 'only this asset')
    .option('--venue <venue>', 'only this venue')
    .option('--ticker <ticker>', 'only this ticker')
    .option('--all', 'also what has ended')
    .option('--json', 'one JSON object a line instead of a table')
    .action((flags: Flags & IdentityListOptions) =>
      run(flags, async (place) => (await import('./identity.ts')).identityList(place, flags)),
    );
  withReason(identity.command('pin').description('give one contract an asset, against every rule'))
    .argument('<venue>')
    .argument('<symbol>', "the venue's own symbol")
    .argument('<canonical_id>')
    .action((venue: string, symbol: string, to: string, flags: ChangeFlags) =>
      change(flags, { action: 'pin', venue: venue.toLowerCase(), symbol, to }),
    );
  withReason(identity.command('merge').description('two ids are one asset: give the second for the first'))
    .argument('<from>')
    .argument('<into>')
    .action((from: string, to: string, flags: ChangeFlags) => change(flags, { action: 'merge', from, to }));
  withReason(identity.command('split').description('what some venues list under an id is another asset'))
    .argument('<canonical_id>')
    .argument('<venues...>')
    .option('--to <canonical_id>', 'the other asset; default the first free <id>~2')
    .action((from: string, venues: string[], flags: ChangeFlags & { to?: string }) =>
      change(flags, {
        action: 'split',
        from,
        venues: venues.map((venue) => venue.toLowerCase()),
        ...(flags.to === undefined ? {} : { to: flags.to }),
      }),
    );
  withReason(identity.command('undo').description('give the contracts of a decision what they had before'))
    .argument('<sequence>', 'number of the decision, as the log has it')
    .action((sequence: string, flags: ChangeFlags) =>
      change(flags, { action: 'undo', sequence: Number(sequence) }),
    );
  prepare(identity.command('log').description('list the changes that operators made'))
    .option('--json', 'one JSON object a line instead of a table')
    .action((flags: Flags & { json?: boolean }) =>
      run(flags, async (place) => (await import('./identity.ts')).identityLog(place, flags)),
    );
  prepare(
    identity
      .command('move')
      .description('carry the identities of the data folder into PostgreSQL, and compare'),
  )
    .option('--to <url>', 'postgres://owner:password@host:port/database; default LEDGER_URL')
    .addHelpText('after', '\nExit code: 0 equal, 1 different, 2 could not be carried. It can be run again.')
    .action((flags: Flags & { readonly to?: string }) =>
      run(flags, async ({ dataDir, ledgerUrl }) =>
        (await import('./identity-move.ts')).identityMove(dataDir, flags.to ?? ledgerUrl),
      ),
    );
}
