import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'perpmeter-venue-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of listed.split('\n').filter((name) => name !== '' && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, path), join(copy, path));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: copy });
});

afterAll(() => rmSync(copy, { recursive: true }));

function venue(...args: readonly string[]) {
  const node = ['--import', 'tsx', 'scripts/venue.ts', ...args];
  return spawnSync(process.execPath, node, { cwd: copy, encoding: 'utf8' });
}

it('a venue of the template: passes the checks, one read wrong fails them', () => {
  const made = venue('new', 'acme', '--kind', 'dex', '--name', 'Acme Perps');
  expect(made.status, made.stderr).toBe(0);
  expect(venue('new', 'acme')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is a venue already'),
  });

  const checked = venue('check', 'acme', '--only', '2,3,4,9,10');
  expect(checked.stdout).toContain("missing: src/venues/acme/VENUE.md is still the template's");
  expect(checked.stdout).toMatch(/ 2\. numbered checks: ok, \d+ tests/);
  expect(checked.stdout).toContain('10. what keeps connections alive: not needed, no stream');
  expect(checked.stdout).toContain('3 missing, 0 of 5 checks failed');

  const wire = join(copy, 'src/venues/acme/wire.ts');
  const text = readFileSync(wire, 'utf8');
  writeFileSync(wire, text.replace("ms('nextFundingTime')", "ms('nextFundingTime', 1000)"));
  expect(readFileSync(wire, 'utf8')).not.toBe(text);
  const wrong = venue('check', 'acme', '--only', '2');
  expect(wrong.status).toBe(1);
  expect(wrong.stdout).toMatch(/ 2\. numbered checks: FAILED[\s\S]*next funding/);
});
