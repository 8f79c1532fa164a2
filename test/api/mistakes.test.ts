import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/domain/errors.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { ACCEPTED, NO_PATHS, WRONG_PARAMETERS } from './mistakes.ts';
import { getRaw, json } from './raw-http.ts';

const PAYMENT = { 'X-PAYMENT': 'e30=' };

let free: ExampleApi;
let selling: ExampleApi;
let freeBase = '';
let base = '';
beforeAll(async () => {
  free = createExampleApi({ mode: 'off' });
  selling = createExampleApi();
  freeBase = await free.start();
  base = await selling.start();
});
afterAll(async () => {
  await free.api.close();
  await selling.api.close();
});

const statusOf = (code: string): number => ERRORS[code as ErrorCode].status;

describe.each([...WRONG_PARAMETERS, ...NO_PATHS])('%s', (asked, code, instead) => {
  it('is refused in words that name a request, which is answered', async () => {
    const refused = await getRaw(freeBase, encodeURI(asked).replaceAll('%25', '%'));
    expect(json(refused)).toMatchObject({ code, status: statusOf(code), instead });
    expect(json(refused)).toMatchObject({ detail: expect.stringContaining(instead) });
    expect(refused.status).toBe(statusOf(code));
    expect((await getRaw(freeBase, instead)).status).toBe(200);
  });
});

describe.each(WRONG_PARAMETERS)('%s', (asked, code, instead) => {
  it('unpaid: 402 for any query; paid: the same help, uncharged', async () => {
    const address = encodeURI(asked).replaceAll('%25', '%');
    expect((await getRaw(base, address)).status).toBe(402);
    const refused = await getRaw(base, address, PAYMENT);
    expect(json(refused)).toMatchObject({ code, instead });
    expect(refused.headers.has('payment-response')).toBe(false);
  });
});

describe.each(ACCEPTED)('%s', (asked, sameAs) => {
  it(`is answered as ${sameAs}`, async () => {
    const answer = await getRaw(freeBase, asked);
    expect(answer.status).toBe(200);
    expect(json(answer)).toEqual(json(await getRaw(freeBase, sameAs)));
  });
});

describe('a path that is none', () => {
  it('what is not sold: is said, with what comes closest', async () => {
    for (const word of ['liquidations', 'trades', 'candles', 'klines', 'options']) {
      const { detail } = json(await getRaw(freeBase, `/v1/perp/${word}`)) as { detail: string };
      expect(detail).toContain(`Nothing of "${word}" is sold here`);
    }
  });

  it('unlike every path, too long or of many parts: no guess', async () => {
    const far = ['/v1/quux/zzzzzzzz', `/v1/funding/${'a'.repeat(120)}`, '/a/b/c/d/e/f/g/h/i', '/v1/%00/x'];
    for (const path of far) {
      const refused = await getRaw(freeBase, path);
      expect([refused.status, json(refused)]).toMatchObject([404, { code: 'unknown_route' }]);
      expect(json(refused)).not.toHaveProperty('instead');
    }
  });

  it('of any route with its last letter gone: names that route', async () => {
    for (const { path, id, pathParameters } of ROUTES) {
      if (pathParameters.size > 0 || !path.startsWith('/v1/')) continue;
      const refused = json(await getRaw(freeBase, path.slice(0, -1))) as { instead?: string };
      expect([id, refused.instead?.split('?')[0]]).toEqual([id, path]);
    }
  });
});

it('a funding history with venue: has the buckets of that venue alone', async () => {
  const read = async (query: string) =>
    json(await getRaw(freeBase, `/v1/funding/historical?ticker=BTC${query}`)) as {
      venues_count: number;
      buckets: readonly { venue: string }[];
    };
  const whole = await read('');
  const [, venue = ''] = [...new Set(whole.buckets.map((bucket) => bucket.venue))];
  const one = await read(`&venue=${venue}`);
  expect(one.buckets).toEqual(whole.buckets.filter((bucket) => bucket.venue === venue));
  expect([one.venues_count, whole.venues_count > 1]).toEqual([1, true]);
  const refused = await getRaw(freeBase, '/v1/funding/historical?ticker=BTC&venue=nowhere');
  expect(json(refused)).toMatchObject({ code: 'unknown_venue', status: 404 });
});

it('a route with any unknown parameter: the example is named', async () => {
  for (const { id, example } of ROUTES) {
    if (example === undefined || id === 'health') continue;
    const wrong = `${example.request}${example.request.includes('?') ? '&' : '?'}zzqqxx=1`;
    const refused = json(await getRaw(freeBase, wrong)) as { instead?: string; detail: string };
    if (refused.detail.includes('takes no query parameters')) continue;
    const wanted = new URL(example.request, freeBase);
    const named = new URL(refused.instead ?? '', freeBase);
    expect([id, named.pathname]).toEqual([id, wanted.pathname]);
    expect([...named.searchParams].sort()).toEqual([...wanted.searchParams].sort());
  }
});
