import { appendFileSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AuditLog } from '../../src/modules/operator/audit-log.ts';
import type { AuditEntry } from '../../src/modules/operator/schemas/records.ts';
import { scratchFolder } from './run-cli.ts';

const CUT = '{"at":"2026-10-20T13:2';

const entryOf = (request: string): AuditEntry => ({
  at: '2026-10-20T13:20:00Z',
  request,
  action: 'merge',
  detail: 'MATIC -> POL',
  reason: 'renamed',
});
const requestsOf = (log: AuditLog): readonly string[] => log.latest().map(({ request }) => request);

it('an entry after a line cut short: read at the next start, once', async () => {
  const folder = scratchFolder();
  const first = new AuditLog(folder);
  await first.once('one', () => entryOf('one'));
  appendFileSync(first.path, CUT);
  await new AuditLog(folder).once('two', () => entryOf('two'));
  const after = new AuditLog(folder);
  expect(requestsOf(after)).toEqual(['two', 'one']);
  let runs = 0;
  await after.once('two', () => {
    runs += 1;
    return entryOf('two');
  });
  expect(runs).toBe(0);
});

it('an entry after one partly written: read at the next start', async () => {
  const folder = scratchFolder();
  const log = new AuditLog(folder);
  // Stands for a full disk: the append fails, and part of the line is there.
  mkdirSync(log.path);
  await expect(log.once('one', () => entryOf('one'))).rejects.toThrow('EISDIR');
  rmdirSync(log.path);
  writeFileSync(log.path, CUT);
  await log.once('two', () => entryOf('two'));
  await log.once('three', () => entryOf('three'));
  expect(requestsOf(new AuditLog(folder))).toEqual(['three', 'two']);
});

it('entries after whole ones follow without an empty line', async () => {
  const folder = scratchFolder();
  await new AuditLog(folder).once('one', () => entryOf('one'));
  const log = new AuditLog(folder);
  await log.once('two', () => entryOf('two'));
  const lines = [entryOf('one'), entryOf('two')].map((entry) => `${JSON.stringify(entry)}\n`);
  expect(readFileSync(log.path, 'utf8')).toBe(lines.join(''));
});
