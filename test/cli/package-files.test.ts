import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { files } = JSON.parse(read('package.json')) as { files: readonly string[] };

it('the package has the pages at its root that its README links to', () => {
  const links = [...read('README.md').matchAll(/\]\((\w+\.md)(?:#[^)]*)?\)/g)].map(([, name = '']) => name);
  expect(links).toContain('ARCHITECTURE.md');
  expect(links.filter((name) => !files.includes(name))).toEqual([]);
});
