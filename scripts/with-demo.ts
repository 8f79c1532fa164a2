/**
 * Starts the demo as a user does, runs a command beside it, stops it, and makes sure that nothing is left running.
 * Usage: tsx scripts/with-demo.ts [--port N] -- command args…
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { answerHelp } from './usage.ts';

const DEMO = 'var/demo.json';
const READY_MS = 60_000;
const STOP_MS = 5_000;

export interface RunningDemo {
  readonly process: ChildProcess;
  readonly readyMs: number;
  readonly pids: Readonly<Record<string, number>>;
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Resolves when the demo says that it is ready. */
export async function startDemo(port: string): Promise<RunningDemo> {
  rmSync(DEMO, { force: true });
  const began = Date.now();
  const child = spawn('npm', ['run', '--silent', 'demo', '--', '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('demo, ready in')) break;
  }
  clearTimeout(timer);
  if (!said.includes('demo, ready in')) throw new Error(`the demo did not become ready: ${said}`);
  const { pids } = JSON.parse(readFileSync(DEMO, 'utf8')) as { pids: Record<string, number> };
  return { process: child, readyMs: Date.now() - began, pids };
}

/** Stops the demo with a signal; returns how long it took and which of its processes are still there. */
export async function stopDemo(demo: RunningDemo): Promise<{ stopMs: number; left: string[] }> {
  const began = Date.now();
  process.kill(-(demo.process.pid ?? 0), 'SIGTERM');
  const left = () =>
    Object.entries(demo.pids)
      .filter(([, pid]) => alive(pid))
      .map(([name]) => name);
  while (left().length > 0 && Date.now() - began < STOP_MS) {
    await new Promise((next) => setTimeout(next, 20));
  }
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
