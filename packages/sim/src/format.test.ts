import { describe, expect, it } from 'vitest';
import { createWorld } from './create-world.ts';
import { baseText, contractsText, fineText, priceText, rateText } from './format.ts';
import { decimalsOf, onGrid, tickOf } from './increments.ts';

const world = createWorld(3);
const contracts = world.contracts({
  venue: 'format',
  quotes: ['USDT'],
  count: 400,
  classes: ['crypto', 'equity', 'index'],
  include: ['BABYDOGE', 'SATS', 'PEPE'],
  contractSize: (_ticker, price) => (price > 1000 ? 0.001 : price < 0.001 ? 10_000_000 : 1),
  intervalHours: () => 8,
  symbol: (base, quote) => base + quote,
});
const t = Date.UTC(2026, 8, 9, 1, 2, 3);

describe('texts of values', () => {
  it('never carry an exponent and read back within a tick or a lot', () => {
    for (const contract of contracts) {
      const mark = world.mark(contract, t);
      const open = world.openInterest(contract, t);
      for (const text of [priceText(contract, mark), fineText(contract, mark), baseText(contract, open)]) {
        expect(text).toMatch(/^\d+(\.\d+)?$/);
      }
      expect(Math.abs(Number(priceText(contract, mark)) - mark)).toBeLessThanOrEqual(contract.tick * 0.51);
      expect(Math.abs(Number(fineText(contract, mark)) / mark - 1)).toBeLessThan(1e-5);
      expect(Number(contractsText(contract, open)) * contract.contractSize).toBeCloseTo(open, 3);
    }
  });

  it('prints rates with eight decimals', () => {
    expect(rateText(0.0000125)).toBe('0.00001250');
    expect(rateText(-0.01)).toBe('-0.01000000');
  });
});

describe('increments', () => {
  it('follow the price level', () => {
    expect(tickOf(112_000, 0)).toBe(0.1);
    expect(tickOf(0.0096, 11)).toBe(1e-8);
    expect(decimalsOf(1e-8)).toBe(8);
    expect(decimalsOf(10)).toBe(0);
    expect(onGrid(0.30000000000000004, 0.1)).toBe(0.3);
    expect(onGrid(1234, 100)).toBe(1200);
  });
});
