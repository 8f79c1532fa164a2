import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prefersHtml } from '../../src/api/request/accept.ts';
import { ERRORS } from '../../src/domain/errors.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, json, requestRaw } from './raw-http.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let example: ExampleApi;
let base = '';

beforeAll(async () => {
  example = createExampleApi({ coalesceMs: 0 });
  base = await example.start();
});
afterAll(() => example.api.close());

describe('/errors/<code>', () => {
  it.each(Object.entries(ERRORS))('%s is data, and a page for a browser', async (code, text) => {
    const data = await getRaw(base, `/errors/${code}`);
    expect(data.headers.get('content-type')).toBe('application/json');
    expect(json(data)).toEqual({ code, type: `/errors/${code}`, ...text });
    const page = await getRaw(base, `/errors/${code}`, BROWSER);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const words of [code, String(text.status), text.title, text.cause, text.remedy])
      expect(page.body.toString()).toContain(words);
    expect(page.body.toString()).toContain(text.charged === null ? 'Not known yet' : 'Nothing was charged');
    expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(page.headers.get('etag')).not.toBe(data.headers.get('etag'));
  });

  it('is where the type of a problem document leads', async () => {
    const problem = json(await getRaw(base, '/v1/preview/funding-current?ticker=X&wrong=1')) as {
      type: string;
    };
    const { pathname } = new URL(problem.type, `${base}/v1/preview/funding-current?wrong=1`);
    const found = await getRaw(base, pathname);
    expect([found.status, json(found)]).toMatchObject([200, { type: problem.type }]);
  });

  it('lists all codes at /errors, as data and as links', async () => {
    const { errors } = json(await getRaw(base, '/errors')) as { errors: { code: string }[] };
    expect(errors.map(({ code }) => code).sort()).toEqual(Object.keys(ERRORS).sort());
    const page = (await getRaw(base, '/errors', BROWSER)).body.toString();
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`href="/errors/${code}"`);
  });

  it('does as the query says, whatever Accept prefers', async () => {
    const page = await getRaw(base, '/errors?format=html');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const data = await getRaw(base, '/errors?format=json', BROWSER);
    expect(data.headers.get('content-type')).toBe('application/json');
  });

  it('knows no other code, and says the head of a page without its body', async () => {
    expect((await getRaw(base, '/errors/constructor')).status).toBe(404);
    const head = await requestRaw(base, 'HEAD', '/errors/no_data', BROWSER);
    expect([head.headers.get('content-type'), head.body.length]).toEqual(['text/html; charset=utf-8', 0]);
  });
});

describe('prefersHtml', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', true],
    [BROWSER.Accept, true],
    ['text/*;q=0.8, application/json;q=0.7', true],
    ['text/html;q=0.5, */*', false],
    ['text/html;q=0, application/json;q=0', false],
    ['text/html;q=wrong', false],
  ])('%s: %s', (header, expected) => {
    expect(prefersHtml(header)).toBe(expected);
  });
});
