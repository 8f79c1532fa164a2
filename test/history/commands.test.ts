import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, scratchFolder } from '../cli/run-cli.ts';

const ENV = { UV_THREADPOOL_SIZE: '12' };

it('history backup, restore --verify and check run on the embedded engine of a data folder', async () => {
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
  expect(JSON.parse(checked.stdout)).toEqual({ days: [], gaps: [] });
  const refused = await run('backup', backup, '--data-dir', 'one');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('is not empty');
});

it('each history command says what it does', async () => {
  for (const command of ['check', 'backup', 'restore']) {
    const help = await runCli(['history', command, '--help']);
    expect(help.stdout).toContain('--clickhouse-url');
  }
});
