import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Loopback, serve } from '../../test/collect/loopback.ts';
import { settled } from '../../test/collect/manual-time.ts';
import { HttpClient, type HttpClientOptions, type HttpOutcome } from './http-client.ts';

const PAYLOAD = { symbol: 'BTCUSDT', price: '64000.5', note: 'ünï' };
const JSON_TEXT = JSON.stringify(PAYLOAD);
const CAP = 100_000;
const SECRET = 'token-7f3a';

let answer: (req: IncomingMessage, res: ServerResponse) => void;
let server: Loopback;
let client: HttpClient;
const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

const listener: RequestListener = (req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    answer(req, res);
  });
};

beforeEach(async () => {
  requests.length = 0;
  server = await serve(listener);
  client = new HttpClient({ maxBodyBytes: CAP, deadlineMs: 5000 });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

function get(path = '/x', more: { base?: string; signal?: AbortSignal } = {}): Promise<HttpOutcome> {
  const { base = server.url, signal = new AbortController().signal } = more;
  return client.send({ base, method: 'GET', path }, signal);
}

function reopen(options: HttpClientOptions): void {
  void client.close();
  client = new HttpClient({ maxBodyBytes: CAP, ...options });
}

/** Answers with these bytes, in chunks without a declared length where asked. */
function bytes(body: Buffer | string, headers: Record<string, string> = {}, chunked = false): void {
  answer = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', ...headers });
    if (chunked) res.write(body.slice(0, body.length >> 1));
    res.end(chunked ? body.slice(body.length >> 1) : body);
  };
}

describe('HttpClient', () => {
  it.each([
    ['plain', Buffer.from(JSON_TEXT), ''],
    ['gzip', gzipSync(JSON_TEXT), 'gzip'],
    ['deflate with a zlib header', deflateSync(JSON_TEXT), 'deflate'],
    ['bare deflate', deflateRawSync(JSON_TEXT), 'deflate'],
    ['brotli', brotliCompressSync(JSON_TEXT), 'br'],
  ])('%s', async (_name, body, encoding) => {
    for (const chunked of [false, true]) {
      bytes(body, encoding === '' ? {} : { 'content-encoding': encoding }, chunked);
      const outcome = await get();
      expect(outcome.result).toEqual({ ok: true, value: PAYLOAD });
      expect(outcome.bytes).toBe(body.length);
    }
  });

  it('reads a JSON null', async () => {
    bytes('null');
    expect((await get()).result).toEqual({ ok: true, value: null });
  });

  it('keeps connections and offers encodings', async () => {
    bytes(JSON_TEXT);
    for (let i = 0; i < 5; i++) {
      await get();
      await settled();
    }
    expect(server.connections()).toBe(1);
    expect(requests[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  it('a path: put behind the prefix of the base, on its host', async () => {
    bytes(JSON_TEXT);
    await get('/v5/tickers?category=linear', { base: `${server.url}/bybit` });
    expect((await get('//evil.example/x', { base: server.url })).result.ok).toBe(true);
    expect(requests.map((r) => r.url)).toEqual(['/bybit/v5/tickers?category=linear', '//evil.example/x']);
  });

  it('posts a JSON body', async () => {
    bytes(JSON_TEXT);
    const call = { base: server.url, method: 'POST', path: '/info', body: '{"type":"meta"}' } as const;
    await client.send(call, new AbortController().signal);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/info', body: '{"type":"meta"}' });
    expect(requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('answers other paths of a host while one path hangs', async () => {
    answer = (req, res) => {
      if (req.url === '/hang') return;
      res.end(JSON_TEXT);
    };
    const abort = new AbortController();
    const hanging = Array.from({ length: 8 }, () => get('/hang', { signal: abort.signal }));
    expect((await get('/fine')).result.ok).toBe(true);
    abort.abort();
    const failed = { result: { failure: { kind: 'aborted' } } };
    for (const outcome of await Promise.all(hanging)) expect(outcome).toMatchObject(failed);
  });

  it('hands out the headers, of refusals too', async () => {
    answer = (_req, res) => res.writeHead(429, { 'retry-after': '3', 'x-used': '7' }).end('{}');
    const outcome = await get();
    expect(outcome.headers).toMatchObject({ 'retry-after': '3', 'x-used': '7' });
    expect(outcome.result).toMatchObject({
      failure: { kind: 'rate_limited', status: 429, reason: 'HTTP 429' },
    });
  });
});

describe('HttpClient fails with a reason for', () => {
  const expectFailure = (outcome: HttpOutcome, kind: string, reason: RegExp): void => {
    const { result } = outcome;
    if (result.ok) throw new Error('a payload where a failure was due');
    expect(result.failure.kind).toBe(kind);
    expect(result.failure.reason).toMatch(reason);
    expect(result.failure.reason.length).toBeLessThan(100);
    expect(result.failure.reason).not.toContain(SECRET);
  };

  it('a page instead of JSON', async () => {
    bytes(`\n <!doctype html><title>${SECRET}</title>`, { 'content-type': 'text/html' });
    expectFailure(await get(), 'not_json', /^HTML instead of JSON$/);
  });

  it('cut JSON, text, and an empty body', async () => {
    bytes(`{"${SECRET}":`);
    expectFailure(await get(), 'not_json', /unreadable JSON \(14 bytes\)/);
    bytes(SECRET);
    expectFailure(await get(), 'not_json', /unreadable JSON/);
    bytes('');
    expectFailure(await get(), 'not_json', /empty body/);
  });

  it('a body that is not what its encoding says, or in an unknown one', async () => {
    bytes(JSON_TEXT, { 'content-encoding': 'gzip' });
    expectFailure(await get(), 'not_json', /content encoding/);
    bytes(JSON_TEXT, { 'content-encoding': 'zstd' });
    expectFailure(await get(), 'not_json', /unknown content encoding/);
  });

  it('a body over the cap: declared, undeclared, or after decompression', async () => {
    const big = JSON.stringify('x'.repeat(CAP));
    bytes(big, { 'content-length': String(big.length) });
    expectFailure(await get(), 'too_large', /over 100000 bytes/);
    bytes(big, {}, true);
    expectFailure(await get(), 'too_large', /over 100000 bytes/);
    const bomb = Buffer.alloc(50 * CAP, '0');
    for (const [encoding, packed] of [
      ['gzip', gzipSync(bomb)],
      ['br', brotliCompressSync(bomb)],
      ['deflate', deflateSync(bomb)],
    ] as const) {
      expect(packed.length).toBeLessThan(CAP);
      bytes(packed, { 'content-encoding': encoding });
      expectFailure(await get(), 'too_large', /after decompression/);
    }
  });

  it('a status, without quoting the body', async () => {
    answer = (_req, res) => res.writeHead(503).end(`<html>${SECRET}</html>`);
    expectFailure(await get(), 'status', /^HTTP 503$/);
    answer = (_req, res) => res.writeHead(418).end(SECRET);
    expectFailure(await get(), 'rate_limited', /^HTTP 418$/);
  });

  it('a redirect, which it does not follow', async () => {
    answer = (_req, res) => res.writeHead(302, { location: '/elsewhere' }).end();
    expectFailure(await get(), 'status', /HTTP 302/);
    expect(requests).toHaveLength(1);
  });

  it('a connection that is dropped before, or in the middle of, the answer', async () => {
    answer = (_req, res) => res.destroy();
    expectFailure(await get(), 'reset', /connection broke/);
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '1000' });
      res.write(JSON_TEXT, () => res.destroy());
    };
    expectFailure(await get(), 'reset', /connection broke/);
  });

  it('an answer that is no HTTP', async () => {
    answer = (_req, res) => res.socket?.end(`SSH-2.0 ${SECRET}\r\n`);
    expectFailure(await get(), 'reset', /connection broke/);
  });

  it('nobody there, an unknown host, an address that is none', async () => {
    const gone = await serve(listener);
    await gone.close();
    expectFailure(await get('/x', { base: gone.url }), 'refused', /ECONNREFUSED/);
    expectFailure(await get('/x', { base: 'http://nowhere.invalid' }), 'refused', /no connection/);
    expectFailure(await get('/x', { base: 'file:///etc/passwd' }), 'refused', /not an http/);
    expectFailure(await get('/x\r\ny: z'), 'refused', /INVALID_ARG/);
  });

  it('no answer within the deadline, be it no header, or a body that drips', async () => {
    reopen({ deadlineMs: 60 });
    answer = () => {};
    expectFailure(await get(), 'timeout', /within 60 ms/);
    answer = (_req, res) => res.writeHead(200).write('{');
    expectFailure(await get(), 'timeout', /within 60 ms/);
  });

  it('no answer within the deadline of the call, longer or shorter', async () => {
    reopen({ deadlineMs: 60 });
    const call = { base: server.url, method: 'GET', path: '/x' } as const;
    const within = (deadlineMs: number) => client.send({ ...call, deadlineMs }, new AbortController().signal);
    answer = (_req, res) => void setTimeout(() => res.end(JSON_TEXT), 120);
    expect((await within(5000)).result).toEqual({ ok: true, value: PAYLOAD });
    expectFailure(await within(20), 'timeout', /within 20 ms/);
  });

  it('the status of a refusal whose body never ends', async () => {
    // The status must arrive within the deadline, also on a busy machine.
    reopen({ deadlineMs: 2000 });
    answer = (_req, res) => res.writeHead(429, { 'retry-after': '5' }).write('slow');
    const outcome = await get();
    expectFailure(outcome, 'rate_limited', /HTTP 429/);
    expect(outcome.headers['retry-after']).toBe('5');
  });

  it('an abort before, during and after closing', async () => {
    const abort = new AbortController();
    answer = () => abort.abort();
    expectFailure(await get('/x', { signal: abort.signal }), 'aborted', /stopped/);
    expectFailure(await get('/x', { signal: abort.signal }), 'aborted', /stopped/);
    await client.close();
    expectFailure(await get(), 'aborted', /stopped/);
  });
});
