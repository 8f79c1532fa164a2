import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from '../../../test/api/example-api.ts';
import { getRaw, json } from '../../../test/api/raw-http.ts';
import { asBase, asPrice, asUsd } from '../../domain/units.ts';
import { smallestOrder } from './contract-terms.ts';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

/** Terms that a row of the example, which has none, is shown with. */
const UNSTATED = { tick: null, lot: null, null_reasons: { tick: 'not_stated', min_order_usd: 'not_stated' } };

describe('terms of legs', () => {
  const signal = '/v1/perp/arbitrage/funding-signal?limit=1';
  const route = '/v1/orderbook/multi-venue-execution?ticker=BTC&size_usd=10000';

  it('a signal: of both legs where they are asked for', async () => {
    expect(json(await getRaw(base, `${signal}&contract_terms=true`))).toMatchObject({
      opportunities: [{ short: { contract_terms: UNSTATED }, long: { contract_terms: UNSTATED } }],
    });
    expect((await getRaw(base, signal)).body.toString()).not.toContain('contract_terms');
  });

  it.each(['', '&split=true'])('a route%s: of each leg where they are asked for', async (how) => {
    const made = json(await getRaw(base, `${route}${how}&contract_terms=true`)) as { route?: unknown[] };
    expect(made.route?.length).toBeGreaterThan(0);
    for (const leg of made.route ?? []) expect(leg).toMatchObject({ contract_terms: UNSTATED });
  });
});

describe('the smallest order', () => {
  const lot = asBase(0.001);
  it.each([
    [{ minSize: asBase(0.002) }, 50_000, 0.002],
    [{ lot, minNotionalUsd: asUsd(100) }, 50_000, 0.002],
    [{ lot, minNotionalUsd: asUsd(101) }, 50_000, 0.003],
    [{ lot, minSize: asBase(0.005), minNotionalUsd: asUsd(100) }, 50_000, 0.005],
    [{ lot: asBase(0.1), minNotionalUsd: asUsd(3) }, 10, 0.3],
    [{ minNotionalUsd: asUsd(5) }, undefined, undefined],
    [{ lot }, 50_000, undefined],
  ])('%j at %j: %j', (terms, mark, base) => {
    expect(smallestOrder(terms, mark === undefined ? undefined : asPrice(mark))).toEqual(base);
  });
});
