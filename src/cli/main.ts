import { Command, CommanderError } from 'commander';
import { NETWORK_OPTION } from '../host/buyer.ts';
import { CHANNEL_FILE_OPTION, RPC_OPTION } from '../host/channel-file.ts';
import type { AddCommand } from '../host/command.ts';
import { addCommands, commandHost } from '../host/commands.ts';
import { SERVICE_OPTION } from '../host/process/demo-file.ts';
import { allSpecs } from '../host/settings/all-settings.ts';
import { VERSION } from '../host/version.ts';
import { MODULES } from '../modules/list.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { BuyOptions } from './buy.ts';
import { addHistory } from './history-commands.ts';
import { addLedger } from './ledger-commands.ts';
import type { VenuesOptions } from './venues.ts';

const addServe: AddCommand = (program, host) => {
  const serve = program
    .command('serve')
    .description('collect from the venues and serve the API')
    .option('--print-config', 'print the effective configuration, secrets masked, and stop');
  host
    .withSettings(serve, Object.keys(host.specs))
    .action(async ({ printConfig, ...flags }: Record<string, string> & { printConfig?: true }) => {
      const read = host.settingsFrom(flags);
      if (read === undefined) {
        process.exitCode = 2;
        return;
      }
      const { printConfigCommand, serveCommand } = await import('./serve.ts');
      process.exitCode =
        printConfig === true
          ? printConfigCommand(host.specs, read.settings, host.seamsOf(read))
          : await serveCommand(read, MODULES);
    });
};

function addBuy(program: Command): void {
  program
    .command('buy')
    .description('buy one answer: body on stdout, receipt on stderr')
    .argument('<path>', 'path and query, e.g. "/v1/funding/current?symbol=BTC"')
    .option('--url <base>', "address of the service; default PERPMETER_URL, else the running demo's")
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .option('--network <id>', NETWORK_OPTION)
    .option('--max-usd <usd>', 'never pay more than this for an answer', '0.10')
    .option('--channel', 'pay by a payment channel: a deposit once, then a signature an answer')
    .option('--max-deposit-usd <usd>', 'never leave more than this unspent in channels', '0.10')
    .option('--channel-file <file>', CHANNEL_FILE_OPTION)
    .option('--rpc-url <url>', RPC_OPTION)
    .option('--times <n>', 'buy it so many times; the last answer is written')
    .option('--id <name>', 'your name of this purchase: run again within 24 hours, it is charged once')
    .option('--out <file>', 'write the body there, byte for byte (Parquet)')
    .option('--receipt <file>', 'write the receipt of the answer there, with the keys of now, for verify')
    .action(async (path: string, options: BuyOptions) => {
      const { buyCommand } = await import('./buy.ts');
      process.exitCode = await buyCommand(path, options);
    });
}

function addVenues(program: Command): void {
  program
    .command('venues')
    .description('list the venues, with their live state where a service runs')
    .option('--url <base>', SERVICE_OPTION)
    .option('--json', 'one JSON array instead of a table')
    .action(async (options: VenuesOptions) => {
      const { venuesCommand } = await import('./venues.ts');
      process.exitCode = await venuesCommand(options);
    });
}

const program = new Command('perpmeter')
  .description('market data for perpetual futures, sold per request over x402')
  .version(VERSION)
  .showHelpAfterError()
  .exitOverride();

// Stores, keys and answers are their owner's alone, under whichever service manager or shell this is started.
process.umask(0o077);

/** Commands of the core, in the order of help. */
const COMMANDS: readonly (readonly [name: string, add: AddCommand])[] = [
  ['serve', addServe],
  ['buy', addBuy],
  ['venues', addVenues],
  ['ledger', addLedger],
  ['history', addHistory],
];
addCommands(program, COMMANDS, commandHost(allSpecs(MODULES), MODULES));

// The reader of the output may close it early, as head does after its lines: the command goes on all the same.
process.stdout.on('error', (cause) => {
  if (!('code' in cause) || cause.code !== 'EPIPE') throw cause;
});

try {
  if (hasFolder()) await program.parseAsync();
  else {
    process.stderr.write('perpmeter: the folder that it was started in is gone\n');
    process.exitCode = 2;
  }
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    const reason = reasonOf(error);
    process.stderr.write(`perpmeter: ${reason}\n`);
    process.exitCode = 1;
  }
}

/** False where it was deleted: Node.js would try to make a relative folder there without end, and hear no signal. */
function hasFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}
