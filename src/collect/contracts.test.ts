import { describe, expect, it } from 'vitest';
import { instrument } from '../../test/collect/tiny-venue.ts';
import { asBase, asMs, asPrice, asUsd } from '../domain/units.ts';
import { Contracts } from './contracts.ts';

const list = (...symbols: string[]) => symbols.map((symbol) => instrument('v', symbol));
const order = (contracts: Contracts, now: number) =>
  contracts.plan(asMs(now)).instruments.map((i) => i.symbol);

describe('Contracts', () => {
  it('several lists: their union, with news of added and removed symbols', () => {
    const contracts = new Contracts();
    expect(contracts.replace('usdt', list('A', 'B'))).toBe(true);
    expect(contracts.replace('usdc', list('C'))).toBe(true);
    expect([...contracts.bySymbol.keys()]).toEqual(['A', 'B', 'C']);
    expect(contracts.replace('usdt', list('B', 'A'))).toBe(false);
    expect(contracts.replace('usdt', list('B', 'D'))).toBe(true);
    expect([...contracts.bySymbol.keys()].sort()).toEqual(['B', 'C', 'D']);
  });

  it.each([{ contractSize: 10 }, { multiplier: 1000 }, { altId: '7' }, { indexId: 'B-USD' }])(
    'tells of a contract that stays listed with another %o',
    (change) => {
      const contracts = new Contracts();
      contracts.replace('all', list('A', 'B'));
      const [a, b] = list('A', 'B');
      const changed = [a, { ...b, ...change }] as ReturnType<typeof list>;
      expect(contracts.replace('all', changed)).toBe(true);
      expect(contracts.replace('all', changed)).toBe(false);
    },
  );

  it('plans the most traded first, from USD volume or base volume x mark', () => {
    const contracts = new Contracts();
    contracts.replace('all', list('A', 'B', 'C', 'D'));
    contracts.noteVolumes([
      { symbol: 'A', volume24hUsd: asUsd(10) },
      { symbol: 'B', volume24hBase: asBase(5), markPrice: asPrice(4) },
      { symbol: 'C', markPrice: asPrice(100) },
      { symbol: 'X', volume24hUsd: asUsd(1e9) },
    ]);
    contracts.noteVolumes([{ symbol: 'C', volume24hBase: asBase(1) }]);
    expect(order(contracts, 0)).toEqual(['C', 'B', 'A', 'D']);
  });

  it('plans no book of a contract whose book is only indicative', () => {
    const contracts = new Contracts();
    const [a, b] = list('A', 'B');
    contracts.replace('all', [a, { ...b, indicativeBook: true }] as ReturnType<typeof list>);
    expect(order(contracts, 0)).toEqual(['A', 'B']);
    expect(contracts.planBooks(asMs(0)).instruments.map(({ symbol }) => symbol)).toEqual(['A']);
  });

  it('keeps an order for a minute, then looks again', () => {
    const contracts = new Contracts();
    contracts.replace('all', list('A', 'B'));
    expect(order(contracts, 0)).toEqual(['A', 'B']);
    contracts.noteVolumes([{ symbol: 'B', volume24hUsd: asUsd(10) }]);
    expect(order(contracts, 59_999)).toEqual(['A', 'B']);
    expect(order(contracts, 60_000)).toEqual(['B', 'A']);
  });

  it('forgets the volume of a delisted contract', () => {
    const contracts = new Contracts();
    contracts.replace('all', list('A', 'B'));
    contracts.noteVolumes([{ symbol: 'B', volume24hUsd: asUsd(10) }]);
    contracts.replace('all', list('A'));
    contracts.replace('all', list('A', 'B'));
    expect(order(contracts, 0)).toEqual(['A', 'B']);
  });
});
