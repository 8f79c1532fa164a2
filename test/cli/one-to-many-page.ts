import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PROGRAM, scratchFolder } from './run-cli.ts';

type Values = Readonly<Record<string, string>>;

/**
 * The page's instructions to operators, in its order: commands to be run, and settings of the processes of a
 * step.
 */
export function blocksOfPage(): readonly string[] {
  const page = readFileSync(fileURLToPath(new URL('../../docs/one-to-several.md', import.meta.url)), 'utf8');
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** Settings of each process of a block, as `NAME=$VALUE … perpmeter serve` says them, in the order of the lines. */
export function settingsIn(block: string | undefined, values: Values): readonly Values[] {
  const lines = (block ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, words] = /^\s*(.*?) perpmeter serve/.exec(line) ?? [];
    if (words === undefined) throw new Error(`the page has no process in "${line}"`);
    return Object.fromEntries(words.split(' ').map((word) => setting(word, values)));
  });
}

function setting(word: string, values: Values): readonly [string, string] {
  const [name = '', said = ''] = word.split('=');
  if (!said.startsWith('$')) return [name, said];
  const value = values[said.slice(1)];
  if (value === undefined) throw new Error(`the page names ${said}, of which nothing is known`);
  return [name, value];
}

/** Runs commands of the page with the build of this checkout. */
export async function runCommands(commands: string | undefined, env: Values) {
  if (commands === undefined) throw new Error('the page has no commands');
  const folder = scratchFolder();
  const program = join(folder, 'perpmeter');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(program, 0o755);
  const path = `${folder}:${process.env.PATH}`;
  const shell = spawn('sh', ['-c', commands], { cwd: folder, env: { ...env, PATH: path, HOME: folder } });
  const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  return { code: code as number | null, said: out + err };
}
