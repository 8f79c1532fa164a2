import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket as BrowserLike } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { getRaw, json, requestRaw } from '../api/raw-http.ts';
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

  it('for it states a word twice: a problem document', async () => {
    const { id } = service.grant(1);
    const response = await getRaw(service.url, `/v1/streams/${id}`, {
      ...HANDSHAKE,
      'Sec-WebSocket-Protocol': `${PROTOCOL}, ${PROTOCOL}`,
    });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(json(response)).toMatchObject({ status: 400, code: 'malformed_request' });
  });

  it('counted by the status of its problem, not as one that was let in', async () => {
    const { id, secret } = service.grant(1);
    const before = service.statuses();
    await isBrought(ends(readBySocket(service.url, id, secret)), 'snapshot');
    for (const wrong of ['another', undefined]) {
      const reader = ends(readBySocket(service.url, id, wrong));
      await until(() => expect(reader.closed).toBeDefined());
    }
    const twice = { ...HANDSHAKE, 'Sec-WebSocket-Protocol': `${PROTOCOL}, ${PROTOCOL}` };
    await getRaw(service.url, `/v1/streams/${id}`, twice);
    const after = service.statuses();
    const more = (status: number): number => (after.get(status) ?? 0) - (before.get(status) ?? 0);
    expect([101, 404, 400].map(more)).toEqual([1, 1, 2]);
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

describe('a connection that is closing, though its reader leaves it open', () => {
  const frame = (...bytes: readonly number[]) => Buffer.from([0x80 | (bytes[0] ?? 0), ...bytes.slice(1)]);

  /** A reader whose frames the test writes; it answers none of the service's. */
  async function bareReader(id: string, secret: string) {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    closing.push(() => socket.destroy());
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    const headers = { ...HANDSHAKE, Host: 'x', 'Perpmeter-Secret': secret };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /v1/streams/${id} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await until(() => expect(received).toContain('snapshot'));
    return { socket, received: () => received };
  }

  // Masked by zeros, as frames of readers have to be masked.
  it.each([
    ['it sent a close', frame(0x8, 0x82, 0, 0, 0, 0, 0x03, 0xe8), '\x03\xe8'],
    ['it sent a text', frame(0x1, 0x81, 0, 0, 0, 0, 0x41), 'malformed_request'],
    ['it sent a long text', frame(0x1, 0xfe, 0, 126, 0, 0, 0, 0), '\x03\xf1'],
  ])('%s: no minute begins for it', async (_, sent, answer) => {
    const { id, secret } = service.grant(10);
    const { socket, received } = await bareReader(id, secret);
    service.turn(50);
    const used = service.desk.find(id)?.meter.used;
    socket.write(sent);
    await until(() => expect(received()).toContain(answer));
    service.turn(25);
    expect(service.desk.find(id)?.meter.used).toBe(used);
    expect(service.hall.readersOf(id)).toBe(0);
  });

  it('it holds its place of the address until it is closed', async () => {
    const { id, secret } = service.grant(10);
    const places = 50;
    const bare: Awaited<ReturnType<typeof bareReader>>[] = [];
    for (let at = 0; at < places; at += 1) {
      bare.push(await bareReader(id, secret));
      bare[at]?.socket.write(frame(0x1, 0x81, 0, 0, 0, 0, 0x41));
    }
    await until(() => {
      service.turn();
      expect(service.hall.readersOf(id)).toBe(0);
    });
    const refused = ends(readBySocket(service.url, id, secret));
    await until(() => expect(refused.closed).toMatchObject({ code: 4429 }));
    for (const { socket } of bare) socket.destroy();
    await until(async () => {
      const reader = readBySocket(service.url, id, secret);
      closing.push(() => reader.cut());
      await until(() =>
        expect(reader.events.length + Number(reader.closed !== undefined)).toBeGreaterThan(0),
      );
      expect(reader.events[0]?.event).toBe('snapshot');
    });
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

  it('of events: they come, and the reader who is gone is heard of', async () => {
    const { id, secret } = service.grant(1);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const lines = `Host: x\r\nAccept: text/event-stream\r\nPerpmeter-Secret: ${secret}\r\n`;
    socket.write(`GET /v1/streams/${id} HTTP/1.1\r\n${lines}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n`);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
    });
    await until(() => expect(received).toContain('event: snapshot'));
    socket.end();
    await until(() => expect(service.hall.readersOf(id)).toBe(0));
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

it('the service is stopping: told so by both protocols', async () => {
  const stopping = await startStreamService(sale);
  const { id, secret } = stopping.grant(1);
  await stopping.hall.stop();
  const refused = readBySocket(stopping.url, id, secret);
  await until(() => expect(refused.closed).toEqual({ code: 4503, reason: 'shutting_down' }));
  const response = await fetch(`${stopping.url}/v1/streams/${id}`, {
    headers: { accept: 'text/event-stream', 'perpmeter-secret': secret },
  });
  expect([response.status, await response.json()]).toMatchObject([503, { code: 'shutting_down' }]);
  await stopping.stop();
});
