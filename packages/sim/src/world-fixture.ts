import fc from 'fast-check';
import { DAY_MS } from '../../../src/runtime/duration.ts';
import { createWorld } from './create-world.ts';
import type { SimListing } from './world.ts';

export const T0 = Date.UTC(2026, 9, 20, 12, 34, 56, 789);

/** A venue with every kind of contract. */
export const listing: SimListing = {
  venue: 'binance',
  size: 1,
  quotes: ['USDT', 'USDC'],
  count: 300,
  classes: ['crypto', 'equity', 'index', 'commodity', 'fx', 'etf', 'prelaunch'],
  baseName: (ticker, price) =>
    price < 0.0001 ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  contractSize: (_ticker, price) => (price > 1000 ? 0.001 : 1),
  intervalHours: (rank) => (rank < 40 ? 8 : rank % 3 === 0 ? 1 : 4),
  symbol: (base, quote) => base + quote,
  dated: (base, quote) => `${base}${quote}_260327`,
  inverse: (base) => `${base}USD_PERP`,
  delisted: 7,
  prelisting: 2,
};

export const world = createWorld(7);
export const contracts = world.contracts(listing);
export const live = contracts.filter((contract) => contract.kind === 'perp' && contract.status === 'live');

export const someContract = fc.integer({ min: 0, max: contracts.length - 1 });
export const someTime = fc.integer({ min: T0 - 30 * DAY_MS, max: T0 + 30 * DAY_MS });

export function pick<T>(list: readonly T[], i: number): T {
  const found = list[i];
  if (found === undefined) throw new Error(`nothing at ${i}`);
  return found;
}
