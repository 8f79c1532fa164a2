import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountOf } from '../../web/text/amount.ts';
import { feesOf } from '../../web/text/fees.ts';

it('an amount: as people write it', () => {
  expect(['20m', '$20,000,000', '20 mio', '1.5bn', '250k USD', '0', '-3'].map(amountOf)).toEqual([
    20_000_000, 20_000_000, 20_000_000, 1_500_000_000, 250_000, 0, -3,
  ]);
  expect(['', 'm', '20x', '1.2.3', 'twenty'].map(amountOf)).toEqual(Array(5).fill(undefined));
});

it('taker fees: by venue, and nothing where a part is none', () => {
  expect([...(feesOf('binance:2.4, BYBIT : 3,') ?? [])]).toEqual([
    ['binance', 2.4],
    ['bybit', 3],
  ]);
  expect(feesOf('')?.size).toBe(0);
  expect(['binance', 'binance:', 'binance:2.4;bybit:3', ':2'].map(feesOf)).toEqual(Array(4).fill(undefined));
});

it('any fees: read as they were written', () => {
  const fee = fc.integer({ min: -1000, max: 1000 }).map((tenths) => tenths / 10);
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9]{1,9}$/), fee), (fees) => {
      const typed = Object.entries(fees).map(([venue, bps]) => `${venue}:${bps}`);
      expect(Object.fromEntries(feesOf(typed.join(',')) ?? [])).toEqual({ ...fees });
    }),
  );
});
