import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { fieldsOf, isHeldToVenues, namedParts, withoutFilters } from './choice-law.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, json } from './raw-http.ts';

const TAKING = ROUTES.filter(({ query }) => 'venues' in query.properties);
const CHOOSING = TAKING.filter(isHeldToVenues).map(({ path, example }) => ({
  path,
  request: example?.request ?? path,
}));
/** Tracked, live or not. */
const ALL = 'binance,bybit,okx,hyperliquid,hyperliquid-xyz,lighter,vertex';
const SCAN = '/v1/perp/arbitrage/funding';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

const beside = (request: string, more: string): string =>
  `${request}${request.includes('?') ? '&' : '?'}${more}`;
const ask = async (request: string): Promise<unknown> => json(await getRaw(base, request));

describe('every product that chooses among venues', () => {
  it('repeats what it was held to, or what will be streamed', () => {
    const others = TAKING.filter((route) => !isHeldToVenues(route));
    expect(others.filter((route) => !fieldsOf(route).includes('selection'))).toEqual([]);
  });

  it('is one that can be held to some of them', () => {
    expect(CHOOSING.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/v1/perp/arbitrage/funding-signal',
        '/v1/perp/arbitrage/funding',
        '/v1/perp/arbitrage/price',
        '/v1/perp/funding-spread',
        '/v1/funding/spread/{symbol}',
        '/v1/perp/vw-spread',
        '/v1/perp/snapshot',
        '/v1/perp/spread-stats',
        '/v1/perp/funding-heatmap',
        '/v1/orderbook/aggregate/{symbol}',
        '/v1/orderbook/best-execution',
        '/v1/orderbook/multi-venue-slippage',
        '/v1/orderbook/multi-venue-execution',
      ]),
    );
  });

  it.each(CHOOSING)('$path: of some venues, names these alone', async ({ request }) => {
    const body = await ask(beside(request, 'venues=okx,binance'));
    expect(body).toMatchObject({ filters: { venues: ['okx', 'binance'] } });
    expect(namedParts(body).venues.filter((venue) => !['okx', 'binance'].includes(venue))).toEqual([]);
  });

  it.each(CHOOSING)('$path: of all venues, answers as without', async ({ request }) => {
    const body = await ask(request);
    expect(body).not.toHaveProperty('filters');
    expect(withoutFilters(await ask(beside(request, `venues=${ALL}`)))).toEqual(body);
  });
});

describe('a request that holds an answer to a part of the market', () => {
  it.each([
    [`${SCAN}?venues=binance`, 404, 'single_venue'],
    [`${SCAN}?symbol=index:SPX&venues=binance,bybit`, 404, 'not_listed'],
    ['/v1/perp/funding-spread?ticker=index:SPX&venues=binance', 404, 'not_listed'],
    ['/v1/perp/funding-heatmap?venue=okx&venues=binance,bybit', 400, 'invalid_parameter'],
    ['/v1/perp/spread-stats?ticker=BTC&short=okx&long=bybit&exclude=okx', 400, 'invalid_parameter'],
    [`${SCAN}?venues=,`, 400, 'invalid_parameter'],
  ])('%s: %i %s', async (request, status, code) => {
    const response = await getRaw(base, request);
    expect(json(response)).toMatchObject({ code });
    expect(response.status).toBe(status);
  });

  it('the order of its words is another answer, their case is not', async () => {
    const lower = await ask(`${SCAN}?venues=okx,bybit`);
    const upper = await ask(`${SCAN}?venues=OKX,BYBIT`);
    expect(upper).toEqual(lower);
    const turned = await ask(`${SCAN}?venues=bybit,okx`);
    expect(isWire(turned) && turned.filters).toEqual({ venues: ['bybit', 'okx'] });
    expect(withoutFilters(turned)).toEqual(withoutFilters(lower));
  });
});
