import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageServers, servePage } from '../web/page-servers.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, requestRaw } from './raw-http.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const HTML = 'text/html; charset=utf-8';
const SOLD = '/v1/perp/snapshot?ticker=ETH&from=<b>';

let servers: PageServers;
/** The same service without a page. */
let bare: ExampleApi;
let bareBase = '';
beforeAll(async () => {
  servers = await servePage();
  bare = createExampleApi();
  bareBase = await bare.start();
});
afterAll(async () => {
  await servers.close();
  await bare.api.close();
});

describe('for a browser', () => {
  it('a path that is sold: a page with the price and the same terms', async () => {
    const page = await getRaw(servers.public, SOLD, BROWSER);
    const challenge = await getRaw(servers.public, SOLD);
    expect([page.status, page.headers.get('content-type')]).toEqual([402, HTML]);
    expect(page.headers.get('payment-required')).toBe(challenge.headers.get('payment-required'));
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    const text = page.body.toString();
    expect(text).toContain('<strong>$0.005</strong>');
    expect(text).toContain('href="/#/buy?route=perp-snapshot&amp;p.ticker=ETH"');
    expect(text).not.toContain('<b>');
  });

  it('a path that is not there: a page with the nearest one', async () => {
    const page = await getRaw(servers.public, '/v1/funding/curent', BROWSER);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, HTML]);
    expect(page.body.toString()).toContain('href="/v1/funding/current"');
  });

  it.each([['/<img src=x onerror=alert(1)>'], ['/"><script>alert(1)</script>']])(
    'text of the address %s: text in the page',
    async (path) => {
      const page = await getRaw(servers.public, path.replaceAll(' ', '\t'), BROWSER);
      expect(page.body.toString()).not.toMatch(/<img|<script/);
      expect(
        (await getRaw(servers.public, '/nothing', BROWSER)).headers.get('content-security-policy'),
      ).toContain("default-src 'none'");
    },
  );

  it('a HEAD has no body, and a style sheet of all of them is there', async () => {
    const head = await requestRaw(servers.public, 'HEAD', SOLD, BROWSER);
    expect([head.status, head.headers.get('content-type'), head.body.length]).toEqual([402, HTML, 0]);
    const style = await getRaw(servers.public, '/web/style.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect((await getRaw(servers.public, '/errors', BROWSER)).body.toString()).toContain('"/web/style.css"');
  });
});

it.each([
  {},
  { Accept: '*/*' },
  { Accept: 'application/json' },
  { Accept: 'text/html;q=0.5, application/json' },
])('for a program with %o: what it always was, byte by byte', async (headers: Record<string, string>) => {
  for (const path of [SOLD, '/v1/funding/curent', '/errors', '/nothing']) {
    const now = await getRaw(servers.public, path, headers);
    const before = await getRaw(bareBase, path, headers);
    expect([now.status, now.body.toString()], path).toEqual([before.status, before.body.toString()]);
    expect(now.headers.get('content-type'), path).toBe(before.headers.get('content-type'));
    expect(now.headers.get('payment-required'), path).toBe(before.headers.get('payment-required'));
  }
});
