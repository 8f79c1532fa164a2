import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { runCli, scratchFolder, startCli } from './run-cli.ts';

const START = ['serve', '--port', '0', '--books-per-venue', '0', '--venues', 'binance'];
/** A venue that refuses every connection: nothing is asked of a real one. */
const NOWHERE = { VENUE_BASES: '{"binance":{"rest":"http://127.0.0.1:1","ws":"ws://127.0.0.1:1"}}' };

/** Starts a service in a folder of its own, waits until it listens, and ends it; what it logged. */
async function logOf(args: readonly string[], cwd: string): Promise<string> {
  const child = startCli([...START, ...args], cwd, NOWHERE);
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  const ended = once(child, 'exit');
  await until(() => expect(child.exitCode ?? log).toContain('"listening"'));
  child.kill('SIGTERM');
  await ended;
  return log;
}

function entriesOf(folder: string): readonly string[] {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
}

describe('data folder', () => {
  it("a service starts in an empty place: all that it keeps is its owner's", async () => {
    const cwd = scratchFolder();
    const before = process.umask(0o022);
    const log = await logOf([], cwd);
    process.umask(before);
    expect(log).toContain('"listening"');
    expect(log).not.toContain('other users of this machine');
    const entries = entriesOf(join(cwd, 'var'));
    const open = entries.filter((path) => (statSync(path).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(entries.length).toBeGreaterThan(3);
  });

  it('a folder that others may read: the log says what to do', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'own'));
    chmodSync(join(cwd, 'own'), 0o755);
    expect(await logOf(['--data-dir', 'own'], cwd)).toContain('(mode 0755): chmod -R go-rwx');
  });
});

it('a short ADMIN_TOKEN: the start is refused', async () => {
  const run = await runCli([...START, '--admin-port', '0', '--admin-token', 'x']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('ADMIN_TOKEN must have at least 16 characters');
});

describe('PRICES_FILE', () => {
  const started = (content: string) => {
    const file = join(scratchFolder(), 'prices.json');
    writeFileSync(file, content);
    return runCli([...START, '--prices-file', file]);
  };

  it.each([
    ['is missing', undefined, 'cannot be read as JSON'],
    ['is no JSON', '{', 'cannot be read as JSON'],
    ['states no changes', '{}', 'changelog must be a list'],
    [
      'rises by more than a quarter',
      '{"changelog":[{"effective":"2026-12-01T00:00:00Z","changes":[{"id":"perp-carry","usd":"0.007"}]}]}',
      'perp-carry rises to 0.007 USD, more than 25 %',
    ],
    [
      'names no route',
      '{"changelog":[{"effective":"2026-12-01T00:00:00Z","changes":[{"id":"nothing","usd":"0.007"}]}]}',
      'the changelog names nothing, which is not listed',
    ],
  ])('%s: the start is refused with the reason', async (_what, content, reason) => {
    const run = content === undefined ? runCli([...START, '--prices-file', 'none.json']) : started(content);
    expect(await run).toMatchObject({ code: 2, stderr: expect.stringContaining(`PRICES_FILE: `) });
    expect((await run).stderr).toContain(reason);
  });
});

it('a setting of a module that is off: the start is refused with a hint', async () => {
  const run = await runCli([...START, '--admin-actions', 'on']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(
    '--admin-actions (PERPMETER_ADMIN_ACTIONS) does nothing, since the module operator is off: --admin-port',
  );
});
