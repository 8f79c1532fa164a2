import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type DemoPids, readDemoPids } from '../../src/host/process/demo-file.ts';
import { until } from '../until.ts';
import { runCli, scratchFolder, startCli } from './run-cli.ts';

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const pidsIn = (folder: string): DemoPids => readDemoPids(join(folder, 'var/demo.json'));

/** Starts a demo; resolves when its service and its simulation are processes, long before it is ready. */
async function startDemo(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ demo: ChildProcess; pids: Required<DemoPids> }> {
  const demo = startCli(['demo', '--port', '0'], folder, env);
  running.push(demo);
  await until(
    () => expect(pidsIn(folder)).toMatchObject({ demo: demo.pid, service: expect.any(Number) }),
    50,
  );
  return { demo, pids: pidsIn(folder) as Required<DemoPids> };
}

const untilGone = (pids: DemoPids) => until(() => expect(Object.values(pids).filter(isAlive)).toEqual([]));

describe('a demo', () => {
  it('that was killed does not prevent the next from starting in its folder', async () => {
    const folder = scratchFolder();
    const { demo: killed, pids } = await startDemo(folder);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(existsSync(join(folder, 'var/demo.json'))).toBe(true);
    const next = await startDemo(folder);
    await untilGone(pids);
    next.demo.kill('SIGHUP');
    expect((await once(next.demo, 'exit'))[0]).toBe(0);
    await untilGone(next.pids);
    expect(existsSync(join(folder, 'var/demo.json'))).toBe(false);
  });

  it('that is killed ends its child processes', async () => {
    const { demo, pids } = await startDemo(scratchFolder());
    demo.kill('SIGKILL');
    await untilGone(pids);
  });

  it('stores of an operator in the environment: named once, not used', async () => {
    const { demo, pids } = await startDemo(scratchFolder(), {
      CLICKHOUSE_URL: 'http://user:secret@127.0.0.1:9',
      PERPMETER_LEDGER_URL: 'postgres://user:secret@127.0.0.1:9/perpmeter',
      NATS_URL: 'nats://user:secret@127.0.0.1:9',
    });
    if (existsSync('/proc/self/environ')) {
      const environment = () => readFileSync(`/proc/${pids.service}/environ`, 'utf8');
      await until(() => expect(environment()).toContain('PERPMETER_DATA=simulated'));
      expect(environment()).not.toContain('secret');
    }
    demo.kill('SIGINT');
    const said = demo.stderr === null ? '' : await text(demo.stderr);
    expect(said.match(/ignores .*?:/g)).toEqual(['ignores NATS_URL, CLICKHOUSE_URL, PERPMETER_LEDGER_URL:']);
    expect(said).not.toContain('secret');
    await untilGone(pids);
  });

  it('says what it waits for while it starts', async () => {
    const { demo, pids } = await startDemo(scratchFolder());
    let said = '';
    for await (const part of demo.stderr ?? []) {
      said += String(part);
      if (said.includes('waits for')) break;
    }
    expect(said).toMatch(/^starting, \d+\.\d s: waits for the simulated venues and the local chain$/m);
    demo.kill('SIGINT');
    await untilGone(pids);
  });

  it('the folder of another: does not start, and names the process', async () => {
    const folder = scratchFolder();
    const { demo, pids } = await startDemo(folder);
    const second = await runCli(['demo', '--port', '0'], { cwd: folder });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`a demo runs in this folder already (process ${demo.pid})`);
    expect(pidsIn(folder)).toEqual(pids);
    demo.kill('SIGINT');
    expect((await once(demo, 'exit'))[0]).toBe(0);
    await untilGone(pids);
  });

  it('names the process that holds its port, and releases its folder', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const folder = scratchFolder();
    const run = await runCli(['demo', '--port', String(port)], { cwd: folder });
    taken.close();
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`127.0.0.1:${port} is in use by process ${process.pid} (`);
    expect(existsSync(join(folder, 'var/demo.json'))).toBe(false);
  });
});
