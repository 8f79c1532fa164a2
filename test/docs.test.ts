import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Readonly<Record<string, string>> };
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** What each release had keeps the names of its time. */
const current = pages.filter((page) => page !== 'CHANGELOG.md');

describe('the pages of the documentation', () => {
  it('have every check, bench and soak in the table of the README', () => {
    const readme = text('README.md');
    const kinds = Object.keys(scripts).filter((name) => /^(?:check|bench|soak):/.test(name));
    expect(kinds.length).toBeGreaterThan(30);
    expect(kinds.filter((name) => !readme.includes(`\`npm run ${name}\``))).toEqual([]);
  });

  it.each(current)('name in %s no script that the project does not have', (page) => {
    const named = [...text(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*\w)(?!\w|:<)/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it.each(pages)('link in %s to files that are there', (page) => {
    const links = [...text(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, path = '']) => path,
    );
    expect(links.filter((path) => !existsSync(join(ROOT, dirname(page), path)))).toEqual([]);
  });
});
