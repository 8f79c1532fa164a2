/**
 * The interface's table of a payment requirement, held against what every paid path answers without a payment: in the header
 * of the second protocol generation and in the body of the first.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { BASE_URL, createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { getRaw, json } from '../api/raw-http.ts';
import {
  type ContractEndpoint,
  type ContractParameter,
  PAID,
  PARAMETER,
  PAYMENT_REQUIREMENT,
} from './contract.ts';
import { valueFaults } from './shape.ts';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi();
  base = await example.start();
});
afterAll(() => example.api.close());

const wireOf = (value: unknown): Wire => (isWire(value) ? value : {});

interface Challenged {
  readonly header: Wire;
  readonly body: Wire;
}

async function challenged(path: string): Promise<Challenged> {
  const response = await getRaw(base, path.replace('{symbol}', 'BTC').replace('{venue}', 'binance'));
  expect(response.status).toBe(402);
  const encoded = response.headers.get('payment-required') ?? '';
  return {
    header: wireOf(JSON.parse(Buffer.from(encoded, 'base64').toString())),
    body: wireOf(json(response)),
  };
}

/** All entries of `accepts`: there is one at least. */
function entriesOf({ accepts }: Wire): readonly Wire[] {
  const entries = (wireArray(accepts) ?? []).filter(isWire);
  expect(entries.length).toBeGreaterThan(0);
  return entries;
}

const inputOf = (entry: Wire): Wire => wireOf(wireOf(entry.outputSchema).input);

/** A parameter of the contract as the entry has to state it. */
function statedOf({ type, required, enum: words, minimum, maximum }: ContractParameter): object {
  return {
    type: type === 'date-time' ? 'string' : type,
    required: required ?? false,
    ...(words !== undefined && { enum: words }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(type === 'date-time' && { format: 'date-time' }),
  };
}

function expectRequirement(entry: Wire, { path, usd, query }: ContractEndpoint, network: string): void {
  expect(valueFaults(PAYMENT_REQUIREMENT, entry)).toEqual([]);
  expect(entry).toMatchObject({
    scheme: 'exact',
    network,
    maxAmountRequired: String(Math.round(Number(usd) * 1_000_000)),
    resource: BASE_URL + path,
    mimeType: 'application/json',
    maxTimeoutSeconds: 60,
    extra: { version: '2' },
  });
  for (const address of [entry.payTo, entry.asset]) expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  const { type, method, queryParams, pathParams = {} } = inputOf(entry);
  expect([type, method]).toEqual(['http', 'GET']);
  const wanted = Object.entries(query).map(([name, parameter]) => [name, statedOf(parameter)]);
  expect(queryParams).toMatchObject(Object.fromEntries(wanted));
  for (const parameter of [...Object.values(wireOf(queryParams)), ...Object.values(wireOf(pathParams))])
    expect(valueFaults(PARAMETER, parameter)).toEqual([]);
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
  expect(Object.keys(wireOf(pathParams))).toEqual(inPath);
  const { output } = wireOf(entry.outputSchema);
  expect(Object.keys(wireOf(output)).length).toBeGreaterThan(0);
}

describe.each(PAID)('the challenge of $path', (endpoint) => {
  it('its header: every field of the table in each entry, typed', async () => {
    const { header } = await challenged(endpoint.path);
    expect(header.x402Version).toBe(2);
    for (const entry of entriesOf(header)) {
      expectRequirement(entry, endpoint, 'eip155:8453');
      expect(String(entry.description).length).toBeLessThanOrEqual(90);
    }
  });

  it('its body: the same, in the first generation', async () => {
    const { header, body } = await challenged(endpoint.path);
    for (const entry of entriesOf(body)) expectRequirement(entry, endpoint, 'base');
    const names = (challenge: Wire) => entriesOf(challenge).map((entry) => Object.keys(inputOf(entry)));
    expect(names(header)).toEqual(names(body));
  });

  it('the example of its header: the beginning of that of its body', async () => {
    const { header, body } = await challenged(endpoint.path);
    const [short, long] = [header, body].map((challenge) => wireOf(entriesOf(challenge)[0]?.outputSchema));
    expect(long?.output).toMatchObject(wireOf(short?.output));
  });
});
