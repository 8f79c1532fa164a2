import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readTrustProxy } from '../../src/api/request/address.ts';
import { until } from '../until.ts';
import { start, useExample } from './started-example.ts';

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
