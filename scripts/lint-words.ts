/**
 * Holds comments, names of tests and a few turns of code to the rules of CONTRIBUTING.md. Reads every source file of the
 * projects, and says which files are of none; `--changed` reads only those that differ from the merge base with main. Prints the faults and ends with exit code 1
 * where there are any.
 */
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from './usage.ts';
import { readProjects } from './words/projects.ts';
import { sourceFaults } from './words/source-faults.ts';

answerHelp();

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PROJECTS = [
  'tsconfig.json',
  'web/tsconfig.json',
  'packages/client/tsconfig.build.json',
  'packages/client/recipes/tsconfig.json',
];
/** A part of other people's tools, compiled against what these generate. */
const FOREIGN = 'foreign/';
/** Written by a build. */
const GENERATED = new Set(['packages/client/src/routes.ts', 'packages/client/src/route-facts.ts']);

const { values, positionals } = parseArgs({
  options: { changed: { type: 'boolean' } },
  allowPositionals: true,
});

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

function changedFiles(): ReadonlySet<string> {
  const base = git('merge-base', 'HEAD', 'main').trim();
  const tracked = git('diff', '--name-only', '--diff-filter=d', base).split('\n');
  return new Set([...tracked, ...git('ls-files', '--others', '--exclude-standard').split('\n')]);
}

const changed = values.changed === true ? changedFiles() : undefined;
const unread = new Set(
  git('ls-files', '*.ts', '*.tsx')
    .split('\n')
    .filter((path) => path !== ''),
);
let files = 0;
let faults = 0;
readProjects(ROOT, PROJECTS, (path, file) => {
  unread.delete(path);
  if (GENERATED.has(path) || (changed !== undefined && !changed.has(path))) return;
  if (positionals.length > 0 && !positionals.some((start) => path.startsWith(start))) return;
  files++;
  for (const { line, text } of sourceFaults(file)) {
    faults++;
    console.log(`${path}:${line} ${text}`);
  }
});
for (const path of unread) {
  if (path.startsWith(FOREIGN)) continue;
  faults++;
  console.log(`${path}:1 of no project that is read`);
}
console.log(`${faults} faults of words in ${files} files`);
process.exitCode = faults > 0 ? 1 : 0;
