import { OFFCHAIN } from '../asset-table.ts';
import type { Sides } from '../book-distortion.ts';
import { contractsOf, priceText } from '../format.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Shares whose ticker is nobody else's; the others are not listed. */
const SHARES = new Set(
  OFFCHAIN.flatMap(([assetClass, table]) =>
    assetClass === 'equity' ? table.split(/\s+/).filter((entry) => !entry.includes('@')) : [],
  ).map((entry) => entry.split(':')[0] ?? ''),
);

export const listing: SimListing = {
  venue: 'kraken',
  size: 0.06,
  quotes: ['USD'],
  count: 350,
  classes: ['crypto', 'equity'],
  include: ['PEPE', 'SHIB', '1INCH', 'AAPL', 'NVDA'],
  exclude: ['equity:STX', 'equity:BB', 'equity:QNT'],
  baseName: (ticker) => ({
    base: ticker === 'BTC' ? 'XBT' : SHARES.has(ticker) ? `${ticker}x` : ticker,
    multiplier: 1,
  }),
  intervalHours: () => 1,
  symbol: (base, quote) => `PF_${base}${quote}`,
  dated: (base, quote) => `FF_${base}${quote}_261225`,
  inverse: (base) => `PI_${base}USD`,
  delisted: 4,
  prelisting: 2,
};

/** Levels of the snapshot, a side. */
export const WHOLE = 60;

export const num = (text: string): number => Number(text);

/** Levels `[price, quantity]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, depth), (price, size) => [
    num(priceText(contract, price)),
    contractsOf(contract, size),
  ]);
}
