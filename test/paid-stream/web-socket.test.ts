import { once } from 'node:events';
import { WebSocket as BrowserLike } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { getRaw, requestRaw } from '../api/raw-http.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';
import { type EventReader, readBySocket, readByStream, socketUrl } from './event-readers.ts';
import { type StreamService, startStreamService } from './stream-service.ts';

const PROTOCOL = 'perpmeter.stream.v1';
const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
};

let sale: Sale;
let service: StreamService;
const closing: (() => unknown)[] = [];
const ends = <T extends EventReader>(reader: T): T => {
  closing.push(() => reader.cut());
  return reader;
};
beforeAll(async () => {
  sale = await openSale();
  service = await startStreamService(sale);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(async () => {
  await service.stop();
  await sale.stop();
});

const names = ({ events }: EventReader) => events.map(({ event }) => event);
const isBrought = (reader: EventReader, event: string) =>
  until(() => expect(reader.events.at(-1)?.event).toBe(event));

/** Numbers, names and data of events: their order is the same by both protocols, their run that of the process. */
const told = ({ events }: EventReader) => events.map(({ id, event, data }) => [id, event, data]);

describe('a paid stream by WebSocket', () => {
  it('beside server-sent events: equal messages, to the last', async () => {
    service.setRate(0.001);
    const { id, secret } = service.grant(10);
    const events = ends(await readByStream(service.url, id, secret));
    await isBrought(events, 'snapshot');
    const socket = ends(readBySocket(service.url, id, secret));
    await isBrought(socket, 'snapshot');
    for (const rate of [0.002, 0.003]) {
      service.setRate(rate);
      service.turn();
    }
    service.turn(10 * 60 - 12);
    await isBrought(socket, 'due');
    service.turn(40);
    await isBrought(socket, 'paused');
    service.extend(id, 1);
    service.turn();
    await isBrought(socket, 'resumed');
    await isBrought(events, 'resumed');
    expect(names(socket)).toEqual(['snapshot', 'change', 'change', 'due', 'paused', 'resumed']);
    expect(told(socket)).toEqual(told(events));
  });

  it.each(['stream to socket', 'socket to stream'])('resumed from %s: goes on', async (way) => {
    service.setRate(0.001);
    const { id, secret } = service.grant(10);
    const [first, second] =
      way === 'stream to socket' ? [readByStream, readBySocket] : [readBySocket, readByStream];
    const broken = await first(service.url, id, secret);
    await isBrought(broken, 'snapshot');
    broken.cut();
    await until(() => expect(service.hall.readersOf(id)).toBe(0));
    for (const rate of [0.002, 0.003]) {
      service.setRate(rate);
      service.turn();
    }
    const last = broken.events.at(-1)?.id;
    const again = ends(await second(service.url, id, secret, last));
    await isBrought(again, 'conflated');
    expect(again.events).toMatchObject([
      { id: expect.stringMatching(/-2$/), data: { topics: { funding: { rows: [{ rate: 0.003 }] } } } },
    ]);
  });

  it('another origin: let in by its secret, which is never repeated', async () => {
    const { id, secret } = service.grant(1);
    const socket = new BrowserLike(socketUrl(service.url, id), {
      protocols: [PROTOCOL, `perpmeter.secret.${secret}`],
      headers: { origin: 'https://elsewhere.example' },
    });
    closing.push(() => socket.close());
    const [{ data }] = (await once(socket as never, 'message')) as [{ readonly data: string }];
    expect(JSON.parse(data)).toMatchObject({ event: 'snapshot' });
    expect(socket.protocol).toBe(PROTOCOL);
  });

  it('headers instead of words, for programs that can set them: the same', async () => {
    const { id, secret } = service.grant(1);
    const socket = new WebSocket(socketUrl(service.url, id), { headers: { 'perpmeter-secret': secret } });
    closing.push(() => socket.terminate());
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ event: 'snapshot' });
  });
});

describe('a socket that is refused', () => {
  it.each([
    ['another secret', 'another', 4404, 'no_data'],
    ['no secret', undefined, 4400, 'missing_parameter'],
  ])('%s: the problem, and a close with its code', async (_, secret, code, reason) => {
    const { id } = service.grant(1);
    const reader = ends(readBySocket(service.url, id, secret));
    await until(() => expect(reader.closed).toEqual({ code, reason }));
    expect(reader.events).toMatchObject([{ event: 'problem', data: { code: reason } }]);
    expect(service.desk.find(id)?.meter.used).toBe(0);
  });

  it.each([
    ['text', 'hello', 4400, 'malformed_request'],
    ['bytes', Buffer.from([1, 2]), 4400, 'malformed_request'],
    ['a long message', 'x'.repeat(126), 1009, ''],
  ])('for it sends %s: closed with a code', async (_, message, code, reason) => {
    const { id, secret } = service.grant(1);
    const reader = ends(readBySocket(service.url, id, secret));
    await isBrought(reader, 'snapshot');
    reader.socket.send(message);
    await until(() => expect(reader.closed).toEqual({ code, reason }));
    await until(() => expect(service.hall.readersOf(id)).toBe(0));
  });

  it('for two newer ones read: replaced', async () => {
    const { id, secret } = service.grant(1);
    const oldest = ends(readBySocket(service.url, id, secret));
    await isBrought(oldest, 'snapshot');
    for (let more = 0; more < 2; more += 1)
      await isBrought(ends(readBySocket(service.url, id, secret)), 'snapshot');
    await until(() => expect(oldest.closed).toEqual({ code: 4409, reason: 'replaced' }));
    expect(oldest.events.at(-1)).toMatchObject({ event: 'closing', data: { reason: 'replaced' } });
  });
});

describe('a connection', () => {
  it('that is pinged: answers, and pings by itself', async () => {
    const { id, secret } = service.grant(1);
    const reader = ends(readBySocket(service.url, id, secret));
    await isBrought(reader, 'snapshot');
    const answered = once(reader.socket, 'pong');
    reader.socket.ping('here');
    expect(String((await answered)[0])).toBe('here');
  });
});

describe('a request for another protocol', () => {
  it.each([
    ['/v1/preview/funding-current', { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings, close' }, 200],
    ['/v1/preview/funding-current', { ...HANDSHAKE, Connection: 'Upgrade, close' }, 200],
    ['/v1/funding/current?symbol=BTC', { ...HANDSHAKE, Connection: 'Upgrade, close' }, 402],
    ['/nowhere', { ...HANDSHAKE, Connection: 'Upgrade, close' }, 404],
    [`/v1/streams/${'s'.padEnd(25, '0')}?x=1`, { ...HANDSHAKE, Connection: 'Upgrade, close' }, 400],
  ])('%s: answered as if it had not asked', async (path, headers, status) => {
    expect((await getRaw(service.url, path, headers)).status).toBe(status);
  });

  it('with a wrong version or a body: answered as any other', async () => {
    const { id } = service.grant(1);
    const path = `/v1/streams/${id}`;
    const old = { ...HANDSHAKE, 'Sec-WebSocket-Version': '7', Connection: 'Upgrade, close' };
    expect((await getRaw(service.url, path, old)).status).toBe(400);
    const posted = { Upgrade: 'h2c', Connection: 'Upgrade, close', 'Content-Length': '0' };
    expect((await requestRaw(service.url, 'POST', path, posted)).status).toBe(405);
  });
});

it('the service stops: closing, its close code, and no connection left', async () => {
  const stopping = await startStreamService(sale);
  const { id, secret } = stopping.grant(1);
  const reader = readBySocket(stopping.url, id, secret);
  await isBrought(reader, 'snapshot');
  const deaf = readBySocket(stopping.url, id, secret);
  await isBrought(deaf, 'snapshot');
  deaf.socket.pause();
  await stopping.stop();
  await until(() => expect(reader.closed).toEqual({ code: 1012, reason: 'shutdown' }));
  expect(reader.events.slice(-1)).toMatchObject([{ event: 'closing', data: { reason: 'shutdown' } }]);
  deaf.cut();
});
