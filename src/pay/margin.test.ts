import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { type CostTerms, callCost, type PaidWay, routeMargins } from './margin.ts';
import { createPriceSchedule } from './prices.ts';

const CHANGE = '2026-03-01T00:00:00.000Z';
const NETWORK = 'eip155:8453';
const FEE: CostTerms = { by: 'fee', fee: 1_500n };
const NOTHING = { transactions: 0, read: 0, wei: 0n };
/** Gas of $0.003 at an ether of 3,000 USD, wei. */
const MILLI = 1_000_000_000_000n;

const exact: PaidWay = { scheme: 'exact', network: NETWORK, isAlone: true, costs: NOTHING };
const channels: PaidWay = { ...exact, scheme: 'batch-settlement', isAlone: false };

function prices() {
  const made = createPriceSchedule({
    currency: 'USD',
    changelog: [
      {
        effective: '2026-01-01T00:00:00.000Z',
        note: 'first',
        changes: [
          { id: 'cheap', usd: '0.001' },
          { id: 'dear', usd: '0.01' },
        ],
      },
      { effective: CHANGE, note: 'dearer', changes: [{ id: 'dear', usd: '0.012' }] },
    ],
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

describe('the cost of a sale', () => {
  it('a declared fee: that of exact at once, that of channels by sale', () => {
    expect(callCost(exact, 0, FEE)).toMatchObject({ atomic: 1_500, gap: undefined });
    const costs = { ...NOTHING, transactions: 3 };
    expect(callCost({ ...channels, costs }, 100, FEE)).toMatchObject({ atomic: 45, sales: 100 });
    expect(callCost(channels, 0, FEE)).toMatchObject({ atomic: undefined, gap: 'nothing_sold' });
    expect(callCost(exact, 0, { by: 'fee', fee: 0n })).toMatchObject({ atomic: 0 });
    expect(callCost(exact, 9, { by: 'fee', fee: undefined }).gap).toBe('no_declared_fee');
  });

  it('gas: the mean of the receipts that were read, for all transactions', () => {
    const gas: CostTerms = { by: 'gas', coinUsd: 3_000 };
    const costs = { transactions: 4, read: 2, wei: 2n * MILLI };
    expect(callCost({ ...exact, costs }, 4, gas).atomic).toBeCloseTo(3_000, 9);
    expect(callCost({ ...channels, costs }, 60, gas).atomic).toBeCloseTo(200, 9);
    expect(callCost(exact, 4, gas)).toMatchObject({ atomic: undefined, gap: 'nothing_settled' });
    expect(callCost({ ...exact, costs }, 4, { by: 'gas', coinUsd: undefined }).gap).toBe('no_coin_price');
  });
});

describe('margins', () => {
  const routes = [{ id: 'cheap' }, { id: 'dear' }, { id: 'unpriced' }];
  const usdAt = (ms: number, ways = [callCost(exact, 0, FEE)]) =>
    routeMargins(routes, prices(), ways, asMs(ms)).map(({ route, usd }) => [route, usd]);

  it('the price less the cost: negative for a higher cost', () => {
    expect(usdAt(Date.parse(CHANGE) - 1)).toEqual([
      ['cheap', -0.0005],
      ['dear', 0.0085],
    ]);
    expect(usdAt(Date.parse(CHANGE))).toContainEqual(['dear', 0.0105]);
  });

  it('an unknown cost: no margin, and its reason', () => {
    const [margin] = routeMargins(routes, prices(), [callCost(channels, 0, FEE)], asMs(Date.parse(CHANGE)));
    expect(margin).toEqual({
      route: 'cheap',
      scheme: 'batch-settlement',
      network: NETWORK,
      usd: undefined,
      gap: 'nothing_sold',
    });
  });
});
