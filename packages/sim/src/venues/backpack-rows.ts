import { decimal } from '../decimal.ts';
import { baseText, baseTextTwice } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { decimalSides } from './sides.ts';

/** Listed under a name that says thousands. */
const LOW = new Set(['PEPE', 'SHIB', 'BONK']);
/** Shares carry their market. */
const SHARES = new Set(['NVDA', 'TSLA', 'AAPL', 'MSFT', 'AMZN', 'GOOGL', 'META', 'COIN', 'MSTR', 'HOOD']);

export const listing: SimListing = {
  venue: 'backpack',
  quotes: ['USDC'],
  count: 80,
  classes: ['crypto', 'equity'],
  include: [...SHARES].map((ticker) => `equity:${ticker}`),
  baseName: (ticker) => {
    if (LOW.has(ticker)) return { base: `k${ticker}`, multiplier: 1000 };
    return { base: SHARES.has(ticker) ? `${ticker}.US` : ticker, multiplier: 1 };
  },
  intervalHours: () => 1,
  symbol: (base, quote) => `${base}_${quote}_PERP`,
  delisted: 6,
  prelisting: 2,
};

export function contractsWith(world: World, ...states: readonly SimContract['status'][]) {
  return world.contracts(listing).filter((c) => states.includes(c.status));
}

const STATES = { live: 'Open', delisted: 'Closed', prelisting: 'PostOnly' } as const;

export function marketRow(c: SimContract, i: number) {
  const share = c.asset.assetClass === 'equity';
  return {
    symbol: c.symbol,
    baseSymbol: c.base,
    quoteSymbol: 'USDC',
    marketType: 'PERP',
    orderBookState: STATES[c.status],
    visible: c.status !== 'prelisting',
    createdAt: '2025-01-21T06:34:54.691858',
    filters: {
      price: { minPrice: decimal(c.tick), maxPrice: null, tickSize: decimal(c.tick) },
      quantity: { minQuantity: decimal(c.lot), maxQuantity: null, stepSize: decimal(c.lot) },
    },
    imfFunction: { type: 'sqrt', base: '0.02', factor: '0.000075' },
    mmfFunction: { type: 'sqrt', base: '0.0135', factor: '0.0000375' },
    openInterestLimit: i % 3 === 0 ? '0' : decimal(1_000_000 * c.lot),
    // A number in some rows, text in others.
    fundingInterval: i % 2 === 0 ? 3_600_000 : '3600000',
    fundingRateUpperBound: decimal(capOf(c) * 1e4),
    fundingRateLowerBound: decimal(-capOf(c) * 1e4),
    ...(share ? { rwaMarketType: 'STOCK' } : { rwaMarketType: null }),
  };
}

export function spotRow(c: SimContract) {
  const row = { ...marketRow(c, 0), fundingRateUpperBound: null, fundingRateLowerBound: null };
  return { ...row, symbol: `${c.base}_USDC`, marketType: 'SPOT' };
}

export function markRow(c: SimContract, world: World, t: number) {
  const { multiplier: m } = c;
  return {
    fundingRate: decimal(world.fundingRate(c, t), 22),
    indexPrice: decimal(world.index(c, t) * m, 13),
    markPrice: decimal(world.mark(c, t) * m, 10),
    nextFundingTimestamp: world.nextFunding(c, t),
    symbol: c.symbol,
  };
}

export function interestRow(c: SimContract, world: World, t: number) {
  return {
    openInterest: baseTextTwice(c, world.openInterest(c, t)),
    symbol: c.symbol,
    timestamp: t,
  };
}

export function tickerRow(c: SimContract, world: World, t: number) {
  const { multiplier: m } = c;
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  return {
    firstPrice: decimal(mark * m * 0.99),
    high: decimal(mark * m * 1.02),
    lastPrice: decimal(mark * m),
    low: decimal(mark * m * 0.98),
    priceChange: decimal(mark * m * 0.01),
    priceChangePercent: c.asset.rank % 7 === 0 ? 'N/A' : '0.0101',
    quoteVolume: decimal(volume * mark, 14),
    symbol: c.symbol,
    trades: '245',
    volume: baseText(c, volume),
  };
}

/** Both sides by rising price: the best bid stands last. */
export function bookSides(c: SimContract, world: World, t: number, depth: number) {
  const { bids, asks } = decimalSides(c, world, t, depth);
  return { asks, bids: bids.toReversed() };
}

/** Number of the last change of the book of this time. */
export const updateAt = (t: number): number => Math.floor(t / 5);
