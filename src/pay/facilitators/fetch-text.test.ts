import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchText } from './fetch-text.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1000 };
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A server that answers each request with the next of these; with nothing where they are used up. */
async function serving(...answers: readonly string[]): Promise<{ origin: string; isOver: Promise<void> }> {
  const left = [...answers];
  let over: () => void = () => {};
  const isOver = new Promise<void>((resolve) => {
    over = resolve;
  });
  const server: Server = createServer((request, response) => {
    const next = left.shift();
    if (next === undefined) return;
    const name = request.url;
    response.writeHead(418, { 'content-type': 'text/plain' });
    response.end(`${name} ${next}`);
  });
  server.on('connection', (socket) => socket.once('close', () => over()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.closeAllConnections() ?? server.close() });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isOver };
}

function agent(options?: Agent.Options): Agent {
  const made = new Agent(options);
  open.push({ close: () => made.destroy() });
  return made;
}

describe('one request and its answer', () => {
  it('gives status and text, one after the other over one connection', async () => {
    const { origin } = await serving('one', 'two');
    const over = agent({ connections: 1 });
    const ask = (path: string) => fetchText(over, { origin, path, method: 'GET' }, LIMITS);
    expect(await Promise.all([ask('/a'), ask('/b')])).toEqual([
      { status: 418, text: '/a one' },
      { status: 418, text: '/b two' },
    ]);
  });

  it('an answer that is too long: refused, and read no further', async () => {
    const { origin } = await serving('x'.repeat(1_000_000), 'next');
    const over = agent({ connections: 1 });
    const ask = () => fetchText(over, { origin, path: '/', method: 'GET' }, LIMITS);
    expect(await ask()).toEqual({ status: 418, text: undefined });
    expect(await ask()).toEqual({ status: 418, text: '/ next' });
  });

  it('ends the request where no answer comes in time', async () => {
    const { origin, isOver } = await serving('one');
    const over = agent({ connections: 1 });
    // The connection is open then: on a busy machine the time may be over before another one is.
    await fetchText(over, { origin, path: '/', method: 'GET' }, LIMITS);
    const ended = fetchText(over, { origin, path: '/', method: 'GET' }, { ...LIMITS, timeoutMs: 50 });
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' });
    await isOver;
  });

  it('is never sent where its time was over while it waited for a connection', async () => {
    const { origin } = await serving('one', 'two');
    let connect: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const connector = buildConnector({});
    const over = agent({ connect: (options, done) => void held.then(() => connector(options, done)) });
    const ask = (path: string, timeoutMs: number) =>
      fetchText(over, { origin, path, method: 'GET' }, { ...LIMITS, timeoutMs });
    await expect(ask('/late', 20)).rejects.toMatchObject({ name: 'TimeoutError' });
    connect();
    expect(await ask('/next', 60_000)).toEqual({ status: 418, text: '/next one' });
  });

  it('rejects as undici does where nobody listens', async () => {
    const { origin } = await serving();
    for (const one of open.splice(0)) await one.close();
    const asked = fetchText(agent(), { origin, path: '/', method: 'GET' }, LIMITS);
    await expect(asked).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
