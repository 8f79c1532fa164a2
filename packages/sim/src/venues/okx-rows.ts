import type { Sides } from '../book-distortion.ts';
import { contractsText, priceText } from '../format.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

export const listing: SimListing = {
  venue: 'okx',
  size: 0.45,
  quotes: ['USDT', 'USDC'],
  count: 300,
  classes: ['crypto', 'equity', 'commodity'],
  include: ['SHIB', 'PEPE', 'BONK', 'SATS', 'NVDA', 'TSLA', 'XAU', '1INCH', 'crypto:STX'],
  // One contract is worth some hundred dollars: 0.01 BTC, 0.1 ETH, 100 XRP.
  contractSize: (_, price) => Number(`1e${Math.round(Math.log10(500 / price))}`),
  intervalHours: (rank) => (rank % 70 === 47 ? 1 : rank % 3 === 1 && rank > 20 ? 4 : 8),
  symbol: (base, quote) => `${base}-${quote}-SWAP`,
  inverse: (base) => `${base}-USD-SWAP`,
  delisted: 3,
  prelisting: 2,
};

/** Swaps that trade. */
export function openSwaps(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.status === 'live');
}

/** Number of the book of this time; it skips. */
export function seqIdAt(t: number): number {
  return Math.floor(t / 10);
}

/** Levels `[price, contracts, "0", orders]` of the book, best first. */
export function bookRows(c: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(c, t, depth), (price, size) => [
    priceText(c, price),
    contractsText(c, size),
    '0',
    '1',
  ]);
}
