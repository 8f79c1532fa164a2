import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The start script builds what has changed: once, and not in a command whose words are read. */
const START = fileURLToPath(new URL('../../bin/perpmeter.cjs', import.meta.url));
execFileSync(process.execPath, [START, '--version'], { stdio: 'ignore' });
/** The build, as the start script runs it: to look for changes, or to translate the sources, would cost each start more. */
export const PROGRAM = fileURLToPath(new URL('../../dist/perpmeter.js', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder to run in: `var/` of one test is not another's. */
export function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'perpmeter-cli-'));
}

/** Starts the command line in a folder; none of this process's settings reach it. */
export function startCli(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH, HOME, UV_THREADPOOL_SIZE: '12', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end. */
export async function runCli(
  args: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<CliRun> {
  const child = startCli(args, options.cwd ?? scratchFolder(), options.env);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
  stdin.on('error', () => {});
  stdin.end(options.input ?? '');
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  return { code: code as number | null, stdout: out, stderr: err };
}
