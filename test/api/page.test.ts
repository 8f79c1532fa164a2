import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPage, type PageServers, servePage } from '../web/page-servers.ts';
import { createExampleApi } from './example-api.ts';
import { getRaw, json, requestRaw } from './raw-http.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const FIRST_VIEW_BYTES = 60 * 1024;

let servers: PageServers;
beforeAll(async () => {
  servers = await servePage();
});
afterAll(() => servers.close());

/** Names of the files that a document loads. */
const linked = (document: string): string[] =>
  [...document.matchAll(/"\/(web\/[^"]+)"/g)].map((hit) => `/${hit[1]}`);

describe('GET /', () => {
  it('is the page for a browser', async () => {
    const { status, headers, body } = await getRaw(servers.public, '/', BROWSER);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(body.toString()).toContain('<meta name="perpmeter-port" content="public">');
  });

  it.each([['*/*'], ['application/json'], ['']])('is what it was for Accept "%s"', async (accept) => {
    const { status, body } = await getRaw(servers.public, '/', accept === '' ? {} : { Accept: accept });
    const bare = createExampleApi();
    const before = await getRaw(await bare.start(), '/', {});
    await bare.api.close();
    expect([status, body.toString()]).toEqual([404, before.body.toString()]);
  });

  it('answers 304 to a client that has it, and HEAD without a body', async () => {
    const first = await getRaw(servers.public, '/', BROWSER);
    const etag = first.headers.get('etag') ?? '';
    expect((await getRaw(servers.public, '/', { ...BROWSER, 'If-None-Match': etag })).status).toBe(304);
    expect((await requestRaw(servers.public, 'HEAD', '/', BROWSER)).body.length).toBe(0);
  });

  it('says on which port it is', async () => {
    const { body } = await getRaw(servers.operator, '/', BROWSER);
    expect(body.toString()).toContain('<meta name="perpmeter-port" content="operator">');
  });

  it('is no path without a built page', async () => {
    const bare = createExampleApi();
    expect((await getRaw(await bare.start(), '/', BROWSER)).status).toBe(404);
    await bare.api.close();
  });
});

describe('the files of the page', () => {
  it('may be kept for ever, and come compressed as the client takes them', async () => {
    for (const path of linked(builtPage().document)) {
      const plain = await getRaw(servers.public, path);
      expect(plain.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
      expect(path).toMatch(/-[A-Za-z0-9]{8}\.(js|css|svg)$/);
      const gzip = await getRaw(servers.public, path, { 'Accept-Encoding': 'gzip' });
      const brotli = await getRaw(servers.public, path, { 'Accept-Encoding': 'gzip, br' });
      if (plain.body.length < 860) continue;
      expect(gunzipSync(gzip.body).equals(plain.body), path).toBe(true);
      expect(brotliDecompressSync(brotli.body).equals(plain.body), path).toBe(true);
      expect(brotli.headers.get('content-encoding')).toBe('br');
    }
  });

  it('stay inside their folder', async () => {
    for (const path of ['/web/', '/web/index.html', '/web/../package.json', '/web/%2e%2e/package.json']) {
      expect((await getRaw(servers.public, path)).status, path).toBe(404);
    }
  });

  it('of the first view take at most 60 KB, compressed with gzip', () => {
    const { document, files } = builtPage();
    const seen = new Set<string>();
    const need = (name: string): void => {
      const file = files.get(name);
      if (file === undefined || seen.has(name)) return;
      seen.add(name);
      // A piece that is imported with `from` or bare comes at once; `import(…)` waits for its view.
      for (const [, piece] of file.plain.toString().matchAll(/(?:from|import)"\.\/([^"]+)"/g))
        need(piece ?? '');
    };
    for (const path of linked(document)) need(path.slice('/web/'.length));
    const code = [...seen].filter((name) => /\.(js|css)$/.test(name));
    const bytes = code.reduce(
      (sum, name) => sum + gzipSync(files.get(name)?.plain ?? '', { level: 9 }).length,
      0,
    );
    expect(code.length).toBeGreaterThanOrEqual(2);
    expect(bytes).toBeLessThanOrEqual(FIRST_VIEW_BYTES);
  });
});

describe('the guards of the page', () => {
  it('let nothing foreign load, nothing inline run, and nobody frame it', async () => {
    for (const path of ['/', ...linked(builtPage().document)]) {
      const { headers } = await getRaw(servers.public, path, BROWSER);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('the document has no script or style of its own, and no foreign address', () => {
    const { document } = builtPage();
    expect(document).not.toMatch(/<script(?![^>]*\ssrc="\/web\/)/);
    expect(document).not.toMatch(/<style|\sstyle=|\son\w+=|https?:/);
  });
});

it('a sold answer: free for the operator, not for the public', async () => {
  const path = '/v1/funding/current?symbol=BTC&limit=1';
  expect((await getRaw(servers.public, path)).status).toBe(402);
  const { status, body } = await getRaw(servers.operator, path);
  expect(status).toBe(200);
  expect(json({ status, headers: new Map(), body })).toMatchObject({ symbol: 'BTC' });
});
