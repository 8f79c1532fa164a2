import { HTTPFacilitatorClient } from '@x402/core/http';
import { withBazaar } from '@x402/extensions/bazaar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { BASE_URL, createExampleApi, type ExampleApi, examplePrices, SELLER } from './example-api.ts';
import { EXAMPLE_NOW } from './example-market.ts';
import { getRaw, json, type RawResponse } from './raw-http.ts';

/** A surface's statement about a route: all surfaces must agree. */
interface Terms {
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly network: string;
  readonly parameters: readonly string[];
}

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi();
  base = await example.start();
});
afterAll(() => example.api.close());

const wire = (value: unknown): Wire => (isWire(value) ? value : {});
const wires = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value.filter(isWire) : []);
const document = async (path: string): Promise<Wire> => wire(json(await getRaw(base, path)));
const concrete = (path: string): string => path.replace('{symbol}', 'BTC').replace('{venue}', 'binance');

/** Terms of a payment requirement. */
function termsOf(requirement: Wire): Terms {
  const schema = wire(wire(requirement.outputSchema).input);
  const named = { ...wire(schema.queryParams), ...wire(schema.pathParams) };
  return {
    amount: String(requirement.maxAmountRequired ?? requirement.amount),
    asset: String(requirement.asset).toLowerCase(),
    payTo: String(requirement.payTo).toLowerCase(),
    network: String(requirement.network),
    parameters: Object.keys(named).sort(),
  };
}

/** The challenge's header. */
const headerOf = (challenged: RawResponse): Wire =>
  wire(JSON.parse(Buffer.from(challenged.headers.get('payment-required') ?? '', 'base64').toString()));

/** Parameters that the discovery extension of a header declares; undefined where the header has no room for it. */
function extensionParameters(header: Wire): readonly string[] | undefined {
  const { bazaar } = wire(header.extensions);
  if (bazaar === undefined) return undefined;
  const { queryParams, pathParams } = wire(wire(wire(wire(wire(bazaar).schema).properties).input).properties);
  return Object.keys({ ...wire(wire(queryParams).properties), ...wire(wire(pathParams).properties) }).sort();
}

const sold = ROUTES.filter(({ access }) => access === 'paid');

describe('terms of a paid route', () => {
  it.each(sold)('are the same in every document: $path', async (route) => {
    const price = examplePrices().priceAt(route.id, EXAMPLE_NOW);
    const truth: Terms = {
      amount: String(Math.round(Number(price?.usd) * 1e6)),
      asset: SELLER.asset.toLowerCase(),
      payTo: SELLER.payTo.toLowerCase(),
      network: 'eip155:8453',
      parameters: [...route.queryParameters.keys(), ...route.pathParameters.keys()].sort(),
    };
    const challenged = await getRaw(base, concrete(route.path));
    const header = headerOf(challenged);
    expect(termsOf(wires(header.accepts)[0] ?? {}), 'header of the challenge').toEqual(truth);
    expect(extensionParameters(header) ?? truth.parameters, 'its extension').toEqual(truth.parameters);
    const body = termsOf(wires(wire(json(challenged)).accepts)[0] ?? {});
    expect(body, 'body of the challenge').toEqual({ ...truth, network: 'base' });
    const resource = `${BASE_URL}${route.path}`;
    for (const path of ['/v1/x402/discovery/resources', '/.well-known/x402.json']) {
      const item = wires((await document(path)).items).find((item) => item.resource === resource) ?? {};
      expect(termsOf(wires(item.accepts)[0] ?? {}), path).toEqual(truth);
    }
    const paths = wire((await document('/openapi.json')).paths);
    const operation = wire(wire(paths[route.path]).get);
    expect(wire(wire(operation['x-payment-info']).price).amount).toBe(price?.usd);
    expect(
      wires(operation.parameters)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(truth.parameters);
    const changelog = JSON.stringify(await document('/v1/pricing/changelog'));
    expect(changelog).toContain(route.id);
    const words = (await getRaw(base, '/llms.txt')).body.toString();
    expect(words).toContain(`${BASE_URL}${route.path}`);
    expect(words).toContain(`${price?.usd} USD`);
    const fanOut = JSON.stringify(await document('/.well-known/x402'));
    expect(fanOut).toContain(route.path.split('{')[0] ?? route.path);
  });

  it('are listed, filtered and searched by the official client', async () => {
    const client = withBazaar(new HTTPFacilitatorClient({ url: `${base}/v1/x402` }));
    const { listResources, search } = client.extensions.bazaar;
    expect((await listResources({ limit: 5 })).items).toHaveLength(5);
    expect((await listResources({ type: 'mcp' })).items).toEqual([]);
    expect((await listResources({ extensions: 'sign-in-with-x' })).items).toEqual([]);
    const first = await search({ query: 'order book slippage', limit: 2 });
    expect(first.resources).toHaveLength(2);
    expect(first.resources[0]?.resource).toContain('/v1/orderbook/');
    const cursor = first.pagination?.cursor ?? '';
    const second = await search({ query: 'order book slippage', limit: 2, cursor });
    expect(second.resources[0]).not.toEqual(first.resources[1]);
    expect((await search({ query: 'funding', type: 'mcp' })).resources).toEqual([]);
    await expect(search({ query: '' })).rejects.toThrow('400');
  });

  it('exist for the same routes in every document', async () => {
    const resources = sold.map(({ path }) => `${BASE_URL}${path}`).sort();
    for (const path of ['/v1/x402/discovery/resources', '/.well-known/x402.json']) {
      expect(
        wires((await document(path)).items)
          .map((item) => item.resource)
          .sort(),
      ).toEqual(resources);
    }
    const listed = (await document('/.well-known/x402')).resources;
    expect(Array.isArray(listed) ? listed.length : 0).toBe(sold.length);
  });
});
