/**
 * Runs a task of scripts/tasks: `npm run bench <name> [-- arguments]`, and in the same way soak, check and docs. Without a
 * name it lists the tasks of the kind. Ends as the task ends; 2 where there is no task of that name.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestWords } from '../src/domain/nearest.ts';
import { KINDS } from './tasks/index.ts';
import type { Command, Task, Tasks } from './tasks/task.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const USAGE_EXIT = 2;

/** `text [page](path)` as `text page`. */
const plain = (help: string): string => help.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** All tasks of a kind, one a line. */
export function listTasks(kind: string, help: string, tasks: Tasks): string {
  const width = Math.max(...Object.keys(tasks).map((name) => name.length));
  const lines = Object.entries(tasks).map(([name, task]) => `  ${name.padEnd(width)}  ${plain(task.help)}`);
  return [`npm run ${kind} <name> [-- arguments]. ${help}.`, '', ...lines, ''].join('\n');
}

/** The task of a name, or a sentence that names the nearest. */
export function findTask(kind: string, name: string, tasks: Tasks): Task | string {
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (task !== undefined) return task;
  const [closest] = nearestWords(name, Object.keys(tasks), 1);
  return `npm run ${kind}: there is no ${name}; did you mean ${closest}? Without a name it lists all.\n`;
}

/** Runs one process to its end. Signals that end this process end that one; Ctrl-C reaches both by itself. */
async function run({ program, args, env }: Command, more: readonly string[]): Promise<number> {
  const child = spawn(program === 'node' ? process.execPath : program, [...args, ...more], {
    cwd: ROOT,
    env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`, ...env },
    stdio: 'inherit',
  });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  const ignore = (): void => {};
  process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', ignore);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', ignore);
  return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}

async function main([kind = '', name, ...given]: readonly string[]): Promise<number> {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known === undefined) {
    process.stderr.write(`run-task: ${Object.keys(KINDS).join(', ')}, not ${kind}\n`);
    return USAGE_EXIT;
  }
  if (name === undefined || name === '--help') {
    process.stdout.write(listTasks(kind, known.help, known.tasks));
    return 0;
  }
  const task = findTask(kind, name, known.tasks);
  if (typeof task === 'string') {
    process.stderr.write(task);
    return USAGE_EXIT;
  }
  for (const command of task.commands) {
    const code = await run(command, command === task.commands.at(-1) ? given : []);
    if (code !== 0) return code;
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
