import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('docs/books.md', () => {
  it('matches the adapters', () => {
    const args = ['--import', 'tsx', 'scripts/book-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });

  it('has a row for every venue', () => {
    const rows = readFileSync(`${root}/docs/books.md`, 'utf8').split('\n');
    for (const { id } of KNOWN_VENUES)
      expect(rows.filter((row) => row.startsWith(`| [${id}](`))).toHaveLength(1);
  });
});
