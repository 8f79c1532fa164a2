import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { routeMargins } from './margin.ts';
import { createPriceSchedule } from './prices.ts';

const CHANGE = '2026-03-01T00:00:00.000Z';

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

const at = (ms: number): ReadonlyMap<string, bigint> =>
  routeMargins([{ id: 'cheap' }, { id: 'dear' }, { id: 'unpriced' }], prices(), 1500n, asMs(ms));

it('a margin: the price less the fee, negative for a higher fee', () => {
  expect([...at(Date.parse(CHANGE) - 1)]).toEqual([
    ['cheap', -500n],
    ['dear', 8500n],
  ]);
  expect(at(Date.parse(CHANGE)).get('dear')).toBe(10_500n);
});
