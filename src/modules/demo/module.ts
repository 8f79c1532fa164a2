import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';

const SETTINGS = {
  demoBuyerKey: {
    flag: 'demo-buyer-key',
    env: 'DEMO_BUYER_KEY',
    type: 'text',
    secret: true,
    about: 'key that signs for visitors of the page (mode sandbox; the demo makes its own)',
  },
} as const satisfies SettingSpecs;

const addDemo: AddCommand = (program, { specs }) => {
  program
    .command('demo')
    .description('everything on loopback: simulated venues, a local chain, a funded buyer and the service')
    .option('--port <port>', 'port of the API', '8402')
    .option('--seed <n>', 'seed of the simulated world', '1')
    .action(async (options: { port: string; seed: string }) => {
      const { demoCommand } = await import('./demo.ts');
      // A part that is still being started must not keep an ended demo alive.
      process.exit(await demoCommand(options, specs));
    });
};

/** Everything on loopback by one command, and a wallet that signs for visitors of its page. */
export const demo: Module = {
  id: 'demo',
  settings: [{ after: 'facilitatorKey', specs: SETTINGS }],
  commands: [{ name: 'demo', after: 'serve', add: addDemo }],
  open: async ({ settings, load, options: { payments, data } }) => {
    const { demoBuyerKey } = settings(SETTINGS);
    // The demo has started this service, and the world beside it.
    if (data === 'simulated' && process.env.PERPMETER_PARENT !== undefined && process.connected) {
      const { worldPace } = await import('./world-pace.ts');
      load.precededBy(worldPace(process, () => performance.now()));
    }
    if (demoBuyerKey === undefined || payments.mode !== 'sandbox') return {};
    const [{ createDemoWallet }, { createWalletChain }, { createRpc }] = await Promise.all([
      import('./wallet.ts'),
      import('./wallet-chain.ts'),
      import('../../pay/rpc.ts'),
    ]);
    const chain = createWalletChain(createRpc(payments.rpcUrl));
    const wallet = createDemoWallet(demoBuyerKey as `0x${string}`, payments.seller, chain);
    return { mounts: [{ connect: () => wallet }] };
  },
};
