import { Command, CommanderError } from 'commander';
import { SETTINGS, type SettingName } from '../host/settings/setting-table.ts';
import { envNames, readSettings, type Settings } from '../host/settings/settings.ts';
import { VERSION } from '../host/version.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { BackfillOptions } from './backfill.ts';
import { type BuyOptions, buyCommand } from './buy.ts';
import type { DecodeOptions } from './decode.ts';
import { LOCAL_SERVICE } from './demo-file.ts';
import type { DoctorOptions } from './doctor.ts';
import { addHistory } from './history-commands.ts';
import { addIdentity } from './identity-commands.ts';
import { addLedger } from './ledger-commands.ts';
import type { McpOptions } from './mcp.ts';
import type { VenuesOptions } from './venues.ts';
import type { VerifyOptions } from './verify.ts';

/** Default service of the commands that cost nothing. */
const DEFAULT_SERVICE = `default PERPMETER_URL, else the running demo's, else ${LOCAL_SERVICE}`;

const settingNames = Object.keys(SETTINGS) as SettingName[];

/** Adds the flags of these settings; what is given arrives under the setting's own name. */
function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const spec = SETTINGS[name];
    const choices = 'choices' in spec ? ` (${spec.choices.join(' | ')})` : '';
    const fallback = 'fallback' in spec ? ` (default ${spec.fallback})` : '';
    command.option(`--${spec.flag} <value>`, `${spec.about}${choices}${fallback} [${envNames(name)[0]}]`);
  }
  return command;
}

/** Settings from flags and environment, or undefined after every error was printed. */
function settingsFrom(flags: Partial<Record<SettingName, string>>): Settings | undefined {
  const result = readSettings(flags, process.env);
  if (result.ok) return result.settings;
  for (const error of result.errors) process.stderr.write(`perpmeter: ${error}\n`);
  return undefined;
}

type DoctorFlags = DoctorOptions & Partial<Record<'venue' | 'venueBases' | 'dataDir', string>>;

function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('collect from the venues and serve the API')
    .option('--print-config', 'print the effective configuration, secrets masked, and stop');
  withSettings(serve, settingNames).action(
    async (flags: Partial<Record<SettingName, string>> & { printConfig?: true }) => {
      const settings = settingsFrom(flags);
      if (settings === undefined) {
        process.exitCode = 2;
        return;
      }
      const { serveCommand } = await import('./serve.ts');
      process.exitCode = await serveCommand(settings, { printConfig: flags.printConfig === true });
    },
  );
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('everything on loopback: simulated venues, a local chain, a funded buyer and the service')
    .option('--port <port>', 'port of the API', '8402')
    .option('--seed <n>', 'seed of the simulated world', '1')
    .action(async (options: { port: string; seed: string }) => {
      const { demoCommand } = await import('./demo.ts');
      // Parts that are still starting must not keep an ended demo alive.
      process.exit(await demoCommand(options));
    });
}

function addDecode(program: Command): void {
  program
    .command('decode')
    .description("run a venue's own decoder on a recorded payload; no network")
    .argument('[file]', 'JSON, or JSON lines for frames; - is standard input', '-')
    .requiredOption('--venue <id>', 'venue, also hyperliquid-<dex>')
    .requiredOption('--url <call>', 'path and query, full URL, channel or name of the call')
    .option('--method <method>', 'GET or POST')
    .option('--body <text>', 'request body, where it says what was asked')
    .option('--context <file...>', 'recorded instrument list, where units need it')
    .option('--received-at <time>', 'ISO time of receipt, for values that depend on it')
    .action(async (file: string, options: DecodeOptions) => {
      const { decodeCommand } = await import('./decode.ts');
      process.exitCode = await decodeCommand(file, options);
    });
}

function addBuy(program: Command): void {
  program
    .command('buy')
    .description('buy one answer: body on stdout, receipt on stderr')
    .argument('<path>', 'path and query, e.g. "/v1/funding/current?symbol=BTC"')
    .option('--url <base>', "address of the service; default PERPMETER_URL, else the running demo's")
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .option('--max-usd <usd>', 'never pay more than this', '0.10')
    .option('--id <name>', 'your name of this purchase: run again within 24 hours, it is charged once')
    .option('--out <file>', 'write the body there, byte for byte (Parquet)')
    .option('--receipt <file>', 'write the receipt of the answer there, with the keys of now, for verify')
    .action(async (path: string, options: BuyOptions) => {
      process.exitCode = await buyCommand(path, options);
    });
}

function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check a bought answer against its receipt; no network')
    .argument('<answer>', 'the body, as buy --out writes it')
    .argument(
      '<receipt>',
      'its receipt, as buy --receipt writes it or as it came in the header perpmeter-receipt',
    )
    .option(
      '--keys <file>',
      'published keys of the seller: /.well-known/did.json; default those beside the receipt',
    )
    .option('--proof <file>', 'proof of inclusion: /v1/receipts/proof/<day>/<leaf>')
    .option('--exact', 'the same JSON in other bytes will not do')
    .option('--request <path>', 'path and query that were asked')
    .option('--payer <address>', 'who paid')
    .option('--transaction <hash>', 'by which transaction')
    .addHelpText('after', '\nExit code: 0 verified, 1 refused, 2 a file cannot be read.')
    .action(async (answer: string, receipt: string, options: VerifyOptions) => {
      const { verifyCommand } = await import('./verify.ts');
      process.exitCode = await verifyCommand(answer, receipt, options);
    });
}

function addReceiptKeys(program: Command): void {
  const rotate = program
    .command('rotate-receipt-key')
    .description('put a new key in the place of the one that signs offers and receipts')
    .option('--create', 'where the file is missing, make it with a key that signs at once');
  withSettings(rotate, ['dataDir', 'receiptKeys']).action(
    async ({ create, ...flags }: Partial<Record<'dataDir' | 'receiptKeys', string>> & { create?: true }) => {
      const settings = settingsFrom(flags);
      const { rotateReceiptKeys } = await import('./receipt-keys.ts');
      process.exitCode = settings === undefined ? 2 : rotateReceiptKeys(settings, create === true);
    },
  );
}

function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve a Perpmeter as tools over standard input and output (MCP), paying from a wallet')
    .option('--url <base>', "address of the service; default PERPMETER_URL, else the running demo's")
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .option('--max-usd <usd>', 'never pay more than this for one call', '0.10')
    .option('--max-total-usd <usd>', 'never pay more than this in all, until it ends', '1.00')
    .option('--folder <path>', 'folder of the demo; default where it is started')
    .option('--print-config', "print the entry of a client's configuration, with absolute paths, and stop")
    .action(async (options: McpOptions) => {
      const { mcpCommand } = await import('./mcp.ts');
      process.exitCode = await mcpCommand(options);
    });
}

function addVenues(program: Command): void {
  program
    .command('venues')
    .description('list the venues, with their live state where a service runs')
    .option('--url <base>', `ask this service; ${DEFAULT_SERVICE}`)
    .option('--json', 'one JSON array instead of a table')
    .action(async (options: VenuesOptions) => {
      const { venuesCommand } = await import('./venues.ts');
      process.exitCode = await venuesCommand(options);
    });
}

function addDoctor(program: Command): void {
  const doctor = program
    .command('doctor')
    .description('check this machine; with --live, ask every venue once and say what is not as declared')
    .option('--live', 'ask the venues, within their rate limits')
    .option('--venue <ids>', 'these venues only, comma separated; all without it')
    .option('--json', 'one JSON report instead of tables')
    .option('--payloads <folder>', 'write redacted payloads of what is wrong, for a report')
    .option('--gap <seconds>', 'time between two looks at the quotes; 0 = one look', '60')
    .option('--timeout <seconds>', 'end after this time with what was learned', '300');
  withSettings(doctor, ['venueBases', 'dataDir']).action(
    async ({ venue, venueBases, dataDir, ...options }: DoctorFlags) => {
      const given = Object.entries({ venues: venue, venueBases, dataDir });
      const settings = settingsFrom(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
      if (settings === undefined) {
        process.exitCode = 2;
        return;
      }
      const { doctorCommand } = await import('./doctor.ts');
      process.exitCode = await doctorCommand(settings, options);
    },
  );
}

function addBackfill(program: Command): void {
  program
    .command('backfill')
    .description('show how far the back-fill of a running service is, until it is done')
    .option('--url <base>', `ask this service; ${DEFAULT_SERVICE}`)
    .action(async (options: BackfillOptions) => {
      const { backfillCommand } = await import('./backfill.ts');
      process.exitCode = await backfillCommand(options);
    });
}

const program = new Command('perpmeter')
  .description('market data for perpetual futures, sold per request over x402')
  .version(VERSION)
  .showHelpAfterError()
  .exitOverride();

// Stores, keys and answers are their owner's alone, under whichever service manager or shell this is started.
process.umask(0o077);

addServe(program);
addDemo(program);
addDecode(program);
addBuy(program);
addVerify(program);
addReceiptKeys(program);
addMcp(program);
addVenues(program);
addDoctor(program);
addBackfill(program);
addLedger(program, withSettings, ({ dataDir, ledgerUrl, rpcUrl, payTo, asset, network }) => {
  const given = { dataDir, ledgerUrl, rpcUrl, payTo, asset, network };
  const settings = settingsFrom(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
  return (
    settings && {
      dataDir: settings.dataDir,
      ledgerUrl: settings.ledgerUrl,
      rpcUrl: settings.rpcUrl,
      payTo: settings.payTo,
      asset: settings.asset,
      network: settings.network,
    }
  );
});
addHistory(program, withSettings, settingsFrom);
addIdentity(
  program,
  (command) => withSettings(command, ['dataDir', 'ledgerUrl']),
  ({ dataDir, ledgerUrl }) => settingsFrom({ ...(dataDir && { dataDir }), ...(ledgerUrl && { ledgerUrl }) }),
);

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
