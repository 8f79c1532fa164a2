import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../scripts/tasks/index.ts';
import { MODULES } from '../src/modules/list.ts';
import { modulePages } from './module-pages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Readonly<Record<string, string>> };
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'bench/results')).map((name) => `bench/results/${name}`),
  ...modulePages().map((page) => relative(ROOT, fileURLToPath(page))),
];
const guides = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/index.md');
/** The figures of a day are as long as they are. */
const limited = pages.filter((page) => !page.startsWith('bench/'));
/** Parts that a script writes, and pages that one writes as a whole. */
const GENERATED = /<!-- by npm run [\s\S]*?<!-- end -->|^# .*\n\nWritten by `npm run[\s\S]*/g;
const MAX_PAGE_BYTES = 8192;
const hasTask = (script: string, task: string): boolean =>
  KINDS[script] === undefined || Object.hasOwn(KINDS[script].tasks, task);
/** The entries of past releases keep the names of their time. */
const current = pages.filter((page) => page !== 'CHANGELOG.md');

/** GitHub's anchor of a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const headingsOf = (page: string): ReadonlySet<string> =>
  new Set([...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading)));

describe('the pages of the documentation', () => {
  it('tables of commands in CONTRIBUTING.md: what scripts/tasks has', () => {
    const args = ['--import', 'tsx', 'scripts/task-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' })).not.toThrow();
  });

  it.each(current)('name in %s no script that the project does not have', (page) => {
    const named = [...text(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*\w)(?: ([a-z][\w-]*))?/g)];
    const isKnown = ([, script = '', task]: RegExpMatchArray): boolean =>
      scripts[script] !== undefined && (task === undefined || hasTask(script, task));
    expect(named.filter((match) => !isKnown(match)).map(([command]) => command)).toEqual([]);
  });

  it('modules in ARCHITECTURE.md: those of the list', () => {
    const named = [...text('ARCHITECTURE.md').matchAll(/^\| `([a-z0-9-]+)\/` \|/gm)].map(([, id = '']) => id);
    const ids = MODULES.map(({ id }) => id);
    expect(named.filter((id) => existsSync(join(ROOT, 'src/modules', id))).sort()).toEqual(ids.sort());
  });

  it('each is in the index by its reader, once', () => {
    const links = [...text('docs/index.md').matchAll(/\]\(([a-z/-]+\.md)\)/g)].map(
      ([, name]) => `docs/${name}`,
    );
    expect(links.sort()).toEqual(guides.sort());
  });

  it.each(limited)('%s: at most 8 kB beside what scripts write', (page) => {
    expect(Buffer.byteLength(text(page).replace(GENERATED, ''))).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  });

  it.each(pages)('tables in %s: each has a head', (page) => {
    const lines = text(page).split('\n');
    const isRow = (line = ''): boolean => /^ *\|/.test(line);
    const first = lines.flatMap((line, i) => (isRow(line) && !isRow(lines[i - 1]) ? [i] : []));
    const headless = first.filter((i) => !/^ *\|[\s:|-]+\|$/.test(lines[i + 1] ?? ''));
    expect(headless.map((i) => `${i + 1}: ${lines[i]}`)).toEqual([]);
  });

  it.each(pages)('link in %s to files that are there', (page) => {
    const links = [...text(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, path = '']) => path,
    );
    expect(links.filter((path) => !existsSync(join(ROOT, dirname(page), path)))).toEqual([]);
  });

  it.each(current)('link in %s to headings that are there', (page) => {
    const links = [...text(page).matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)];
    const isThere = ([, path, heading = '']: RegExpMatchArray): boolean =>
      headingsOf(path === undefined ? page : join(dirname(page), path)).has(heading);
    expect(links.filter((link) => !isThere(link)).map(([link]) => link)).toEqual([]);
  });
});
