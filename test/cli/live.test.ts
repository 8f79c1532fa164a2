import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/host/process/free-port.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { until } from '../until.ts';
import { PROGRAM, runCli, scratchFolder, startCli } from './run-cli.ts';

/** Every venue at an address that refuses connections. */
async function nowhere(): Promise<string> {
  const port = await freePort('127.0.0.1');
  const bases = VENUES.map(({ id, bases: own }) => [
    id,
    Object.fromEntries(
      Object.entries(own).map(([name, base]) => [
        name,
        `${base.startsWith('ws') ? 'ws' : 'http'}://127.0.0.1:${port}`,
      ]),
    ),
  ]);
  return JSON.stringify(Object.fromEntries(bases));
}

describe('a service that reaches no venue', () => {
  it('starts with a warning, sells nothing, and stops on a signal', async () => {
    const port = await freePort('127.0.0.1');
    const base = `http://127.0.0.1:${port}`;
    const service = startCli(['serve', '--port', String(port), '--log-level', 'warn'], scratchFolder(), {
      PERPMETER_VENUE_BASES: await nowhere(),
    });
    let log = '';
    service.stderr?.on('data', (chunk) => {
      log += String(chunk);
    });
    const health = async () =>
      (await (await fetch(`${base}/v1/health`)).json()) as { venues: { live: number; down: number } };
    try {
      await until(async () => expect((await health()).venues.down).toBe(VENUES.length), 100);
      expect(await health()).toMatchObject({
        status: 'degraded',
        data: 'live',
        rows: 0,
        venues: { live: 0 },
      });
      await until(async () => {
        const venues = (await (await fetch(`${base}/v1/venues/health`)).json()) as {
          last_error: string | null;
        }[];
        expect(venues.filter(({ last_error }) => last_error === null)).toEqual([]);
      }, 200);
      const answer = await fetch(`${base}/v1/funding/current?symbol=BTC`);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(log).not.toMatch(/unhandled/i);
    } finally {
      service.kill('SIGTERM');
    }
    expect((await once(service, 'exit'))[0]).toBe(0);
  });

  it('no history engine: starts, tells how to get it, sells none', async () => {
    const hook = fileURLToPath(new URL('./no-chdb-hook.mjs', import.meta.url));
    const port = await freePort('127.0.0.1');
    const service = startCli(['serve', '--port', String(port), '--log-level', 'warn'], scratchFolder(), {
      PERPMETER_VENUE_BASES: await nowhere(),
      NODE_OPTIONS: `--import=${hook}`,
    });
    let log = '';
    service.stderr?.on('data', (chunk) => {
      log += String(chunk);
    });
    const ask = async (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    try {
      await until(async () => expect((await ask('/v1/health')).status).toBe(200), 100);
      expect(await (await ask('/v1/health')).json()).toMatchObject({ store: { ok: null } });
      expect((await ask('/v1/funding/historical')).status).toBe(404);
      const lines = () => log.split('\n').filter((line) => line.includes('history is off'));
      await until(() => expect(lines()).toHaveLength(1));
      expect(lines()[0]).toMatch(/npm install chdb, or set CLICKHOUSE_URL/);
    } finally {
      service.kill('SIGTERM');
    }
    expect((await once(service, 'exit'))[0]).toBe(0);
  });

  it('a shutdown notice: announced, and it answers on meanwhile', async () => {
    const port = await freePort('127.0.0.1');
    const ports = ['--port', String(port), '--admin-port', '0'];
    const notice = ['--shutdown-notice-seconds', '60', '--venues', 'nado', '--history', 'off'];
    const service = startCli(['serve', ...ports, ...notice], scratchFolder(), {
      PERPMETER_VENUE_BASES: await nowhere(),
    });
    let log = '';
    service.stderr?.on('data', (chunk) => {
      log += String(chunk);
    });
    const admin = (): string => /"admin":"(http:[^"]+)".*"listening"/.exec(log)?.[1] ?? '';
    const health = async () => (await fetch(`http://127.0.0.1:${port}/v1/health`)).json();
    const ready = async () => (await fetch(`${admin()}/readyz`)).text();
    try {
      await until(async () => expect(await ready()).toBe('no venue is live yet\n'), 100);
      expect(await health()).toMatchObject({ stopping: false });
      service.kill('SIGTERM');
      await until(
        async () => expect(await health()).toMatchObject({ stopping: true, status: 'degraded' }),
        100,
      );
      expect(await ready()).toBe('the service is about to end\n');
    } finally {
      service.kill('SIGKILL');
    }
  });

  it('ends when the shell ends under which npm runs it', async () => {
    const port = await freePort('127.0.0.1');
    const { PATH = '' } = process.env;
    const command = [process.execPath, PROGRAM, 'serve', '--venues', 'nado'];
    const shell = spawn('/bin/sh', ['-c', '"$0" "$@"; exit', ...command, '--port', String(port)], {
      cwd: scratchFolder(),
      env: { PATH, npm_command: 'exec', PERPMETER_VENUE_BASES: await nowhere(), PERPMETER_HISTORY: 'off' },
      stdio: 'ignore',
    });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/v1/health`).then(
        () => true,
        () => false,
      );
    await until(async () => expect(await answers()).toBe(true), 100);
    shell.kill('SIGTERM');
    await until(async () => expect(await answers()).toBe(false), 100);
  });

  it.each(['--port', '--admin-port'])('names the process that holds its %s', async (flag) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const args = ['serve', '--port', '0', flag, String(port), '--venues', 'nado'];
    const run = await runCli(args);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`127.0.0.1:${port} is in use by process ${process.pid} (`);
    expect(run.stderr).toContain(`choose another with ${flag}`);
    taken.close();
  });

  it.each(['serve --port 0', 'demo --port 0', 'doctor'])(
    'the folder of the start is gone: ends with the reason: %s',
    async (command) => {
      const gone = 'rmdir "$PWD" && exec "$0" "$@"';
      const args = ['-c', gone, process.execPath, PROGRAM, ...command.split(' ')];
      const service = spawn('sh', args, { cwd: scratchFolder(), stdio: ['ignore', 'ignore', 'pipe'] });
      const said = text(service.stderr);
      expect((await once(service, 'exit'))[0]).toBe(2);
      expect(await said).toContain('perpmeter: the folder that it was started in is gone');
    },
  );

  it('ends where its admin port cannot be listened on after all', async () => {
    const port = String(await freePort('127.0.0.1'));
    const nowhere = JSON.stringify({ nado: { rest: 'http://127.0.0.1:9', ws: 'ws://127.0.0.1:9' } });
    const venues = ['--venues', 'nado', '--venue-bases', nowhere, '--history', 'off'];
    const run = await runCli(['serve', '--port', port, '--admin-port', port, ...venues]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`--admin-port ${port}: `);
  });
});
