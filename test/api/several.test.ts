import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { at, fittingOf, inlined } from './documented-schema.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, json } from './raw-http.ts';

const SEVERAL = ROUTES.flatMap(({ id, path, several }) =>
  several === undefined ? [] : [{ id, path, several }],
);

let example: ExampleApi;
let base = '';
let document: unknown;
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
  document = json(await getRaw(base, '/openapi.json'));
});
afterAll(() => example.api.close());

const about = (path: string, assets: string, more = ''): string =>
  path.includes('{symbol}')
    ? `${path.replace('{symbol}', assets)}${more.replace('&', '?')}`
    : `${path}?ticker=${assets}${more}`;
const ask = async (request: string): Promise<unknown> => json(await getRaw(base, request));

/** Titles of the alternatives of the documented answer that it fits. */
function fitting(path: string, answer: unknown): readonly unknown[] {
  const steps = ['paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema', 'oneOf'];
  const found = inlined(document, at(document, steps));
  const alternatives = Array.isArray(found) ? found.filter(isWire) : [];
  return fittingOf(document, alternatives, answer);
}
const SNAPSHOT = '/v1/perp/snapshot';

describe('a list of assets where one is taken', () => {
  it('is taken by the products about one asset over its venues', () => {
    expect(SEVERAL.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/v1/perp/funding-spread',
        '/v1/funding/spread/{symbol}',
        '/v1/perp/vw-spread',
        SNAPSHOT,
        '/v1/perp/spread-stats',
        '/v1/orderbook/aggregate/{symbol}',
        '/v1/orderbook/best-execution',
        '/v1/orderbook/multi-venue-slippage',
        '/v1/orderbook/multi-venue-execution',
      ]),
    );
  });

  it.each(SEVERAL)('$path: answers each as it does for it alone', async ({ path, several }) => {
    const btc = await ask(about(path, 'BTC'));
    const eth = await ask(about(path, 'ETH'));
    const both = await ask(about(path, 'ETH,btc,BTC'));
    const answered = [eth, btc].filter((answer) => isWire(answer) && answer.code === undefined);
    expect(answered.length).toBeGreaterThan(0);
    expect(both).toMatchObject({ count: answered.length, answers: answered });
    expect(Compile(several).Check(both)).toBe(true);
    expect(await ask(about(path, 'BTC,'))).toEqual({ count: 1, answers: [btc], unanswered: [] });
  });

  it.each(SEVERAL)('$path: each answer fits one documented alternative', async ({ id, path }) => {
    const one = (await Promise.all([ask(about(path, 'BTC')), ask(about(path, 'ETH'))])).find(
      (answer) => isWire(answer) && answer.code === undefined,
    );
    expect(fitting(path, one)).toEqual([`${id} of one asset`]);
    expect(fitting(path, await ask(about(path, 'ETH,BTC')))).toEqual([`${id} of several assets`]);
  });

  it.each(SEVERAL)('$path: an unknown name fails all, with the list mended', async ({ path }) => {
    const response = await getRaw(base, about(path, 'BTC,ETHH'));
    expect(response.status).toBe(404);
    expect(json(response)).toMatchObject({ code: 'unknown_ticker', instead: about(path, 'BTC,ETH') });
  });

  it('an asset without data: named with its reason, the others answered', async () => {
    const body = await ask(about(SNAPSHOT, 'BTC,index:SPX', '&venues=binance,bybit'));
    expect(body).toMatchObject({
      count: 1,
      answers: [{ ticker: 'BTC', filters: { venues: ['binance', 'bybit'] } }],
      unanswered: [{ ticker: 'index:SPX', code: 'not_listed' }],
    });
  });

  it.each([
    [`${SNAPSHOT}?ticker=index:SPX,&venues=binance,bybit`, 404, 'not_listed'],
    [`${SNAPSHOT}?ticker=BTC,ETH&canonical_id=crypto:BTC`, 400, 'invalid_parameter'],
    [`${SNAPSHOT}?ticker=,`, 400, 'invalid_parameter'],
    [`${SNAPSHOT}?ticker=${'A'.repeat(65)}`, 400, 'invalid_parameter'],
    [`${SNAPSHOT}?ticker=${Array.from({ length: 21 }, (_, i) => `A${i}`).join()}`, 400, 'invalid_parameter'],
  ])('%s: %i %s', async (request, status, code) => {
    const response = await getRaw(base, request);
    expect(json(response)).toMatchObject({ code });
    expect(response.status).toBe(status);
  });

  it('rates of several: the rows of each', async () => {
    const rowsOf = async (symbol: string) => {
      const body = await ask(`/v1/funding/current?symbol=${symbol}`);
      return isWire(body) && Array.isArray(body.rates) ? body.rates : [];
    };
    const both = await ask('/v1/funding/current?symbol=ETH,BTC');
    expect(both).toMatchObject({
      symbol: 'ETH,BTC',
      rates: [...(await rowsOf('BTC')), ...(await rowsOf('ETH'))],
    });
  });
});
