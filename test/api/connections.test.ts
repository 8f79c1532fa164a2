import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ConnectionGate, connectionLimits } from '../../src/api/http/connection-gate.ts';
import { HttpServer } from '../../src/api/http/http-server.ts';
import { RequestTally } from '../../src/api/http/request-tally.ts';
import { readTrustProxy } from '../../src/api/request/address.ts';
import { until } from '../until.ts';
import { openSocket, start, useExample } from './started-example.ts';

useExample();

const portOf = (base: string): number => Number(new URL(base).port);

/** Connections from one address of this machine that send nothing. */
async function idle(base: string, count: number, localAddress = '127.0.0.1'): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port: portOf(base), host: '127.0.0.1', localAddress }).on('error', () => {}),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** Status and body of a request on a connection of its own. */
async function ask(base: string, localAddress: string): Promise<readonly [number | undefined, string]> {
  const sent = request(`${base}/v1/health`, { localAddress, agent: false }).end();
  const [response] = await once(sent, 'response');
  return [response.statusCode, await text(response)];
}

it('an address with its share of connections: a 503, and others are served', async () => {
  const [example, base] = await start({ connectionLimits: { total: 8, perAddress: 2 } });
  const held = await idle(base, 2);
  await until(async () => expect(await example.api.activity.connections()).toBe(2));
  const [status, body] = await ask(base, '127.0.0.1');
  expect([status, JSON.parse(body).code]).toEqual([503, 'too_many_connections']);
  expect((await ask(base, '127.0.0.2'))[0]).toBe(200);
  for (const socket of held) socket.destroy();
  await until(async () => expect((await ask(base, '127.0.0.1'))[0]).toBe(200));
  expect(example.api.activity.refusedConnections.address).toBeGreaterThanOrEqual(1);
});

it('all places taken: a 503 from any address', async () => {
  const [example, base] = await start({ connectionLimits: { total: 2, perAddress: 2 } });
  const held = await idle(base, 2);
  await until(async () => expect(await example.api.activity.connections()).toBe(2));
  expect((await ask(base, '127.0.0.3'))[0]).toBe(503);
  expect(example.api.activity.refusedConnections).toEqual({ total: 1, address: 0 });
  for (const socket of held) socket.destroy();
});

it('a trusted proxy: its connections are limited in all alone', async () => {
  const trustProxy = readTrustProxy('127.0.0.1');
  const limits = { total: 8, perAddress: 1 };
  const [example, base] = await start({ connectionLimits: limits, ...(trustProxy && { trustProxy }) });
  const held = await idle(base, 4);
  await until(async () => expect(await example.api.activity.connections()).toBe(4));
  expect((await ask(base, '127.0.0.1'))[0]).toBe(200);
  for (const socket of held) socket.destroy();
});

it('the last place taken: an idle answered connection ends', async () => {
  const [, base] = await start({ connectionLimits: { total: 2, perAddress: 2 } });
  const answered = openSocket(base);
  answered.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(answered, 'data');
  const ended = once(answered, 'close');
  const held = await idle(base, 1);
  await ended;
  await until(async () => expect((await ask(base, '127.0.0.1'))[0]).toBe(200));
  for (const socket of held) socket.destroy();
});

it.each([
  ['nothing', ''],
  ['half a head', 'GET /v1/health HTTP/1.1\r\nHost: x\r\n'],
])('%s is sent: a 408 once the time for a head is over', async (_, sent) => {
  const gate = new ConnectionGate(connectionLimits());
  const server = new HttpServer({
    handle: () => false,
    tally: new RequestTally([]),
    gate,
    headTimeoutMs: 200,
  });
  const socket = openSocket(`http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`);
  socket.write(sent);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  await server.close();
});
