import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contender, choosePrimary, TAKEOVER_RATIO } from './primary.ts';

const contender = (symbol: string, volumeUsd?: number, rest: Partial<Contender> = {}): Contender => ({
  symbol,
  quote: 'USDT',
  volumeUsd,
  standing: undefined,
  priced: true,
  ...rest,
});

describe('primary contract', () => {
  test('is the most traded one at first sight', () => {
    expect(choosePrimary([contender('A', 5), contender('B', 6)], undefined)).toBe(1);
  });

  test('before volumes are known the quote decides, then the symbol', () => {
    const list = [contender('BTCUSD', undefined, { quote: 'USD' }), contender('BTCUSDT')];
    expect(choosePrimary(list, undefined)).toBe(1);
    expect(choosePrimary([contender('B'), contender('A')], undefined)).toBe(1);
  });

  test('stays until another trades clearly more', () => {
    expect(choosePrimary([contender('A', 100), contender('B', 119)], 0)).toBe(0);
    expect(choosePrimary([contender('A', 100), contender('B', 121)], 0)).toBe(1);
  });

  test('steps back without a mark or without a known volume', () => {
    expect(choosePrimary([contender('A', 100, { priced: false }), contender('B', 1)], 0)).toBe(1);
    expect(choosePrimary([contender('A'), contender('B', 1)], 0)).toBe(1);
    expect(choosePrimary([contender('A'), contender('B')], 1)).toBe(1);
  });

  test('of the registry comes first, whatever another trades', () => {
    const volume = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(volume, volume, fc.constantFrom(0, 1, undefined), (byRule, byRegistry, shown) => {
        const list = [contender('A', byRule, { standing: 'rule' }), contender('B', byRegistry)];
        expect(choosePrimary(list, shown)).toBe(1);
        expect(choosePrimary([contender('C', byRule, { standing: 'name' }), ...list], shown)).toBe(2);
      }),
    );
  });

  test('never alternates while volumes stay within the ratio', () => {
    const volume = fc.double({ min: 1000, max: 1000 * TAKEOVER_RATIO * 0.999, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(volume, volume), { minLength: 2 }), (steps) => {
        let shown: number | undefined;
        const seen = new Set<number>();
        for (const [a, b] of steps) {
          shown = choosePrimary([contender('A', a), contender('B', b)], shown);
          seen.add(shown);
        }
        expect(seen.size).toBe(1);
      }),
    );
  });
});
