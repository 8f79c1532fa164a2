import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFolderInUse, markFolderInUse, noteMoved, refusalIfMoved } from '../../src/storage/folder-use.ts';
import { createOwner } from '../../src/storage/process-owner.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-use-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = (): Promise<void> => Promise.reject(new Error('nothing to listen for'));

/** Leaves the mark of another process. */
function mark(owner: string): string {
  mkdirSync(join(folder, 'running'), { recursive: true });
  const path = join(folder, 'running', 'one');
  writeFileSync(path, owner);
  return path;
}

it('is used from when a process says so until it takes it back', async () => {
  expect(await isFolderInUse(folder, never)).toBe(false);
  const first = markFolderInUse(folder);
  const second = markFolderInUse(folder);
  first();
  expect(await isFolderInUse(folder, never)).toBe(true);
  second();
  expect(await isFolderInUse(folder, never)).toBe(false);
});

it('is not used by a process that was killed', async () => {
  // Numbers of processes end below this one.
  mark(createOwner().replace(`/${process.pid}/`, '/99999999/'));
  expect(await isFolderInUse(folder, never)).toBe(false);
});

it('is used by a process of another container as long as it beats', async () => {
  const path = mark('elsewhere/boot/pid/7/abc');
  const beat = async (): Promise<void> => utimesSync(path, new Date(1), new Date(1));
  expect(await isFolderInUse(folder, beat)).toBe(true);
  expect(await isFolderInUse(folder, async () => {})).toBe(false);
});

it('says where its payments were carried to', () => {
  expect(refusalIfMoved(folder)).toBeUndefined();
  noteMoved(folder, 'db.internal:5432/perpmeter', 'LEDGER_URL');
  expect(refusalIfMoved(folder)).toContain('set LEDGER_URL');
});

it('a note of an earlier version, without a setting: refused by its file', () => {
  writeFileSync(join(folder, 'moved.json'), '{"moved_to":"db.internal:5432/perpmeter"}\n');
  expect(refusalIfMoved(folder)).toContain('moved.json says where): give this service that server');
});
