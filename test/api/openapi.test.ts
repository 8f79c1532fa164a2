import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeName } from '../../src/api/documents/schema-names.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createExampleApi, type ExampleApi, examplePrices } from './example-api.ts';
import { EXAMPLE_NOW } from './example-market.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let example: ExampleApi;
let document: Wire = {};
/** The same for generators that do not read 3.1. */
let document30: Wire = {};
let directory = '';

beforeAll(async () => {
  example = createExampleApi();
  const base = await example.start();
  document = (await (await fetch(`${base}/openapi.json`)).json()) as Wire;
  document30 = (await (await fetch(`${base}/openapi-3.0.json`)).json()) as Wire;
  directory = mkdtempSync(join(tmpdir(), 'openapi-'));
});
afterAll(async () => {
  await example.api.close();
  rmSync(directory, { recursive: true });
});

function operation(path: string): Wire {
  const paths = isWire(document.paths) ? document.paths : {};
  const item = paths[path];
  return isWire(item) && isWire(item.get) ? item.get : {};
}

/** All schemas of a document, wherever they stand. */
function* objects(value: unknown): Generator<Wire> {
  if (Array.isArray(value)) for (const item of value) yield* objects(item);
  if (!isWire(value)) return;
  yield value;
  for (const item of Object.values(value)) yield* objects(item);
}

describe('the OpenAPI document', () => {
  it.each(['3.1.0', '3.0.3'])('of version %s: passes the linter without a warning', async (version) => {
    const linted = [document, document30].find(({ openapi }) => openapi === version);
    const file = join(directory, `${version}.json`);
    writeFileSync(file, JSON.stringify(linted));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
    const options = ['lint', '--format', 'json', '--config', join(ROOT, 'redocly.yaml'), file];
    const { stdout } = await run(process.execPath, [redocly, ...options], { env });
    const report: unknown = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect(report).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });

  it('has exactly the paths of the table', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ contact: { url: 'https://data.perpmeter.test' } });
    expect(document.servers).toEqual([expect.objectContaining({ url: 'https://data.perpmeter.test' })]);
    expect(Object.keys(isWire(document.paths) ? document.paths : {})).toEqual(ROUTES.map(({ path }) => path));
  });

  it.each(ROUTES.filter(({ access }) => access === 'paid'))(
    '$path states its price, its errors and an example',
    (route) => {
      const paid = operation(route.path);
      const price = examplePrices().priceAt(route.id, EXAMPLE_NOW);
      expect(paid['x-payment-info']).toEqual({
        protocols: [{ x402: {} }],
        price: { mode: 'fixed', currency: 'USD', amount: price?.usd },
      });
      expect(paid.security).toEqual([]);
      expect(Object.keys(isWire(paid.responses) ? paid.responses : {}).sort()).toEqual([
        '200',
        '400',
        '402',
        '404',
        '409',
        '429',
        '503',
      ]);
      expect(paid).toMatchObject({
        responses: { '200': { content: { 'application/json': { example: route.example?.answer } } } },
      });
    },
  );

  it.each(ROUTES.filter(({ access }) => access === 'free'))('$path is free', (route) => {
    const free = operation(route.path);
    expect(free.security).toEqual([]);
    expect(free).not.toHaveProperty('x-payment-info');
    expect(free).not.toHaveProperty('responses.402');
  });

  const statusesOf = (path: string): readonly string[] => {
    const { responses } = operation(path);
    return Object.keys(isWire(responses) ? responses : {}).sort();
  };

  it.each(ROUTES.filter(({ access, query }) => access === 'free' && 'venue' in query.properties))(
    '$path, a free report, says that a venue may be unknown',
    ({ path }) => {
      expect(statusesOf(path)).toEqual(['200', '304', '400', '404', '429']);
    },
  );

  it('free answers that need the ledger: marked, and no others', () => {
    const read = ['/v1/receipts/roots', '/v1/receipts/proof/{day}/{leaf}'];
    const unavailable = ROUTES.filter(
      ({ access, path, isStream }) =>
        access === 'free' && isStream !== true && statusesOf(path).includes('503'),
    );
    expect(unavailable.map(({ path }) => path).sort()).toEqual(read.sort());
  });

  it('objects with fields of their own: named in the components alone', () => {
    const inPaths = [...objects(document.paths)].filter(
      ({ properties, example }) => isWire(properties) && !example,
    );
    expect(inPaths).toEqual([]);
    const { schemas } = isWire(document.components) ? document.components : {};
    const names = Object.keys(isWire(schemas) ? schemas : {});
    const referred = [...objects(document)].map(({ $ref }) =>
      String($ref).replace('#/components/schemas/', ''),
    );
    expect(names.filter((name) => !referred.includes(name))).toEqual([]);
    expect(names).toContain('PerpArbitrageFundingSignalOpportunity');
    expect(names.filter((name) => name.length > 50)).toEqual([]);
  });

  it('a parameter, named with its operation: no schema, and no field of one', () => {
    const { schemas } = isWire(document.components) ? document.components : {};
    const fields = Object.entries(isWire(schemas) ? schemas : {}).flatMap(([name, schema]) => [
      name,
      ...Object.keys(isWire(schema) && isWire(schema.properties) ? schema.properties : {}).map(
        (field) => name + typeName(field),
      ),
    ]);
    const parameters = ROUTES.flatMap(({ id, pathParameters, queryParameters }) =>
      [...pathParameters.keys(), ...queryParameters.keys()].map((name) => typeName(id) + typeName(name)),
    );
    expect(parameters.filter((name) => fields.includes(name))).toEqual([]);
  });

  it('of version 3.0: the same operations by the same names, nothing of 3.1', () => {
    const operations = ({ paths }: Wire): readonly unknown[] =>
      [...objects(paths)].flatMap(({ operationId }) => operationId ?? []);
    expect(operations(document30)).toEqual(operations(document));
    const schemas = [...objects([document30.paths, document30.components])];
    const newer = ({ type, ...schema }: Wire): boolean =>
      Array.isArray(type) ||
      type === 'null' ||
      ['const', 'contentEncoding', 'contentSchema'].some((word) => word in schema);
    expect(schemas.filter(newer)).toEqual([]);
    expect(schemas.filter(({ nullable }) => nullable === true).length).toBeGreaterThan(20);
  });

  it('writes nullable fields as type arrays', () => {
    const all = [...objects(document)];
    expect(all.filter((schema) => 'nullable' in schema || 'anyOf' in schema)).toEqual([]);
    const nullable = all.filter((schema) => Array.isArray(schema.type) && schema.type.includes('null'));
    expect(nullable.length).toBeGreaterThan(20);
  });

  it('sells nothing where payments are off', async () => {
    const off = createExampleApi({ mode: 'off' });
    const base = await off.start();
    const text = await (await fetch(`${base}/openapi.json`)).text();
    await off.api.close();
    expect(text).not.toContain('x-payment-info');
    expect(text).not.toContain('"402"');
  });
});
