import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../test/until.ts';
import { EncodedResponse, sendEncoded } from './encoded-response.ts';

const SMALL = Buffer.alloc(2_000, 's');
/** More than the buffers of both ends of a connection take. */
const BIG = Buffer.alloc(32 * 1024 * 1024, 'b');

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server that answers on command and records the reported fate of each answer. */
class Counter {
  readonly waiting: Waiting[] = [];
  readonly said: [string, boolean][] = [];
  readonly socket: Socket;
  read = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
  }

  static async open(): Promise<Counter> {
    let counter: Counter | undefined;
    server = createServer((request, response) => counter?.waiting.push({ request, response }));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    counter = new Counter(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    return counter;
  }

  async ask(extra: string, ...paths: string[]): Promise<void> {
    const had = this.waiting.length;
    this.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${extra}\r\n`).join(''));
    await until(() => expect(this.waiting).toHaveLength(had + paths.length));
  }

  answer(body: Buffer, index = 0): void {
    const { request, response } = this.waiting[index] ?? {};
    if (request === undefined || response === undefined) throw new Error('nobody asked');
    const image = new EncodedResponse(200, ['Content-Length', String(body.length)], body);
    const path = request.url ?? '';
    sendEncoded(request, response, image, {
      more: { 'X-More': path },
      sent: (complete) => this.said.push([path, complete]),
    });
  }

  readAll(): void {
    this.socket.on('data', (chunk) => {
      this.read += chunk.length;
    });
    this.socket.resume();
  }

  /** The verdicts, once all of them are in. */
  async verdict(count = 1): Promise<readonly [string, boolean][]> {
    await until(() => expect(this.said.length).toBeGreaterThanOrEqual(count));
    this.socket.destroy();
    await new Promise<void>((resolve) => {
      server?.closeAllConnections();
      server?.close(() => resolve());
    });
    return this.said;
  }
}

/** As one image, and as Node's own response. */
const CONNECTIONS = [
  ['that stays', ''],
  ['that closes', 'Connection: close\r\n'],
] as const;

describe.each(CONNECTIONS)('delivery of a response on a connection %s', (_, extra) => {
  it('is complete when the connection accepted all bytes', async () => {
    const counter = await Counter.open();
    counter.readAll();
    await counter.ask(extra, '/a');
    counter.answer(SMALL);
    expect(await counter.verdict()).toEqual([['/a', true]]);
  });

  it('is not complete before its last byte is accepted', async () => {
    const counter = await Counter.open();
    counter.socket.pause();
    await counter.ask(extra, '/a');
    counter.answer(BIG);
    const { socket } = counter.waiting[0]?.request ?? {};
    await until(() => expect(socket?.bytesWritten).toBeGreaterThan(0));
    expect(counter.said).toEqual([]);
    counter.readAll();
    await until(() => expect(counter.read).toBeGreaterThan(BIG.length));
    expect(await counter.verdict()).toEqual([['/a', true]]);
  });

  it('is incomplete where the client disconnects midway', async () => {
    const counter = await Counter.open();
    counter.socket.pause();
    await counter.ask(extra, '/a');
    counter.answer(BIG);
    await new Promise((resolve) => setImmediate(resolve));
    counter.socket.destroy();
    expect(await counter.verdict()).toEqual([['/a', false]]);
  });

  it.each([
    ['a small one', SMALL],
    ['a big one', BIG],
  ])('is incomplete where the client reset the connection just before: %s', async (_name, body) => {
    const counter = await Counter.open();
    await counter.ask(extra, '/a');
    counter.socket.resetAndDestroy();
    counter.answer(body);
    expect(await counter.verdict()).toEqual([['/a', false]]);
  });

  it('is incomplete where the server had closed the connection', async () => {
    const counter = await Counter.open();
    await counter.ask(extra, '/a');
    counter.waiting[0]?.request.socket.destroy();
    counter.answer(SMALL);
    expect(await counter.verdict()).toEqual([['/a', false]]);
  });

  it('is incomplete where the client had disconnected', async () => {
    const counter = await Counter.open();
    await counter.ask(extra, '/a');
    counter.socket.destroy();
    await until(() => expect(counter.waiting[0]?.response.destroyed).toBe(true));
    counter.answer(SMALL);
    expect(await counter.verdict()).toEqual([['/a', false]]);
  });
});

describe('delivery of pipelined responses', () => {
  it('is complete when each was written in turn and accepted', async () => {
    const counter = await Counter.open();
    counter.readAll();
    await counter.ask('', '/a', '/b');
    counter.answer(SMALL, 1);
    expect(counter.said).toEqual([]);
    counter.answer(SMALL, 0);
    expect([...(await counter.verdict(2))].sort()).toEqual([
      ['/a', true],
      ['/b', true],
    ]);
  });

  it('leaves no listeners on the connection', async () => {
    const counter = await Counter.open();
    counter.readAll();
    await counter.ask('', '/a', '/b', '/c');
    const socket = counter.waiting[0]?.request.socket;
    const before = socket?.listenerCount('close') ?? 0;
    for (const index of [2, 1, 0]) counter.answer(SMALL, index);
    await until(() => expect(counter.said).toHaveLength(3));
    // Node's own responses listen as well, until they have ended.
    expect(socket?.listenerCount('close')).toBeLessThanOrEqual(before);
    expect(await counter.verdict(3)).toHaveLength(3);
  });

  it('is incomplete where the connection closed before their turn', async () => {
    const counter = await Counter.open();
    await counter.ask('', '/a', '/b');
    const { socket } = counter.waiting[1]?.request ?? {};
    counter.socket.destroy();
    await until(() => expect(socket?.closed).toBe(true));
    counter.answer(SMALL, 1);
    expect(await counter.verdict()).toEqual([['/b', false]]);
  });

  it('is incomplete where their turn never came', async () => {
    const counter = await Counter.open();
    await counter.ask('', '/a', '/b');
    counter.answer(SMALL, 1);
    counter.socket.destroy();
    expect(await counter.verdict()).toEqual([['/b', false]]);
  });
});
