import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Levels that a side of a book has. */
const WHOLE = 100;

const PREFIXED: Readonly<Record<string, readonly string[]>> = {
  '1000': 'PEPE BONK FLOKI LUNC XEC RATS CAT BTT TURBO TOSHI MUMU APU'.split(' '),
  '10000': 'SATS LADYS ELON WHY QUBIC'.split(' '),
  '1000000': 'MOG CHEEMS BABYDOGE'.split(' '),
};

function baseName(ticker: string): { base: string; multiplier: number } {
  if (ticker === 'SHIB') return { base: 'SHIB1000', multiplier: 1000 };
  for (const [prefix, tickers] of Object.entries(PREFIXED)) {
    if (tickers.includes(ticker)) return { base: prefix + ticker, multiplier: Number(prefix) };
  }
  return { base: ticker, multiplier: 1 };
}

export const listing: SimListing = {
  venue: 'bybit',
  size: 0.62,
  quotes: ['USDT', 'USDC'],
  count: 652,
  classes: ['crypto', 'equity', 'commodity', 'fx'],
  include: ['crypto:SPX6900', 'TSLA', 'NVDA', 'XAU', 'SHIB', 'MOG', 'SATS', 'BTT', 'PAXG', 'XAUT'],
  baseName,
  intervalHours: (rank) => (rank % 80 === 61 ? 1 : rank < 50 || rank % 5 === 0 ? 8 : 4),
  symbol: (base, quote) => (quote === 'USDC' ? `${base}PERP` : base + quote),
  dated: (base, quote) => `${base}${quote}-26MAR27`,
  inverse: (base) => `${base}USD`,
  delisted: 5,
  prelisting: 3,
};

/** The API's category of a contract. */
export const categoryOf = (c: SimContract): string => (c.kind === 'inverse' ? 'inverse' : 'linear');

/** Levels `[price, size]` of the book, best first. */
export function bookRows(c: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(c, t, Math.min(depth, WHOLE)), (price, size) => [
    priceText(c, price),
    baseText(c, size),
  ]);
}
