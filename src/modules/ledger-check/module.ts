import { asMs } from '../../domain/units.ts';
import type { AddCommand } from '../../host/command.ts';
import type { Host, Module, OpenModule } from '../../host/module.ts';
import { placeNames, runWithSettings } from '../../host/place-flags.ts';
import { CHAIN_CHECK } from '../../pay/chain-check.ts';
import { type ChargingConfig, everyNetwork } from '../../pay/config.ts';
import type { ChainWatch, ChainWatchState, DifferenceKind } from '../../pay/scheme.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
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

/** The comparison of a service that charges, on each network with a node to ask. */
async function watchesOf({ options, payments }: Host): Promise<readonly ChainWatch[]> {
  const { payments: config } = options;
  const { ledger } = payments;
  if (config.mode === 'off' || ledger === undefined) return [];
  const [{ LedgerWatch }, { ChannelWatch }, { createRpc }] = await Promise.all([
    import('./chain-watch.ts'),
    import('./channel-watch.ts'),
    import('../../pay/rpc.ts'),
  ]);
  return everyNetwork<ChargingConfig>(config).flatMap(({ mode, seller, channels, rpcUrl }) => {
    if (rpcUrl === undefined) return [];
    const parts = { rpc: createRpc(rpcUrl), ledger, seller, clock: ledger.clock };
    const watch = new LedgerWatch({ ...parts, isLocal: mode === 'sandbox' });
    return channels === undefined ? [watch] : [watch, new ChannelWatch(parts)];
  });
}

/** The findings of all comparisons together, up to where each of them has come; undefined without any. */
function stateOfAll(watches: readonly ChainWatch[]): ChainWatchState | undefined {
  if (watches.length === 0) return undefined;
  const states = watches.map((watch) => watch.state());
  const differences = new Map<DifferenceKind, number>();
  for (const [kind, count] of states.flatMap((state) => [...state.differences]))
    differences.set(kind, (differences.get(kind) ?? 0) + count);
  return { comparedTo: asMs(Math.min(...states.map(({ comparedTo }) => comparedTo))), differences };
}

async function openModule(host: Host): Promise<OpenModule> {
  const { logger } = host;
  const [watches, { checkMetrics }, { lookLoop }] = await Promise.all([
    watchesOf(host),
    import('./metrics.ts'),
    import('../../pay/payment-loops.ts'),
  ]);
  const stateOf = () => stateOfAll(watches);
  const onError = (cause: unknown) =>
    logger.warn({ reason: reasonOf(cause) }, 'payment reconciliation failed');
  const loops = watches.map((watch) => lookLoop(watch, onError));
  return {
    metrics: checkMetrics(stateOf),
    ports: [fill(CHAIN_CHECK, stateOf)],
    start: () => {
      for (const loop of loops) loop.start();
      return undefined;
    },
    stop: async () => {
      for (const loop of loops) await loop.stop();
    },
  };
}

/** Compares the ledger with the chain, transfers to the seller and channels: all of it by a command, and while the service runs. */
export const ledgerCheck: Module = {
  id: 'ledger-check',
  commands: [{ group: 'ledger', name: 'reconcile', after: 'export', add: addReconcile }],
  open: openModule,
};
