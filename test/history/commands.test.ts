import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NEWEST_HISTORY } from '../../src/history/migrate.ts';
import { runCli, scratchFolder } from '../cli/run-cli.ts';

const ENV = { UV_THREADPOOL_SIZE: '12' };

it('history backup, restore --verify, check: on an embedded engine', async () => {
  const folder = scratchFolder();
  const backup = join(folder, 'backup');
  const run = (...args: readonly string[]) => runCli(['history', ...args], { cwd: folder, env: ENV });
  const made = await run('backup', backup, '--data-dir', 'one');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('0 rows in 0 files');
  const restored = await run('restore', backup, '--verify', '--data-dir', 'two');
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain('verified: all 0 rows');
  const checked = await run('check', '--json', '--data-dir', 'two');
  expect(JSON.parse(checked.stdout)).toEqual({ version: NEWEST_HISTORY, days: [], gaps: [] });
  const refused = await run('backup', backup, '--data-dir', 'one');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('is not empty');
});

it('an operator notes a correction after seeing it, lists it and undoes it', async () => {
  const folder = scratchFolder();
  const run = (...args: readonly string[]) =>
    runCli(['history', ...args, '--data-dir', 'one'], { cwd: folder, env: ENV });
  const listed = async (): Promise<unknown> => JSON.parse((await run('corrections', '--json')).stdout);
  const span = ['--from', '2026-01-02T00:00:00Z', '--before', '2026-01-03T04:05:06Z'];
  const terms = ['--venue', 'hyperliquid-*', '--metric', 'open_interest', ...span, '--reason', "it's twice"];
  const shown = await run('correct', 'one', ...terms, '--factor', '0.5');
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is noted yet') });
  expect(await listed()).toEqual([]);

  expect(await run('correct', 'one', ...terms, '--factor', '0.5', '--yes')).toMatchObject({ code: 0 });
  const noted = {
    id: 'one',
    revision: 1,
    venue: 'hyperliquid-*',
    metric: 'open_interest',
    factor: 0.5,
    from: Date.UTC(2026, 0, 2),
    before: Date.UTC(2026, 0, 3, 4, 5, 6),
    knownAt: expect.any(Number),
    reason: "it's twice",
  };
  expect(await listed()).toEqual([noted]);
  expect((await run('correct', 'one', ...terms, '--withdraw', '--yes')).stderr).toContain('take another id');

  const undo = ['correct', 'one', '--undo', '--reason', 'it was right', '--yes'];
  expect(await run(...undo)).toMatchObject({ code: 0 });
  expect(await listed()).toMatchObject([noted, { ...noted, revision: 2, factor: 1, reason: 'it was right' }]);
  expect((await run('corrections')).stdout).toMatch(/undone .*twice\n.*undoes it .*right/s);
  expect(await run(...undo)).toMatchObject({ code: 1, stderr: expect.stringContaining('undone already') });
});

it('each history command says what it does', async () => {
  for (const command of ['check', 'corrections', 'correct', 'backup', 'restore']) {
    const help = await runCli(['history', command, '--help']);
    expect(help.stdout).toContain('--clickhouse-url');
  }
});
