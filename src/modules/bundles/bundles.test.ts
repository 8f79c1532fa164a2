import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BundlesAssetAnswer, BundlesPairAnswer } from '../../../packages/client/src/routes.ts';
import { at, fittingOf, inlined } from '../../../test/api/documented-schema.ts';
import { createExampleApi, type ExampleApi, examplePrices } from '../../../test/api/example-api.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES, exampleRows } from '../../../test/api/example-market.ts';
import { createFakeMarket } from '../../../test/api/fake-market.ts';
import { getRaw, json } from '../../../test/api/raw-http.ts';
import { isWire } from '../../domain/read.ts';
import { ROUTES } from '../routes.ts';

type Bundle = Pick<BundlesAssetAnswer, 'count' | 'parts'>;

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

const textOf = async (path: string): Promise<string> => (await getRaw(base, path)).body.toString();

const CASES = [
  '/v1/bundles/asset?ticker=BTC',
  '/v1/bundles/asset?ticker=index:SPX&span=30d',
  '/v1/bundles/asset?ticker=ETH&span=7d&history_venues=bybit,lighter',
  '/v1/bundles/pair?ticker=BTC',
  '/v1/bundles/pair?ticker=IOTX&short=bybit&long=binance&size_usd=1000',
  '/v1/bundles/matrix',
  '/v1/bundles/matrix?asset_class=index',
];

describe('the parts of a bundle', () => {
  it.each(CASES)('%s: each is its call’s answer of that moment', async (path) => {
    const text = await textOf(path);
    const { count, parts }: Bundle = JSON.parse(text);
    expect(count).toBe(parts.filter(({ status }) => status === 200).length);
    for (const part of parts) {
      const single = await getRaw(base, part.path);
      expect([part.path, part.status]).toEqual([part.path, single.status]);
      if (part.status === 200) {
        expect(text).toContain(`"error":null,"answer":${single.body.toString()}}`);
        expect(part.as_of).toBe(single.headers.get('x-data-as-of'));
      } else {
        const { code, title, detail } = json(single) as Record<string, unknown>;
        expect(part).toMatchObject({ answer: null, as_of: null, error: { code, title, detail } });
      }
    }
  });

  it.each(CASES)('%s: each fits the documented answer of its call alone', async (path) => {
    const document = json(await getRaw(base, '/openapi.json'));
    const { parts }: Bundle = JSON.parse(await textOf(path));
    const [route = ''] = path.split('?', 1);
    const steps = ['paths', route, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
    const items = at(inlined(document, at(document, steps)), ['properties', 'parts', 'items']);
    if (!isWire(items)) throw new Error(`${route} documents no parts`);
    const alternatives = Array.isArray(items.oneOf) ? items.oneOf.filter(isWire) : [items];
    for (const part of parts) {
      const [way] = part.path.split('?', 1);
      expect([part.path, fittingOf(document, alternatives, part)]).toEqual([part.path, [way]]);
      const [odd] = parts.filter(({ path: other }) => !other.startsWith(`${way}?`));
      const mixed = { ...part, answer: odd?.answer ?? {} };
      expect([part.path, fittingOf(document, [items], mixed)]).toEqual([part.path, []]);
    }
    expect(parts.filter((part) => fittingOf(document, [items], part).length === 0)).toEqual([]);
  });

  it('of an asset: the largest venues, or those that are named', async () => {
    const first: BundlesAssetAnswer = JSON.parse(await textOf('/v1/bundles/asset?ticker=BTC'));
    expect(first.history_venues).toEqual(['binance', 'bybit', 'okx']);
    expect(first.parts).toHaveLength(11);
    const named: BundlesAssetAnswer = JSON.parse(
      await textOf('/v1/bundles/asset?ticker=BTC&history_venues=okx'),
    );
    expect(named.parts.map(({ path }) => path).slice(-2)).toEqual([
      expect.stringContaining('/v1/perp/oi-history?ticker=BTC&venue=okx&'),
      expect.stringContaining('/v1/perp/volume-history?ticker=BTC&venue=okx&'),
    ]);
  });

  it('of a pair: by default the widest', async () => {
    const { short, long, parts }: BundlesPairAnswer = JSON.parse(await textOf('/v1/bundles/pair?ticker=BTC'));
    expect([short, long]).toEqual(['bybit', 'hyperliquid']);
    expect(parts).toHaveLength(7);
  });

  it('one has nothing: null, with the reason of its call', async () => {
    const path = '/v1/bundles/asset?ticker=ETH&history_venues=lighter';
    const { count, parts }: Bundle = JSON.parse(await textOf(path));
    const without = parts.filter(({ answer }) => answer === null);
    expect(count).toBe(parts.length - without.length);
    expect(without.length).toBeGreaterThan(0);
    for (const { error } of without) expect(error?.detail).toMatch(/./);
  });
});

const ratesIn = (answer: Bundle['parts'][number]['answer']) =>
  (answer as { rates: { canonical_id: string }[] } | null)?.rates ?? [];

/** A market of more rows than a page has. */
function largeMarket() {
  const [row] = exampleRows();
  if (row === undefined) throw new Error('the example market is empty');
  const rows = Array.from({ length: 2300 }, (_, at) => ({
    ...row,
    ticker: `A${at}`,
    canonicalId: `crypto:A${at}`,
  }));
  return createFakeMarket(EXAMPLE_VENUES, rows);
}

describe('the bundle of the matrix', () => {
  it('has all pages, each row once', async () => {
    const { api, start } = createExampleApi({ mode: 'off', market: largeMarket() });
    const { parts }: Bundle = json(await getRaw(await start(), '/v1/bundles/matrix')) as Bundle;
    await api.close();
    const ids = parts.flatMap(({ answer }) => ratesIn(answer).map(({ canonical_id }) => canonical_id));
    expect(parts).toHaveLength(3);
    expect(new Set(ids).size).toBe(2300);
    expect(ids).toHaveLength(2300);
  });
});

describe('a bundle that is refused', () => {
  it.each([
    ['/v1/bundles/asset', 400, 'missing_parameter'],
    ['/v1/bundles/asset?ticker=NOTHING', 404, 'unknown_ticker'],
    ['/v1/bundles/asset?ticker=SPX', 409, 'ambiguous_ticker'],
    ['/v1/bundles/asset?ticker=BTC,ETH', 400, 'invalid_parameter'],
    ['/v1/bundles/pair?ticker=BTC,', 400, 'invalid_parameter'],
    ['/v1/bundles/asset?ticker=BTC&history_venues=nowhere', 404, 'unknown_venue'],
    ['/v1/bundles/asset?ticker=BTC&history_venues=a,b,c,d,e,f,g', 400, 'invalid_parameter'],
    ['/v1/bundles/pair?ticker=BTC&short=okx', 400, 'invalid_parameter'],
    ['/v1/bundles/pair?ticker=BTC&short=okx&long=okx', 400, 'invalid_parameter'],
    ['/v1/bundles/pair?ticker=SOL&short=okx&long=binance', 404, 'not_listed'],
    ['/v1/bundles/pair?ticker=SOL', 404, 'single_venue'],
    ['/v1/bundles/matrix?asset_class=fx', 404, 'no_data'],
  ])('%s: %i %s', async (path, status, code) => {
    const response = await getRaw(base, path);
    expect([response.status, json(response)]).toMatchObject([status, { code }]);
  });

  it.each([
    ['/v1/bundles/asset?ticker=NORATE', '/v1/orderbook/multi-venue-slippage?ticker=NORATE&size_usd=1000'],
    [
      '/v1/bundles/pair?ticker=PEPE&short=okx&long=binance',
      '/v1/orderbook/multi-venue-slippage?ticker=PEPE&size_usd=10000',
    ],
  ])('%s: a part is away for now, and is named', async (path, part) => {
    const single = await getRaw(base, part);
    const response = await getRaw(base, path);
    const { code, detail } = json(single) as { code: string; detail: string };
    expect([single.status, response.status]).toEqual([503, 503]);
    expect(response.headers.get('retry-after')).toBe(single.headers.get('retry-after'));
    const said = json(response) as { code: string; detail: string };
    expect([said.code, said.detail.startsWith(part), said.detail.endsWith(detail)]).toEqual([
      code,
      true,
      true,
    ]);
  });

  it('its main part is not ready: nothing is sold', async () => {
    const rows = exampleRows().map((row) => ({ ...row, fresh: false, rateFresh: false }));
    const venues = EXAMPLE_VENUES.map((venue) => ({ ...venue, status: 'stale' as const }));
    const { api, start, paywall } = createExampleApi({ market: createFakeMarket(venues, rows) });
    const at = await start();
    for (const path of CASES) {
      const response = await getRaw(at, path, { 'PAYMENT-SIGNATURE': 'e30=' });
      expect([path, response.status]).toEqual([path, 503]);
    }
    expect(paywall.deliveries).toEqual([]);
    await api.close();
  });
});

describe('the price of a bundle', () => {
  it('is less than that of its parts one by one', async () => {
    for (const path of ['/v1/bundles/asset?ticker=BTC', '/v1/bundles/pair?ticker=BTC']) {
      const { parts }: Bundle = JSON.parse(await textOf(path));
      const apart = parts.reduce((sum, part) => sum + priceOf(part.path), 0);
      expect(priceOf(path)).toBeLessThan(apart);
    }
  });
});

function priceOf(path: string): number {
  const [way] = path.split('?', 1);
  const id = ROUTES.find((route) => route.path === way)?.id ?? '';
  return Number(examplePrices().priceAt(id, EXAMPLE_NOW)?.usd);
}
