import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../scripts/tasks/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Readonly<Record<string, string>> };
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const hasTask = (script: string, task: string): boolean =>
  KINDS[script] === undefined || Object.hasOwn(KINDS[script].tasks, task);
/** What each release had keeps the names of its time. */
const current = pages.filter((page) => page !== 'CHANGELOG.md');

describe('the pages of the documentation', () => {
  it('tables of commands in CONTRIBUTING.md: what scripts/tasks has', () => {
    const args = ['--import', 'tsx', 'scripts/task-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' })).not.toThrow();
  });

  it.each(current)('name in %s no script that the project does not have', (page) => {
    const named = [...text(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*\w)(?: ([a-z]\w*))?/g)];
    const isKnown = ([, script = '', task]: RegExpMatchArray): boolean =>
      scripts[script] !== undefined && (task === undefined || hasTask(script, task));
    expect(named.filter((match) => !isKnown(match)).map(([command]) => command)).toEqual([]);
  });

  it.each(pages)('link in %s to files that are there', (page) => {
    const links = [...text(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, path = '']) => path,
    );
    expect(links.filter((path) => !existsSync(join(ROOT, dirname(page), path)))).toEqual([]);
  });
});
