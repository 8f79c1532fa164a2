/**
 * The packages as their users get them: the client looked at and run alone; the service packed, looked at by
 * publint and attw, installed without install scripts in an empty folder, and there served and demonstrated,
 * first without any optional package, then with the history engine and the local chain. Prints a table and one
 * summary line; exits 1 where a bar is missed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../src/host/process/free-port.ts';
import { type Measured, printBars } from './bars.ts';
import { loadingCpu } from './loading-cpu.ts';
import { cpuSeconds } from './process-cpu.ts';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo } from './with-demo.ts';

answerHelp();

const NPX = ['npx', '--no-install', 'perpmeter'] as const;
const INSTALL_MB = 60;
const STOP_MS = 3000;
/** Times the CPU of a process that loads viem. */
const LISTEN_LOADS = 5.5;
const HOST = '127.0.0.1';

const pkg = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-pack-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, args: readonly string[], cwd = '.'): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** 1 where a tool has something to say. */
function complaints(tool: string, args: readonly string[]): number {
  try {
    run('npx', ['--no-install', tool, ...args]);
    return 0;
  } catch (cause) {
    console.error(cause instanceof Error && 'stdout' in cause ? String(cause.stdout) : String(cause));
    return 1;
  }
}

/** The disk usage of a folder, in megabytes. */
function megabytes(path: string): number {
  const size = (at: string): number => {
    const stat = lstatSync(at);
    const own = stat.blocks * 512;
    return stat.isDirectory() ? readdirSync(at).reduce((sum, name) => sum + size(join(at, name)), own) : own;
  };
  return size(path) / 2 ** 20;
}

/** Files that are loaded with one of the build, without those that it loads only when asked to. */
function loadedWith(dist: string, file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(dist, file), 'utf8');
  for (const [, next = ''] of text.matchAll(/(?:from|import) "\.\/([^"]+)"/g)) loadedWith(dist, next, seen);
  return seen;
}

/** Sources of the simulation and of the local chain among what `serve` loads: the build names each in a comment. */
function developmentParts(dist: string): number {
  const serve = readdirSync(dist).find((name) => /^serve-.*\.js$/.test(name)) ?? '';
  const text = [...loadedWith(dist, serve)].map((file) => readFileSync(join(dist, file), 'utf8')).join('\n');
  return [...text.matchAll(/^\/\/ (?:packages\/sim|src\/pay\/sandbox)\//gm)].length;
}

/** CPU seconds of the process that listens on a port, by its command line. */
function cpuOf(port: number): number {
  const pid = readdirSync('/proc').find((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    const [program = '', ...args] = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
    return (
      program.endsWith('node') &&
      !args.includes('npx') &&
      args.includes('serve') &&
      args.includes(String(port))
    );
  });
  return cpuSeconds(pid ?? '');
}

/** Serves with npx until the health page answers; returns CPU time and the number of lines about history. */
async function serve(cwd: string): Promise<{ cpu: number; lines: number; stopMs: number }> {
  const port = await freePort(HOST);
  const bases = JSON.stringify({ nado: { rest: `http://${HOST}:9`, ws: `ws://${HOST}:9` } });
  const [program, ...args] = [
    ...NPX,
    'serve',
    '--port',
    String(port),
    '--venues',
    'nado',
    '--venue-bases',
    bases,
  ];
  const child = spawn(program ?? '', args, { cwd, stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const answers = () =>
    fetch(`http://${HOST}:${port}/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`serve ended: ${said}`);
    await wait(20);
  }
  const cpu = cpuOf(port);
  const began = Date.now();
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  while (await answers()) await wait(20);
  const lines = said.split('\n').filter((line) => line.includes('history is off')).length;
  return { cpu, lines, stopMs: Date.now() - began };
}

/** Runs the demo with npx, asks for what is sold, stops it. */
async function demonstrate(cwd: string): Promise<{ ready: number; served: boolean; said: string }> {
  const demo = await startDemo('0', { command: [...NPX, 'demo'], cwd });
  let answer = '';
  try {
    // Where nothing is charged this asks, and gets.
    answer = run(NPX[0], [...NPX.slice(1), 'buy', '/v1/funding/current?symbol=BTC'], cwd);
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
  }
  const { left } = await stopDemo(demo);
  if (left.length > 0) console.error(`left: ${left.join(', ')}`);
  return { ready: demo.readyMs, served: answer.includes('"rates"') && left.length === 0, said: demo.said };
}

/** Packs a package of this checkout; the name of its file. */
const packed = (cwd?: string): string =>
  join(
    folder,
    run('npm', ['pack', '--silent', '--pack-destination', folder], cwd).trim().split('\n').at(-1) ?? '',
  );

const tarball = packed();
const client = packed('packages/client');
const home = mkdtempSync(join(folder, 'home-'));
writeFileSync(join(home, 'package.json'), '{"name":"home","private":true}');
const install = (...packages: readonly string[]) =>
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], home);
const optional = (name: string): string => `${name}@${pkg.devDependencies[name]}`;

/** True if the client works as its user gets it, with nothing else installed. */
function clientAnswers(): boolean {
  const alone = mkdtempSync(join(folder, 'client-'));
  writeFileSync(join(alone, 'package.json'), '{"name":"alone","private":true,"type":"module"}');
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', client], alone);
  const program = `import { createClient } from '@perpmeter/client';
    import { fileStore } from '@perpmeter/client/file-store';
    const client = createClient({ baseUrl: 'http://${HOST}:9', retries: 0 });
    const { problem } = await client.health();
    console.log(problem.code, (await fileStore('payments').load()).length);`;
  return run('node', ['--input-type=module', '-e', program], alone) === 'unreachable 0\n';
}

install(tarball);
const size = megabytes(join(home, 'node_modules'));
const parts = developmentParts(join(home, 'node_modules/perpmeter/dist'));
const load = loadingCpu();
const served = await serve(home);
const loads = served.cpu / ((load + loadingCpu()) / 2);
const lean = await demonstrate(home);
install(optional('chdb'), optional('@foundry-rs/anvil'));
const full = await demonstrate(home);

const atMost = (name: string, value: number, bar: number): Measured => ({ name, value, sign: '<=', bar });
const exactly = (name: string, isSo: boolean): Measured => ({
  name,
  value: isSo ? 1 : 0,
  sign: '>=',
  bar: 1,
});
const missed = printBars([
  atMost('publint', complaints('publint', ['run', tarball, '--strict']), 0),
  atMost('attw', complaints('attw', [tarball]), 0),
  atMost('publint, client', complaints('publint', ['run', client, '--strict']), 0),
  atMost('attw, client', complaints('attw', [client, '--profile', 'esm-only']), 0),
  exactly('client: answers, installed alone', clientAnswers()),
  atMost('installed without the optional packages, MB', size, INSTALL_MB),
  atMost('development parts that serve loads', parts, 0),
  atMost('serve: CPU until it answers, loads of viem', loads, LISTEN_LOADS),
  atMost('serve: stopped by SIGTERM to npx in, ms', served.stopMs, STOP_MS),
  exactly('serve: says once that history is off', served.lines === 1),
  exactly('demo, lean: serves, and leaves nothing', lean.served),
  exactly(
    'demo, lean: names what is missing',
    /chain is not installed[\s\S]*engine is not installed/.test(lean.said),
  ),
  exactly('demo, with chdb and anvil: sells, leaves nothing', full.served),
  exactly('demo, with chdb and anvil: nothing is missing', !/is not installed/.test(full.said)),
]);
console.log(
  `check pack: ${size.toFixed(0)} MB installed, ${served.cpu.toFixed(2)} s of CPU until it answers, demo ready in ${lean.ready} and ${full.ready} ms, ${missed} bars missed`,
);
process.exit(missed === 0 ? 0 : 1);
