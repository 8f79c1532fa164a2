import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Timer } from '../../src/runtime/timer.ts';
import { ServiceProcess } from './paid-stream-process.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A process over a folder; `late` lets the time of all waits for it pass. */
async function start(blocked = false) {
  const folder = mkdtempSync(join(tmpdir(), 'paid-stream-process-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  if (blocked) writeFileSync(join(folder, 'file'), '');
  const waits = new Set<() => void>();
  const timer: Timer = (_, run) => {
    waits.add(run);
    return () => waits.delete(run);
  };
  const service = await ServiceProcess.start(blocked ? join(folder, 'file') : folder, 1, [], timer);
  closing.push(() => service.end('kill'));
  return { service, late: () => waits.forEach((run) => void run()) };
}

it('a service that ends while it starts: says so', async () => {
  const { service } = await start(true);
  await expect(service.listening()).rejects.toThrow('ended while it started, by 1');
});

it('a service that hangs: each wait for it says what was not answered', async () => {
  const { service, late } = await start();
  await service.listening();
  service.signal('SIGSTOP');
  const turn = expect(service.turn()).rejects.toThrow('did not answer a turn');
  const call = expect(service.call({ kind: 'meters', ids: [] })).rejects.toThrow('the call meters');
  late();
  await Promise.all([turn, call]);
  const ended = service.end('stop');
  late();
  await ended;
  expect(service.isGone).toBe(true);
});

it('a service that is killed in a turn: says so', async () => {
  const { service } = await start();
  await service.listening();
  service.signal('SIGSTOP');
  const turn = expect(service.turn()).rejects.toThrow('ended in a turn, by SIGKILL');
  await service.end('kill');
  await turn;
});
