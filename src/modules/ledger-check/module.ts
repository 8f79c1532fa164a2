import type { AddCommand } from '../../host/command.ts';
import type { Host, Module, OpenModule } from '../../host/module.ts';
import { placeNames, runWithSettings } from '../../host/place-flags.ts';
import { CHAIN_CHECK } from '../../pay/chain-check.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { LedgerWatch } from './chain-watch.ts';
import type { ReconcileOptions } from './reconcile.ts';

/** Settings of the comparison with the chain. */
const CHAIN = ['rpcUrl', 'payTo', 'asset', 'network'] as const;

const addReconcile: AddCommand = (parent, host) => {
  const place = placeNames(host, 'ledger');
  host
    .withSettings(host.withSettings(parent.command('reconcile'), place), CHAIN)
    .description("compare the ledger with the chain's transfers to the seller")
    .option('--json', 'one JSON object a difference instead of a table')
    .option('--since <time>', 'from when on, where the ledger begins later or has no payment')
    .addHelpText('after', '\nExit code: 0 equal, 1 different, 2 could not be compared.')
    .action((flags: ReconcileOptions) =>
      runWithSettings(host, flags, [...place, ...CHAIN], async (given) => {
        const { ledgerReconcile } = await import('./reconcile.ts');
        const { dataDir } = given.settings;
        return ledgerReconcile({ dataDir, place: host.seamsOf(given).ledger }, given.settings, flags);
      }),
    );
};

/** The comparison of a service that charges and has a node to ask. */
async function watchOf({ options, payments }: Host): Promise<LedgerWatch | undefined> {
  const { payments: config } = options;
  const { ledger } = payments;
  if (config.mode === 'off' || config.rpcUrl === undefined || ledger === undefined) return undefined;
  const [{ LedgerWatch }, { createRpc }] = await Promise.all([
    import('./chain-watch.ts'),
    import('../../pay/rpc.ts'),
  ]);
  const { seller, rpcUrl } = config;
  return new LedgerWatch({ rpc: createRpc(rpcUrl), ledger, seller, clock: ledger.clock });
}

async function openModule(host: Host): Promise<OpenModule> {
  const { logger } = host;
  const [watch, { checkMetrics }, { lookLoop }] = await Promise.all([
    watchOf(host),
    import('./metrics.ts'),
    import('../../pay/payment-loops.ts'),
  ]);
  const stateOf = () => watch?.state();
  const onError = (cause: unknown) =>
    logger.warn({ reason: reasonOf(cause) }, 'payment reconciliation failed');
  const loop = watch && lookLoop(watch, onError);
  return {
    metrics: checkMetrics(stateOf),
    ports: [fill(CHAIN_CHECK, stateOf)],
    start: () => {
      loop?.start();
      return undefined;
    },
    stop: () => loop?.stop(),
  };
}

/** Compares the ledger with the transfers to the seller on the chain: all of it by a command, and while the service runs. */
export const ledgerCheck: Module = {
  id: 'ledger-check',
  commands: [{ group: 'ledger', name: 'reconcile', after: 'export', add: addReconcile }],
  open: openModule,
};
