import type { AssetClass } from '../../../../src/domain/instrument.ts';
import { OFFCHAIN } from '../asset-table.ts';
import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Levels that a side of a book has. */
const WHOLE = 100;

/** Coins listed in blocks. */
const BLOCKS: Readonly<Record<string, number>> = {
  PEPE: 1000,
  BONK: 1000,
  FLOKI: 1000,
  SATS: 10_000,
  MOG: 1_000_000,
  BABYDOGE: 1_000_000,
};

const PREFIXES: Readonly<Partial<Record<AssetClass, string>>> = {
  equity: 'NCSK',
  fx: 'NCFX',
  commodity: 'NCCO',
  index: 'NCSI',
};

/** Digits between prefix and name on some; 724 where the contract trades all week. */
const DIGITS: Readonly<Record<string, string>> = { COPPER: '724', NATGAS: '7241', SP500: '724' };

/** Prefix by ticker, for tickers that are nobody else's. */
const TRADFI = new Map(
  OFFCHAIN.flatMap(([assetClass, table]) => {
    const prefix = PREFIXES[assetClass];
    const entries = table
      .trim()
      .split(/\s+/)
      .map((entry) => entry.split(':')[0] ?? '');
    return prefix === undefined ? [] : entries.map((ticker) => [ticker, prefix] as const);
  }),
);
/** Tickers that a coin and an asset from outside share: here the coin is listed. */
const SHARED = ['STX', 'BB', 'QNT', 'SPX'];
for (const ticker of SHARED) TRADFI.delete(ticker);

function baseNameOf(ticker: string) {
  const prefix = TRADFI.get(ticker);
  if (prefix !== undefined) return { base: `${prefix}${DIGITS[ticker] ?? ''}${ticker}2USD`, multiplier: 1 };
  const multiplier = BLOCKS[ticker] ?? 1;
  return { base: multiplier === 1 ? ticker : `${multiplier}${ticker}`, multiplier };
}

export const listing: SimListing = {
  venue: 'bingx',
  size: 0.2,
  quotes: ['USDT', 'USDC'],
  count: 680,
  classes: ['crypto', 'equity', 'index', 'commodity', 'fx'],
  include: ['PEPE', 'BONK', 'MOG', 'SATS', 'NVDA', 'XAU', 'EUR', '1INCH'],
  exclude: ['equity:STX', 'equity:BB', 'equity:QNT', 'index:SPX'],
  baseName: baseNameOf,
  intervalHours: (rank) =>
    rank < 60 ? 8 : rank % 97 === 0 ? 1 : rank % 41 === 0 ? 2 : rank % 2 === 0 ? 4 : 8,
  symbol: (base, quote) => `${base}-${quote}`,
  delisted: 5,
  prelisting: 2,
};

/** Levels `[price, coins]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, Math.min(depth, WHOLE)), (price, size) => [
    priceText(contract, price),
    baseText(contract, size),
  ]);
}
