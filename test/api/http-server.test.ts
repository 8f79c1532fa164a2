import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { json, requestRaw, sendRaw } from './raw-http.ts';

const MEBIBYTE = 1024 * 1024;

let example: ExampleApi;
let base = '';

beforeAll(async () => {
  example = createExampleApi({ coalesceMs: 0 });
  base = await example.start();
});
afterAll(() => example.api.close());

/** A POST to a path that is not there, whose connection is to stay unless the server ends it. */
const post = (body: string, length = body.length): string =>
  `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
const LAST = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('a path that is not there', () => {
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    'is a 404 with a problem by %s',
    async (method) => {
      const response = await requestRaw(base, method, '/v1/nowhere?a=1');
      expect([response.status, json(response)]).toMatchObject([404, { code: 'unknown_route' }]);
      expect(json(response)).toMatchObject({ detail: expect.stringContaining('/v1/nowhere is not a path') });
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('is a 404 where its escapes mean nothing, and where its body does', async () => {
    expect((await requestRaw(base, 'GET', '/%E0%A4%A')).status).toBe(404);
    const twice = await sendRaw(base, `${post('not JSON')}${LAST}`);
    expect(twice.status).toBe(404);
    expect(twice.body.toString().match(/HTTP\/1\.1 404/g)).toHaveLength(1);
  });

  it('keeps no connection for a body of more than a mebibyte', async () => {
    const response = await sendRaw(base, post('x', MEBIBYTE + 1));
    expect([response.status, response.headers.get('connection')]).toEqual([404, 'close']);
  });

  it('is counted beside the routes', async () => {
    const counted = (): number =>
      example.api.activity.requests.routes.get('none')?.statuses.get(404) ?? Number.NaN;
    const before = counted();
    await requestRaw(base, 'GET', '/nowhere');
    expect(counted()).toBe(before + 1);
  });
});

describe('listening', () => {
  it('is at every address of localhost, on one port', async () => {
    const { api } = createExampleApi({});
    const port = await api.listen(0, 'localhost');
    for (const { address, family } of await lookup('localhost', { all: true })) {
      const host = family === 6 ? `[${address}]` : address;
      expect((await fetch(`http://${host}:${port}/errors`)).status).toBe(200);
    }
    await api.close();
  });

  it('rejects where the port is taken', async () => {
    const { api } = createExampleApi({});
    await expect(api.listen(Number(new URL(base).port), '127.0.0.1')).rejects.toThrow('EADDRINUSE');
    await api.close();
  });
});
