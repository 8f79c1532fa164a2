import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../test/until.ts';
import { EncodedResponse, KEEP_ALIVE_MS, sendEncoded } from './encoded-response.ts';

const BODY = Buffer.from('{"text":"ä€"}');
const headers = (body: Buffer) => [
  'Content-Type',
  'application/json',
  'X-Some',
  'a, b;c',
  'Content-Length',
  String(body.length),
];

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves an image at /image, and the same by Node's own means at any other path. */
async function serve(
  body: Buffer,
  onResponse: (response: ServerResponse) => void = () => undefined,
): Promise<number> {
  const image = new EncodedResponse(200, headers(body), body);
  let count = 0;
  server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    onResponse(response);
    if (request.url === '/image') sendEncoded(request, response, image);
    else if (request.url === '/image-more')
      sendEncoded(request, response, image, { more: { 'X-More': `${++count}` } });
    else if (request.url === '/node-more') {
      response.writeHead(200, [...headers(body), 'X-More', `${++count}`]);
      response.end(body);
    } else {
      response.writeHead(200, headers(body));
      response.end(body);
    }
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const get = (path: string, extra = '', method = 'GET', version = '1.1'): string =>
  `${method} ${path} HTTP/${version}\r\nHost: x\r\n${extra}\r\n`;

function open(port: number): { readonly socket: Socket; readonly text: () => string } {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return { socket, text: () => Buffer.concat(chunks).toString('latin1') };
}

/** All bytes of one connection, until it has as many bodies as expected. */
async function roundTrip(port: number, request: string, bodies: number): Promise<string> {
  const { socket, text } = open(port);
  socket.write(request);
  const mark = BODY.toString('latin1');
  await until(() => expect(text().split(mark).length - 1).toBe(bodies));
  socket.destroy();
  return text().replace(/Date: [^\r]+/g, 'Date: -');
}

describe('a pre-encoded response', () => {
  it('is byte for byte what Node sends', async () => {
    const port = await serve(BODY);
    expect(await roundTrip(port, get('/image'), 1)).toBe(await roundTrip(port, get('/node'), 1));
  });

  it('has headers of one response alone, as Node sends them', async () => {
    const ask = (path: string, port: number) => roundTrip(port, get(path).repeat(40), 40);
    const image = await ask('/image-more', await serve(BODY));
    server?.close();
    expect(image).toBe(await ask('/node-more', await serve(BODY)));
    expect(image).toContain('X-More: 40\r\n');
  });

  it('refuses what may not stand in a header of one response', async () => {
    const faults: unknown[] = [];
    const image = new EncodedResponse(200, headers(BODY), BODY);
    server = createServer((request, response) => {
      for (const more of [{ 'X-More': 'a\r\nb: c' }, { 'X More': 'a' }] as const) {
        try {
          sendEncoded(request, response, image, { more });
        } catch (cause) {
          faults.push(cause);
        }
      }
      response.destroy();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { socket } = open((server.address() as AddressInfo).port);
    socket.write(get('/image'));
    await until(() => expect(faults).toHaveLength(2));
  });

  it('pipelined requests of both kinds: connection and order are kept', async () => {
    const port = await serve(BODY);
    const paths = ['/image', '/node', '/image', '/image', '/node', '/image'];
    const mixed = await roundTrip(port, paths.map((path) => get(path)).join(''), paths.length);
    const plain = await roundTrip(port, paths.map(() => get('/node')).join(''), paths.length);
    expect(mixed).toBe(plain);
  });

  it.each([
    ['a client that closes', 'Connection: close\r\n', 'GET', '1.1'],
    ['HTTP/1.0', '', 'GET', '1.0'],
    ['HTTP/1.0 that stays', 'Connection: keep-alive\r\n', 'GET', '1.0'],
  ])('answers %s as Node does', async (_name, extra, method, version) => {
    const port = await serve(BODY);
    const image = await roundTrip(port, get('/image', extra, method, version), 1);
    expect(image).toBe(await roundTrip(port, get('/node', extra, method, version), 1));
  });

  it('sends no body to HEAD, and goes on', async () => {
    const port = await serve(BODY);
    const answer = await roundTrip(port, get('/image', '', 'HEAD') + get('/image'), 1);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('reaches a slow reader whole, however many are under way', async () => {
    const big = Buffer.alloc(300_000, 'abcdefgh');
    const port = await serve(big);
    const { socket, text } = open(port);
    socket.pause();
    const count = 20;
    for (let i = 0; i < count; i++) socket.write(get('/image'));
    await until(() => expect(socket.bytesWritten).toBeGreaterThan(0));
    socket.resume();
    await until(() => expect(text().length).toBeGreaterThan(count * big.length));
    const bodies = text()
      .split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/)
      .slice(1);
    expect(bodies).toHaveLength(count);
    for (const body of bodies) expect(body === big.toString('latin1')).toBe(true);
    socket.destroy();
  });

  it('ends the response: it finishes, and closes when the client goes', async () => {
    const events: string[] = [];
    const port = await serve(BODY, (response) => {
      response.on('finish', () => events.push('finish'));
      response.on('close', () => events.push(`close ${response.writableFinished}`));
    });
    await roundTrip(port, get('/image'), 1);
    await until(() => expect(events).toEqual(['finish', 'close true']));
  });

  it('survives a client that is gone', async () => {
    const port = await serve(BODY);
    for (let i = 0; i < 20; i++) {
      const { socket } = open(port);
      socket.write(get('/image').repeat(50));
      socket.destroy();
    }
    expect(await roundTrip(port, get('/image'), 1)).toContain('200 OK');
  });

  it('refuses what may not stand in a header', () => {
    expect(() => new EncodedResponse(200, ['X-A', 'a\r\nX-B: b'], BODY)).toThrow();
    expect(() => new EncodedResponse(200, ['X A', 'a'], BODY)).toThrow();
    expect(() => new EncodedResponse(200, ['X-A', '€'], BODY)).toThrow();
  });
});
