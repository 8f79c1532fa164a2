/**
 * Starts the demo as a user does, runs a command beside it, stops it, and makes sure that nothing is left running.
 * Usage: tsx scripts/with-demo.ts [--port N] -- command args…
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { answerHelp } from './usage.ts';

const DEMO = 'var/demo.json';
const READY_MS = 75_000;
const STOP_MS = 10_000;
const BACKFILL_MS = 60_000;
const NPM_RUN = ['npm', 'run', '--silent', 'demo', '--'] as const;

export interface RunningDemo {
  /** The started process: npm, or another program that runs the demo. */
  readonly process: ChildProcess;
  readonly readyMs: number;
  readonly said: string;
  readonly pids: Readonly<Record<string, number>>;
}

/**
 * A way of stopping a demo: a signal to npm alone, to all processes of the terminal, or to the demo's own
 * process.
 */
export type Stop = readonly [signal: NodeJS.Signals, to: 'npm' | 'terminal' | 'demo'];

/** True if a process runs; one that only waits for its parent to read its exit code does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves when the demo says that it is ready. */
export async function startDemo(
  port: string,
  { command = NPM_RUN, cwd = '.' }: { readonly command?: readonly string[]; readonly cwd?: string } = {},
): Promise<RunningDemo> {
  const began = Date.now();
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, '--port', port], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), READY_MS);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  while (!said.includes('Ctrl-C stops everything') && child.exitCode === null && child.signalCode === null) {
    await wait(20);
  }
  clearTimeout(timer);
  if (!said.includes('demo, ready in')) throw new Error(`the demo did not become ready: ${said}`);
  const { pids } = JSON.parse(readFileSync(join(cwd, DEMO), 'utf8')) as { pids: Record<string, number> };
  return { process: child, readyMs: Date.now() - began, said, pids };
}

/** Waits for the history, that of the priority assets or all of it, so that every route has something to sell; no longer than a limit. */
export async function untilBackfilled(
  cwd = '.',
  of: 'backfill_majors_pct' | 'backfill_pct' = 'backfill_majors_pct',
  limitMs = BACKFILL_MS,
): Promise<void> {
  const { base_url: base } = JSON.parse(readFileSync(join(cwd, DEMO), 'utf8')) as { base_url: string };
  for (const until = Date.now() + limitMs; Date.now() < until; await wait(100)) {
    const { store } = (await (await fetch(`${base}/v1/health`)).json()) as {
      store: { ok: boolean | null } & Readonly<Record<typeof of, number | null>>;
    };
    if (store.ok === null || store[of] === 100) return;
  }
}

/** Stops the demo; returns how long it took and which of its processes are still there. */
export async function stopDemo(
  demo: RunningDemo,
  [signal, to]: Stop = ['SIGTERM', 'npm'],
): Promise<{ stopMs: number; left: string[] }> {
  const began = Date.now();
  const npm = demo.process.pid ?? 0;
  process.kill({ npm, terminal: -npm, demo: demo.pids.demo ?? npm }[to], signal);
  const left = () =>
    Object.entries({ npm, ...demo.pids })
      .filter(([, pid]) => isAlive(pid))
      .map(([name]) => name);
  while (left().length > 0 && Date.now() - began < STOP_MS) await wait(20);
  return { stopMs: Date.now() - began, left: left() };
}

async function main(args: readonly string[]): Promise<number> {
  const split = args.indexOf('--');
  const [command, ...rest] = args.slice(split + 1);
  if (split < 0 || command === undefined) {
    process.stderr.write('usage: with-demo [--port N] -- command args…\n');
    return 2;
  }
  const port = args[args.indexOf('--port') + 1] ?? '0';
  const demo = await startDemo(args.includes('--port') ? port : '0');
  await untilBackfilled();
  const child = spawn(command, rest, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  const { stopMs, left } = await stopDemo(demo);
  process.stdout.write(`demo: ready in ${demo.readyMs} ms, stopped in ${stopMs} ms\n`);
  if (left.length > 0) process.stderr.write(`still running after the stop: ${left.join(', ')}\n`);
  return code === 0 && left.length === 0 ? 0 : 1;
}

if (process.argv[1]?.endsWith('with-demo.ts') === true) {
  answerHelp();
  process.exit(await main(process.argv.slice(2)));
}
