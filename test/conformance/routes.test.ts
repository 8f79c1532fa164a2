import { existsSync, readdirSync } from 'node:fs';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Declared } from '../../src/api/request/declared.ts';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { answersData } from '../../src/products/define-product.ts';
import { createExampleApi, type ExampleApi, examplePrices } from '../api/example-api.ts';
import { EXAMPLE_NOW } from '../api/example-market.ts';
import { getRaw, json } from '../api/raw-http.ts';
import {
  CATALOG_ITEM,
  CONTRACT,
  type ContractEndpoint,
  type ContractParameter,
  FREE,
  PAID,
  PAYMENT_REQUIREMENT,
} from './contract.ts';
import { DOCUMENTS as MODULE_DOCUMENTS } from './module-promises.ts';
import { extraFields, schemaFaults, valueFaults } from './shape.ts';

/** Paths that the interface names in its text, or that were decided, without a body of named fields. */
const DOCUMENTS: readonly string[] = [
  ...MODULE_DOCUMENTS,
  '/v1/x402/discovery/search',
  '/openapi.json',
  '/.well-known/x402.json',
  '/.well-known/x402',
  '/icon.png',
  '/llms.txt',
  '/v1/pricing/changelog',
  '/.well-known/did.json',
  '/v1/receipts/roots',
  '/v1/receipts/proof/{day}/{leaf}',
  '/errors',
  '/errors/{code}',
];

const endpointOf = (route: Route): ContractEndpoint | undefined =>
  CONTRACT.find(({ path }) => path === route.path);
const built = ROUTES.flatMap((route) => {
  const endpoint = endpointOf(route);
  return endpoint === undefined ? [] : [{ path: route.path, route, endpoint }];
});

function parameterFaults(
  name: string,
  wanted: ContractParameter,
  declared: Declared | undefined,
): readonly string[] {
  if (declared === undefined) return [`${name}: missing`];
  const type = wanted.type === 'date-time' ? 'string' : wanted.type;
  const faults: string[] = [];
  const same = (what: string, want: unknown, got: unknown): void => {
    if (JSON.stringify(want) !== JSON.stringify(got)) faults.push(`${name}: ${what} is ${got}, not ${want}`);
  };
  same('type', type, declared.type);
  same('required', wanted.required ?? false, declared.required);
  if (wanted.enum !== undefined) same('enum', wanted.enum, declared.enum);
  if (wanted.default !== undefined) same('default', wanted.default, declared.default);
  if (wanted.minimum !== undefined) same('minimum', wanted.minimum, declared.minimum);
  if (wanted.maximum !== undefined) same('maximum', wanted.maximum, declared.maximum);
  if (wanted.type === 'date-time') same('format', 'date-time', declared.format);
  return faults;
}

describe('the contract as data', () => {
  it('names each path once, and prices it as the price list does', () => {
    const paths = CONTRACT.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const prices = examplePrices();
    const sold = ROUTES.filter(({ access }) => access === 'paid');
    const listed = new Map(sold.map(({ id, path }) => [path, Number(prices.priceAt(id, EXAMPLE_NOW)?.usd)]));
    expect(new Map(PAID.map(({ path, usd }) => [path, Number(usd)]))).toEqual(listed);
    expect(FREE.every(({ usd }) => usd === undefined)).toBe(true);
    const priced = prices.changelog.flatMap(({ changes }) => changes.map(({ id }) => id));
    expect(new Set(priced)).toEqual(new Set(sold.map(({ id }) => id)));
  });
});

describe('the route table', () => {
  it('has no path that the interface does not know', () => {
    const unlisted = ROUTES.filter((route) => endpointOf(route) === undefined).map(({ path }) => path);
    expect(unlisted.filter((path) => !DOCUMENTS.includes(path))).toEqual([]);
  });

  it('has each product in a file named after it', () => {
    const products = ROUTES.filter(
      ({ id, path, isStream, ...route }) =>
        answersData(route) && id !== 'health' && isStream !== true && !DOCUMENTS.includes(path),
    );
    const folders = ['src/products', ...readdirSync('src/modules').map((id) => `src/modules/${id}`)];
    const missing = products.filter(({ id }) => !folders.some((folder) => existsSync(`${folder}/${id}.ts`)));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('has distinct ids and descriptions of at most 500 characters', () => {
    for (const pick of [(r: Route) => r.id, (r: Route) => r.path, (r: Route) => r.description]) {
      expect(new Set(ROUTES.map(pick)).size).toBe(ROUTES.length);
    }
    for (const { id, description } of ROUTES) expect(description.length, id).toBeLessThanOrEqual(500);
  });

  it.each(built)('$path sells, asks and answers as the interface says', ({ route, endpoint }) => {
    expect(route.access).toBe(endpoint.usd === undefined ? 'free' : 'paid');
    const parameters = Object.entries(endpoint.query).flatMap(([name, wanted]) =>
      parameterFaults(name, wanted, route.queryParameters.get(name)),
    );
    expect(parameters).toEqual([]);
    const inPath = [...route.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
    expect([...route.pathParameters.keys()]).toEqual(inPath);
    for (const shape of [endpoint.response, endpoint.decided]) {
      if (shape !== undefined) expect(schemaFaults(shape, route.answer)).toEqual([]);
    }
  });
});

describe('answers', () => {
  let example: ExampleApi;
  let base = '';
  beforeAll(async () => {
    example = createExampleApi({ mode: 'off' });
    base = await example.start();
  });
  afterAll(() => example.api.close());

  const asked = built.map(({ path, route, endpoint }) => ({
    path,
    route,
    endpoint,
    request: route.example?.request ?? path,
  }));

  it.each(asked)('$request', async ({ route, endpoint, request }) => {
    const response = await getRaw(base, request);
    expect(response.status).toBe(200);
    const body = json(response);
    const schema = Compile(route.answer);
    expect(schema.Check(body) ? [] : schema.Errors(body)).toEqual([]);
    expect(extraFields(route.answer, body)).toEqual([]);
    for (const shape of [endpoint.response, endpoint.decided]) {
      if (shape !== undefined) expect(valueFaults(shape, body)).toEqual([]);
    }
  });

  const disambiguating = built.filter(({ endpoint }) => endpoint.disambiguates);

  it.each(disambiguating)(
    '$path names the candidates of an ambiguous ticker, without prices',
    async ({ path, route }) => {
      const venue = route.queryParameters.has('venue') ? '&venue=lighter' : '';
      const response = await getRaw(base, `${path}?ticker=spx${venue}`);
      if (venue !== '') {
        // The venue lists one of them, so there is nothing to ask.
        expect(json(response)).toMatchObject({ canonical_id: 'index:SPX' });
      } else {
        expect(response.status).toBe(409);
        expect(json(response)).toMatchObject({
          code: 'ambiguous_ticker',
          candidates: expect.arrayContaining([
            { canonical_id: 'crypto:SPX6900', asset_class: 'crypto', venues: ['bybit', 'okx'] },
            { canonical_id: 'index:SPX', asset_class: 'index', venues: ['hyperliquid-xyz', 'lighter'] },
          ]),
        });
        expect(response.body.toString()).not.toMatch(/price|6712|0\.71/);
        const chosen = await getRaw(base, `${path}?ticker=SPX&canonical_id=index:SPX`);
        expect(chosen.status).toBe(200);
      }
      const wrong = await getRaw(base, `${path}?ticker=SPX&canonical_id=crypto:BTC${venue}`);
      expect(wrong.status).toBe(400);
      expect(json(wrong)).toMatchObject({ code: 'canonical_id_contradicts_ticker' });
    },
  );
});

describe('payment documents', () => {
  let example: ExampleApi;
  let base = '';
  beforeAll(async () => {
    example = createExampleApi();
    base = await example.start();
  });
  afterAll(() => example.api.close());

  const sold = built.filter(({ route }) => route.access === 'paid');

  it.each(sold)('$path: challenged with every required field, at its price', async ({ path, endpoint }) => {
    const response = await getRaw(base, path.replace('{symbol}', 'BTC').replace('{venue}', 'binance'));
    const header: unknown = JSON.parse(
      Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString(),
    );
    const amount = String(Math.round(Number(endpoint.usd) * 1_000_000));
    const resource = { url: 'string', description: 'string', mimeType: 'string' } as const;
    expect(valueFaults({ resource, accepts: [PAYMENT_REQUIREMENT] }, header)).toEqual([]);
    expect(header).toMatchObject({
      x402Version: 2,
      accepts: [{ maxAmountRequired: amount, amount, network: 'eip155:8453' }],
    });
    const body = json(response);
    expect(valueFaults({ accepts: [PAYMENT_REQUIREMENT] }, body)).toEqual([]);
    expect(body).toMatchObject({
      accepts: [{ maxAmountRequired: amount, resource: `https://data.perpmeter.test${path}` }],
    });
  });

  it('the catalog has an item for everything that is sold', async () => {
    const body = json(await getRaw(base, '/v1/x402/discovery/resources'));
    expect(body).toMatchObject({ x402Version: 2, pagination: { limit: 100, offset: 0, total: sold.length } });
    expect(valueFaults({ items: [CATALOG_ITEM] }, body)).toEqual([]);
  });
});
