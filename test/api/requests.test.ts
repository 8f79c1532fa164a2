import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBooks } from '../../src/market/books/book-fixture.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createExampleApi, type ExampleApi, requestOf } from './example-api.ts';
import { EXAMPLE_NOW } from './example-market.ts';
import { getRaw, json, type RawResponse, requestRaw, sendRaw } from './raw-http.ts';

let example: ExampleApi;
let base = '';

beforeAll(async () => {
  example = createExampleApi({ coalesceMs: 0 });
  base = await example.start();
});
afterAll(() => example.api.close());

/** A path of the route that can be asked as it stands. */
const pathOf = (path: string): string => path.replace('{symbol}', 'BTC').replace('{venue}', 'binance');

const ALWAYS = ['access-control-allow-origin', 'access-control-expose-headers', 'x-content-type-options'];

function expectProblem(response: RawResponse, status: number, code: string): void {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  for (const name of ALWAYS) expect(response.headers.has(name), name).toBe(true);
  expect(json(response)).toMatchObject({ type: `/errors/${code}`, status, code, title: expect.any(String) });
}

describe.each(ROUTES.map((route) => [route.path, route] as const))('%s', (template, route) => {
  const path = route.access === 'paid' ? pathOf(template) : requestOf(route);
  const paid = route.access === 'paid';

  it('answers GET, and HEAD with the same status and headers but no body', async () => {
    const get = await getRaw(base, path);
    const head = await requestRaw(base, 'HEAD', path);
    expect(get.status).toBe(paid ? 402 : 200);
    expect(head.status).toBe(get.status);
    expect(head.body.length).toBe(0);
    const names = [...get.headers.keys()].filter((name) => name !== 'date');
    for (const name of names) expect(head.headers.get(name), name).toBe(get.headers.get(name));
    for (const name of ALWAYS) expect(get.headers.has(name), name).toBe(true);
  });

  it('caches only what is free', async () => {
    const { headers } = await getRaw(base, path);
    if (paid) {
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('vary')).toMatch(/PAYMENT-SIGNATURE.*X-PAYMENT/);
      expect(headers.has('etag')).toBe(false);
    } else if (route.isOwn === true) {
      expect([headers.get('cache-control'), headers.has('etag')]).toEqual(['no-store', false]);
    } else {
      expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    }
  });

  it('answers a preflight, and other methods with 405', async () => {
    const preflight = await requestRaw(base, 'OPTIONS', path, { Origin: 'https://elsewhere.test' });
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    for (const name of [
      'X-PAYMENT',
      'PAYMENT-SIGNATURE',
      'Idempotency-Key',
      'Access-Control-Expose-Headers',
    ]) {
      expect(allowed).toContain(name);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await requestRaw(base, method, path, { 'Content-Length': '0' });
      expectProblem(response, 405, 'method_not_allowed');
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('refuses a parameter it does not know', async () => {
    const headers = paid ? { 'X-PAYMENT': 'e30=' } : {};
    const response = await getRaw(base, `${pathOf(template)}?no_such=1`, headers);
    expectProblem(response, 400, 'unknown_parameter');
    expect(json(response)).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ parameter: 'no_such' })]),
    });
  });
});

describe('paths', () => {
  const TRICKS = [
    '/v1/funding/current/',
    '//v1/funding/current',
    '/v1//funding/current',
    '/V1/funding/current',
    '/v1/Funding/Current',
    '/v1/funding/current%2f',
    '/v1/funding%2fcurrent',
    '/v1/%66unding/current',
    '/v1/./funding/current',
    '/v1/x/../funding/current',
    '/v1/funding/current/..',
    '/v1/funding/current;x',
    '/v1/funding/current%00',
    '/v1/funding/current#x',
    '/v1/funding/current%3Flimit=1',
    '/v1/funding/spread/',
    '/v1/funding/spread/..',
    '/v1/funding/spread/%2e%2e',
    '/v1/funding/spread/..%2fcurrent',
    '/v1/funding/spread/BTC%2f..',
    '/v1/funding/spread/BTC/',
    '/v1/funding/spread/%5c',
    '/v1/funding/spread/%ff',
    '/v1/funding/spread/BTC%00',
    '/v1/health/',
    '/V1/HEALTH',
    '/openapi.json/',
    '/',
    '',
    '*',
    '/v1',
    '/v1/../../etc/passwd',
  ];

  it.each(TRICKS)('%j is no path, with or without a payment', async (path) => {
    for (const headers of [{}, { 'X-PAYMENT': 'e30=' }]) {
      const response = await getRaw(base, path === '' ? '?' : path, headers);
      expect([400, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it('reads the path of an absolute request target as proxies send it', async () => {
    expect((await getRaw(base, 'http://elsewhere.test/v1/health')).status).toBe(200);
    expect((await getRaw(base, 'http://elsewhere.test/v1/funding/current')).status).toBe(402);
    expectProblem(await getRaw(base, 'http://elsewhere.test/nope'), 404, 'unknown_route');
  });

  it('answers unknown paths with a problem, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      expectProblem(
        await requestRaw(base, method, '/v1/nope', { 'Content-Length': '0' }),
        404,
        'unknown_route',
      );
    }
  });
});

describe('conditional requests and encodings', () => {
  it('its own ETag: 304 in any encoding, with the same headers', async () => {
    const first = await getRaw(base, '/v1/venues/list', { 'Accept-Encoding': 'gzip' });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const tag = first.headers.get('etag') ?? '';
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await getRaw(base, '/v1/venues/list', { 'If-None-Match': value });
      expect(again.status, value).toBe(304);
      expect(again.body.length).toBe(0);
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
      expect(again.headers.has('etag')).toBe(true);
    }
    expect((await getRaw(base, '/v1/venues/list', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('compresses only for clients that take it, to the same bytes', async () => {
    const plain = await getRaw(base, '/openapi.json');
    expect(plain.headers.has('content-encoding')).toBe(false);
    for (const accept of ['gzip', 'br, gzip;q=0.5', '*', 'GZIP, *;q=0'.toLowerCase()]) {
      const packed = await getRaw(base, '/openapi.json', { 'Accept-Encoding': accept });
      expect(packed.headers.get('content-encoding'), accept).toBe('gzip');
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
      expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    }
    for (const accept of ['', 'identity', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0.000, *']) {
      const response = await getRaw(base, '/openapi.json', { 'Accept-Encoding': accept });
      expect(response.headers.has('content-encoding'), accept).toBe(false);
      expect(response.body.equals(plain.body)).toBe(true);
    }
  });

  it('follows the table', async () => {
    const one = await getRaw(base, '/v1/health');
    example.market.replace(example.market.rows().slice(1));
    example.clock.advance(1000);
    const two = await getRaw(base, '/v1/health');
    expect(json(two)).toMatchObject({ rows: example.market.rows().length });
    expect(two.headers.get('etag')).not.toBe(one.headers.get('etag'));
  });
});

describe('malformed HTTP', () => {
  it('is answered with a problem document', async () => {
    expectProblem(await sendRaw(base, 'GARBAGE\r\n\r\n'), 400, 'malformed_request');
    const huge = `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n\r\n`;
    expectProblem(await sendRaw(base, huge), 431, 'header_too_large');
  });

  it('accepts headers up to the size limit', async () => {
    const response = await getRaw(base, '/v1/health', { 'X-Big': 'a'.repeat(30_000) });
    expect(response.status).toBe(200);
  });
});

describe('a symbol with a slash', () => {
  const path = '/v1/orderbook/binance/NO%2FSUCH%3ANAME/top';

  it('is asked for money first, and then looked for as a whole', async () => {
    expect((await getRaw(base, path)).status).toBe(402);
    const { api, start } = createExampleApi({ mode: 'off' });
    const response = await getRaw(await start(), path);
    expectProblem(response, 404, 'unknown_ticker');
    expect(json(response)).toMatchObject({ detail: expect.stringContaining('"NO/SUCH:NAME"') });
    await api.close();
  });
});

describe('a book that changes', () => {
  it('is in the next answer, whenever that is asked for', async () => {
    const { view, write } = makeBooks(EXAMPLE_NOW, []);
    const { api, start } = createExampleApi({ mode: 'off', books: view });
    const address = await start();
    for (const bid of [91_250, 91_251]) {
      write({ venue: 'binance', symbol: 'BTCUSDT', bids: [[bid, 1]], asks: [[91_300, 1]] });
      const quote = await getRaw(address, '/v1/orderbook/binance/BTC/top');
      expect(json(quote)).toMatchObject({ bid_price: bid });
    }
    await api.close();
  });
});
