import Type from 'typebox';
import { expect, it } from 'vitest';
import { asInExample } from './example.ts';
import { declaredParameters } from './parameters.ts';

const parameters = {
  path: declaredParameters(Type.Object({ venue: Type.String({ examples: ['okx'] }), symbol: Type.String() })),
  query: declaredParameters(
    Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, default: 50, examples: [9] })),
      ticker: Type.Optional(Type.String({ examples: ['ETH'] })),
    }),
  ),
};
const read = (request: string) => {
  const { path, query } = asInExample(parameters, '/v1/{venue}/{symbol}/top', request);
  return [...path, ...query].map(([name, { example }]) => [name, example]);
};

it('takes the values of the request, as their types, and no others', () => {
  expect(read('/v1/binance/crypto%3ABTC/top?limit=2')).toEqual([
    ['venue', 'binance'],
    ['symbol', 'crypto:BTC'],
    ['limit', 2],
    ['ticker', undefined],
  ]);
  expect(read('/v1/binance/BTC/top?ticker=SOL')).toContainEqual(['limit', undefined]);
});

it('refuses a request that the route would refuse', () => {
  expect(() => read('/v1/binance/BTC/top?limit=0')).toThrow('at least 1');
  expect(() => read('/v1/binance/BTC/top?limits=2')).toThrow('did you mean limit');
  expect(() => read('/v1/binance')).toThrow('symbol');
});
