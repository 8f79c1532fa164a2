import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePurchases } from '../../src/host/free-purchase.ts';
import { StreamDesk } from '../../src/modules/paid-stream/desk.ts';
import { paidStream } from '../../src/modules/paid-stream/module.ts';
import { PAID_STREAMS, type PaidStreams } from '../../src/modules/paid-stream/port.ts';
import { streamMinute } from '../../src/modules/paid-stream/stream-minute.ts';
import { openStreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { readPorts } from '../../src/runtime/port.ts';
import { isOwnerGone } from '../../src/storage/process-owner.ts';
import { startSmall } from '../host/start-small.ts';
import { ends, farHosts } from './far-server.ts';
import { type StreamMarket, streamMarket, streamRig } from './stream-rig.ts';

const WORKER = new URL('./stream-worker.ts', import.meta.url);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stream-process-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The first line that a process prints. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}

/** The operator's port over a desk that grants. */
async function operatorOf(market: StreamMarket, granting: PaidStreams) {
  const health = { all: () => [], of: () => undefined };
  const faults: unknown[] = [];
  const handle = freePurchases({
    products: [streamMinute],
    port: PAID_STREAMS,
    granting,
    ports: { ...market.ports, health, readPort: readPorts() } as never,
    routes: ROUTES,
    report: ({ error }) => faults.push(error),
  });
  const server = createServer((request, response) => {
    if (!handle(request, response)) response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const ask = (path: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });
  return { ask, faults };
}

describe('a process that serves a stream', () => {
  it('killed in a minute: the next one finds it gone, and credits the minute', async () => {
    const folder = newFolder();
    const worker = spawn(process.execPath, ['--import', 'tsx', WORKER.pathname, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    closing.push(() => worker.kill('SIGKILL'));
    const id = await firstLine(worker);
    const store = openStreamStore(folder);
    closing.push(() => store.close());
    const { meter, servedBy } = store.find(id) ?? {};
    expect(meter).toMatchObject({ paid: 2, used: 1, credited: 0 });
    const now = (meter?.endsAt ?? 0) - 50_000;
    expect(store.recover('another', now, isOwnerGone)).toBe(0);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(isOwnerGone(servedBy ?? '')).toBe(true);
    expect(store.recover('another', now, isOwnerGone)).toBe(1);
    expect(store.find(id)?.meter).toMatchObject({ paid: 2, used: 1, credited: 1, endsAt: undefined });
  });
});

describe('a service with paid streams', () => {
  it('restarted: a stream keeps its minutes, for who has its secret', async () => {
    const dataDir = newFolder();
    const start = async (): Promise<{ base: string; stop: () => Promise<void> }> => {
      const started = await startSmall({ dataDir, modules: [paidStream] });
      if (!started.ok) throw new Error(started.errors.join('\n'));
      const { port, stop } = started.value;
      return { base: `http://127.0.0.1:${port}`, stop: () => stop() };
    };
    const first = await start();
    const bought = await fetch(`${first.base}/v1/stream/ten-minutes`);
    const { id, secret, selection } = (await bought.json()) as Record<string, string>;
    expect([bought.status, selection]).toEqual([200, { topics: ['funding'], uses: 10 }]);
    await first.stop();
    const second = await start();
    const state = await fetch(`${second.base}/v1/streams/${id}`, {
      headers: { 'Perpmeter-Secret': secret ?? '' },
    });
    expect(await state.json()).toMatchObject({ id, phase: 'idle', paid: 10, used: 0, left: 10, readers: 0 });
    await second.stop();
  });

  it('the operator: minutes cost nothing, and count at once', async () => {
    const market = streamMarket();
    market.list('binance', ['BTC']);
    market.quote('binance', { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
    market.pass(0);
    const rig = streamRig(market);
    closing.push(() => rig.close());
    const { ask, faults } = await operatorOf(market, rig.desk);
    const { id } = (await (await ask('/v1/stream/minute?symbol=BTC')).json()) as { id: string };
    expect(rig.record(id).meter.paid).toBe(1);
    expect((await ask(`/v1/stream/minute?extends=${id}`)).status).toBe(200);
    expect(rig.record(id).meter.paid).toBe(2);
    expect((await ask('/v1/stream/minute?topics=rates')).status).toBe(400);
    expect((await ask('/v1/stream/minute', 'POST')).status).toBe(404);
    expect(faults).toEqual([]);
  });

  it('the operator, and the server does not answer: 503, to be asked again', async () => {
    const far = farHosts();
    closing.push(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });
    const { tables, store } = await far.host('a');
    const granting = new StreamDesk({
      store,
      clock: far.market.clock,
      isCharging: false,
      readers: () => 0,
    });
    const { ask, faults } = await operatorOf(far.market, granting);
    tables.isAway = true;
    const answer = await ask('/v1/stream/minute?symbol=BTC');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'not_ready' });
    expect(faults).toEqual([]);
  });
});
