import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionGate } from '../../src/api/http/connection-gate.ts';
import { HttpServer } from '../../src/api/http/http-server.ts';
import { RequestTally } from '../../src/api/http/request-tally.ts';
import { until } from '../until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that takes no other protocol; `seen` are the requests that it has taken, `open` connects to it. */
async function serve(handle: Handle = ({ url }, response) => response.end(`to ${url}`)) {
  const seen: string[] = [];
  const server = new HttpServer({
    handle: (request, response) => {
      seen.push(`${request.method} ${request.url}`);
      handle(request, response);
      return true;
    },
    tally: new RequestTally([]),
    gate: new ConnectionGate({ total: 10, perAddress: 10 }),
  });
  const port = await server.listen(0, '127.0.0.1');
  closing.push(() => {
    server.destroyConnections();
    return server.close();
  });
  const open = (bytes: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    closing.push(() => socket.destroy());
    socket.write(bytes);
    return socket;
  };
  return { server, seen, open };
}

const OTHER = 'Connection: Upgrade\r\nUpgrade: x\r\n';
const MANY = [...Array(1100).keys()].map((at) => `x${at}: 1\r\n`).join('');
const INNER = 'GET /inner HTTP/1.1\r\nHost: x\r\n\r\n';
const statusesIn = (answers: string): readonly string[] => answers.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];

describe('a request for another protocol, whose answer is the last', () => {
  it.each([
    ['a length', `Content-Length: ${INNER.length}\r\n`],
    ['a length behind a thousand headers', `${MANY}Content-Length: ${INNER.length}\r\n`],
    ['pieces', 'Transfer-Encoding: chunked\r\n'],
  ])('a body with %s: refused, none of it read as a request', async (_, headers) => {
    const { seen, open } = await serve();
    const answers = await text(open(`POST /outer HTTP/1.1\r\nHost: x\r\n${OTHER}${headers}\r\n${INNER}`));
    expect([seen, statusesIn(answers)]).toEqual([[], ['400']]);
    expect(answers).toContain('"code":"malformed_request"');
  });

  it('no body: answered, and what follows is read by nobody', async () => {
    const { seen, open } = await serve();
    const answers = await text(open(`GET /outer HTTP/1.1\r\nHost: x\r\n${OTHER}\r\n${INNER}`));
    expect([seen, statusesIn(answers)]).toEqual([['GET /outer'], ['200']]);
    expect(answers).toMatch(/Connection: close\r\n[\s\S]*to \/outer$/);
  });

  it('behind one that is not answered yet: answered after it', async () => {
    const held: ServerResponse[] = [];
    const { seen, open } = await serve(({ url }, response) => {
      if (url === '/first') held.push(response);
      else response.end(`to ${url}`);
    });
    const answers = text(
      open(`GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n${OTHER}\r\n`),
    );
    await until(() => expect(held.length).toBe(1));
    held[0]?.end('to /first');
    expect(await answers).toMatch(/to \/first[\s\S]*to \/second$/);
    expect(seen).toEqual(['GET /first', 'GET /second']);
  });

  it('behind one whose answer ends the connection: not taken', async () => {
    const { seen, open } = await serve(({ url }, response) => {
      response.shouldKeepAlive = false;
      response.end(`to ${url}`);
    });
    const first = 'GET /first HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await text(open(`${first}GET /second HTTP/1.1\r\nHost: x\r\n${OTHER}\r\n`));
    expect([seen, statusesIn(answers)]).toEqual([['GET /first'], ['200']]);
  });

  it('a long answer: waits for its reader, to the end', async () => {
    let drains = 0;
    const { open } = await serve((_, response) => {
      response.on('drain', () => {
        drains += 1;
        response.end('end');
      });
      expect(response.write('x'.repeat(2 ** 24))).toBe(false);
    });
    const answer = await text(open(`GET / HTTP/1.1\r\nHost: x\r\n${OTHER}\r\n`));
    expect([drains, answer.endsWith('end\r\n0\r\n\r\n')]).toEqual([1, true]);
  });

  it.each(['ends', 'breaks off'])('its client %s before the answer: closed', async (how) => {
    const held: ServerResponse[] = [];
    const { server, open } = await serve((_, response) => held.push(response));
    const socket = open(`GET / HTTP/1.1\r\nHost: x\r\n${OTHER}\r\n`);
    await until(() => expect(held.length).toBe(1));
    const closed = once(held[0] as ServerResponse, 'close');
    if (how === 'ends') socket.end();
    else socket.resetAndDestroy();
    await closed;
    await until(async () => expect(await server.connections()).toBe(0));
  });
});

it('more than a thousand headers: all are read', async () => {
  const { seen, open } = await serve(({ headers }, response) => response.end(`last ${headers.last}`));
  const request = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${MANY}Last: here\r\n\r\n`;
  expect(await text(open(request))).toContain('last here');
  expect(seen).toEqual(['GET /']);
});
