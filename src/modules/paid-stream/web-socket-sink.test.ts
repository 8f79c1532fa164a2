import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { until } from '../../../test/until.ts';
import { WebSocketDoor } from './web-socket-door.ts';
import type { WebSocketSink } from './web-socket-sink.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A sink, and its reader at the other end of a real connection. */
async function openSink() {
  const heard = { taken: 0, closed: 0 };
  const door = new WebSocketDoor();
  const server = createServer();
  const opened = new Promise<WebSocketSink>((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      door.take({ request, socket, head }, (_, sink) => {
        sink.begin({
          taken: () => {
            heard.taken += 1;
          },
          closed: () => {
            heard.closed += 1;
          },
        });
        resolve(sink);
        return undefined;
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reader = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    autoPong: true,
  });
  reader.on('error', () => {});
  closing.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => reader.terminate(),
  );
  const [sink] = await Promise.all([opened, once(reader, 'open')]);
  return { sink, reader, heard };
}

const DATA = JSON.stringify('x'.repeat(100_000));

it('a reader that takes nothing: one event at most waits, and no pong', async () => {
  const { sink, reader, heard } = await openSink();
  const numbers: number[] = [];
  reader.on('message', (message: Buffer) => numbers.push(Number(JSON.parse(message.toString()).id)));
  reader.pause();
  let sent = 0;
  await until(() => {
    while (sink.send('change', DATA, String(sent + 1))) sent += 1;
    sent += 1;
    expect(sink.waiting).toBeGreaterThan(0);
  });
  const { waiting, waitsSince } = sink;
  expect(waiting).toBeLessThan(2 * DATA.length);
  expect(waitsSince).toBeLessThanOrEqual(performance.now());
  for (let ping = 0; ping < 500; ping += 1) reader.ping('x'.repeat(120));
  reader.resume();
  await until(() => expect(numbers.length).toBe(sent));
  await until(() => expect([sink.waitsSince, sink.waiting]).toEqual([undefined, 0]));
  expect(heard.taken).toBeGreaterThan(0);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});

it('a heartbeat: a ping, and a message that pages of browsers see', async () => {
  const { sink, reader } = await openSink();
  const beats = Promise.all([once(reader, 'ping'), once(reader, 'message')]);
  sink.beat();
  const [, [message]] = await beats;
  expect(JSON.parse(String(message))).toEqual({ event: 'heartbeat' });
});

it('ended or destroyed: nothing more is sent, and its end is heard once', async () => {
  for (const end of ['end', 'destroy'] as const) {
    const { sink, reader, heard } = await openSink();
    if (end === 'end') sink.end('unpaid');
    else sink.destroy();
    expect(sink.send('change', '{}', '1')).toBe(false);
    sink.beat();
    const [code] = (await once(reader, 'close')) as [number];
    expect(code).toBe(end === 'end' ? 4402 : 1006);
    await until(() => expect(heard.closed).toBe(1));
  }
});
