import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Declared } from '../../src/api/request/declared.ts';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { codePoint } from '../code-point.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, json } from './raw-http.ts';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off', coalesceMs: 0 });
  base = await example.start();
});
afterAll(() => example.api.close());

const NAMES = [
  'BTC',
  'btc',
  'BTC-PERP',
  'ethperp',
  'SPX',
  'crypto:SPX6900',
  'index:spx',
  'PEPE',
  'SOLO',
  'OLD',
  'NORATE',
  'NOPE',
];
const VENUES = ['binance', 'OKX', 'lighter', 'hyperliquid-xyz', 'vertex', 'nowhere'];

const oddText = fc.oneof(
  fc.string({ maxLength: 80, unit: codePoint }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    'null',
    'NaN',
    '__proto__',
    'constructor',
    '%00',
    '../..',
    '😀',
    'a'.repeat(300),
  ),
);

/** Values that a parameter may have, sensible and not. */
function parameterValue(name: string, declared: Declared): fc.Arbitrary<string> {
  const sensible: fc.Arbitrary<unknown>[] = [];
  if (declared.enum !== undefined) sensible.push(fc.constantFrom(...declared.enum));
  if (name === 'ticker' || name === 'symbol' || name === 'canonical_id')
    sensible.push(fc.constantFrom(...NAMES));
  if (name === 'venue') sensible.push(fc.constantFrom(...VENUES));
  if (declared.type === 'boolean') sensible.push(fc.boolean());
  if (declared.type === 'integer' || declared.type === 'number')
    sensible.push(fc.integer({ min: -2, max: 1200 }));
  return fc
    .oneof(
      { weight: 5, arbitrary: sensible.length > 0 ? fc.oneof(...sensible) : oddText },
      { weight: 1, arbitrary: oddText },
    )
    .map(String);
}

function queryOf(route: Route): fc.Arbitrary<string> {
  const known = [...route.queryParameters].map(([name, declared]) =>
    fc.option(
      parameterValue(name, declared).map((value) => [name, value] as const),
      { nil: undefined, freq: declared.required ? 20 : 2 },
    ),
  );
  const odd = fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.tuple(oddText, oddText) },
  );
  return fc
    .tuple(fc.tuple(...known), odd)
    .map(([pairs, extra]) => [...pairs, extra].filter((pair) => pair !== undefined))
    .map((pairs) =>
      new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString(),
    );
}

const pathOf = (route: Route): fc.Arbitrary<string> => {
  const values = fc.oneof(fc.constantFrom(...NAMES, ...VENUES), oddText);
  return values.map((value) => route.path.replace(/\{[^}]+\}/, encodeURIComponent(value)));
};

const STATUSES = [200, 400, 404, 409, 503];
const seen = new Set<number>();

describe.each(ROUTES.map((route) => [route.path, route] as const))('any query at %s', (_path, route) => {
  const schema = route.contentType === undefined ? Compile(route.answer) : undefined;

  it('any request: data of the schema or a problem, never a fault', async () => {
    await fc.assert(
      fc.asyncProperty(pathOf(route), queryOf(route), async (path, query) => {
        const response = await getRaw(base, query === '' ? path : `${path}?${query}`);
        expect(STATUSES).toContain(response.status);
        seen.add(response.status);
        if (response.status === 200) {
          const type = response.headers.get('content-type') ?? '';
          const media = (name: string): string => name.split(';')[0] ?? '';
          const isFile = route.fileTypes?.some((fileType) => media(fileType) === media(type)) === true;
          if (schema !== undefined && !isFile) expect(schema.Errors(json(response))).toEqual([]);
        } else {
          expect(response.headers.get('content-type')).toBe('application/problem+json');
          expect(json(response)).toMatchObject({ status: response.status, code: expect.any(String) });
        }
        if (response.status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
    expect(example.faults).toEqual([]);
  });

  it('is read into values of the declared types', () => {
    const query = Compile(route.query);
    fc.assert(
      fc.property(queryOf(route), (text) => {
        const path = [...route.pathParameters.keys()].map((name) => [name, 'BTC'] as const);
        const read = route.read(path, [...new URLSearchParams(text)]);
        if (read.ok) expect(query.Errors(read.value)).toEqual([]);
        else expect(read.error.errors?.length ?? 0).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the generated queries', () => {
  it('reached every kind of answer', () => {
    expect([...seen].sort()).toEqual(STATUSES);
  });
});

describe('any path', () => {
  it('returns data only for an exact path of the route table', async () => {
    const known = new Set(ROUTES.map(({ path }) => path));
    const segment = fc.constantFrom(
      'v1',
      'V1',
      'funding',
      'current',
      'perp',
      'carry',
      'spread',
      '',
      '.',
      '..',
      '%2f',
      '%2e',
      'BTC',
      'health',
      '%00',
    );
    const joiner = fc.constantFrom('/', '//', '%2f', '/./', '\\', ';');
    const path = fc
      .array(fc.tuple(joiner, segment), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join(''));
    await fc.assert(
      fc.asyncProperty(path, async (text) => {
        const response = await getRaw(base, text);
        const template = text.replace(/^\/v1\/funding\/spread\/[A-Za-z0-9]+$/, '/v1/funding/spread/{symbol}');
        if (!known.has(template)) expect([400, 404]).toContain(response.status);
      }),
      { numRuns: 300 },
    );
  });
});
