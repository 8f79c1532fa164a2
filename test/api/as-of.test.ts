import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { answersData } from '../../src/products/define-product.ts';
import { createExampleApi, type ExampleApi, requestOf } from './example-api.ts';
import { EXAMPLE_NOW } from './example-market.ts';
import { getRaw } from './raw-http.ts';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const asOf = async (request: string) => {
  const { status, headers } = await getRaw(base, request);
  expect(status, request).toBe(200);
  return headers.get('x-data-as-of');
};

describe('X-Data-As-Of', () => {
  it.each(ROUTES.filter(answersData).map((route) => [requestOf(route)]))('dates %s', async (request) => {
    const time = await asOf(request);
    expect(time).toMatch(TIME);
    expect(Date.parse(time ?? '')).toBeLessThanOrEqual(EXAMPLE_NOW);
  });

  it.each(ROUTES.filter((route) => !answersData(route)).map((route) => [requestOf(route)]))(
    'is not on the document %s',
    async (request) => expect(await asOf(request)).toBeUndefined(),
  );

  it.each([
    '/v1/perp/arbitrage/funding?min_diff=10',
    '/v1/perp/arbitrage/price?min_diff_bps=100000',
    '/v1/perp/arbitrage/funding-signal?min_diff=10',
    '/v1/perp/volume-anomalies?min_z=1000',
    '/v1/rwa/perp-coverage?asset_class=etf',
  ])('dates %s, which finds nothing', async (request) => {
    expect(await asOf(request)).toMatch(TIME);
  });
});
