import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import { capOf } from '../funding.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { decimalSides } from './sides.ts';

const LOW = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI']);
export const listing: SimListing = {
  venue: 'phemex',
  size: 0.06,
  quotes: ['USDT', 'USDC'],
  count: 520,
  classes: ['crypto', 'equity', 'index', 'commodity', 'etf', 'prelaunch'],
  include: ['NVDA', 'XAU', 'ANTH'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: (rank) => (rank % 4 === 1 ? 4 : 8),
  symbol: (base, quote) => `${base.startsWith('1000') ? 'u' : ''}${base}${quote}`,
  inverse: (base) => (base === 'BTC' ? 'BTCUSD' : `c${base}USD`),
  delisted: 20,
};

/** Milliseconds as the venue's nanoseconds, a JSON number beyond 2^53. */
const ns = (ms: number): number => ms * 1e6;

const SUB_TYPES: Readonly<Record<string, string>> = { crypto: 'Normal', prelaunch: 'PreMarket' };

/** Tiers of margins, which products name by their number. */
export const TIERS = {
  index_id: 1002,
  items: [
    {
      notionalValueRv: 50_000,
      maxLeverage: 100,
      maintenanceMarginRateRr: '0.005',
      maintenanceAmountRv: '0',
    },
    {
      notionalValueRv: 500_000,
      maxLeverage: 50,
      maintenanceMarginRateRr: '0.01',
      maintenanceAmountRv: '250',
    },
  ],
};

export function productV2(c: SimContract, code: number) {
  const { symbol, base, multiplier, quote } = c;
  const coins = multiplier === 1 ? base : `${multiplier} ${c.asset.ticker}`;
  return {
    perpProductSubType: SUB_TYPES[c.asset.assetClass] ?? 'TradFi',
    symbol,
    code: 40_000 + code,
    type: 'PerpetualV2',
    displaySymbol: `${coins} / ${quote}`,
    indexSymbol: `.${symbol}`,
    markSymbol: `.M${symbol}`,
    fundingRateSymbol: `.${symbol}FR`,
    fundingRate8hSymbol: `.${symbol}FR8H`,
    contractUnderlyingAssets: coins,
    settleCurrency: quote,
    quoteCurrency: quote,
    tickSize: decimal(c.tick),
    priceScale: 0,
    ratioScale: 0,
    baseCurrency: coins,
    status: c.status === 'live' ? 'Listed' : 'Delisted',
    ...(c.intervalUnknown === true ? {} : { fundingInterval: c.intervalHours * 3600 }),
    maxLeverage: 100,
    leverageMargin: TIERS.index_id,
    minOrderValueRv: '1',
    qtyStepSize: decimal(c.lot),
  };
}

export function productCoinM(c: SimContract) {
  return {
    symbol: c.symbol,
    type: 'Perpetual',
    indexSymbol: `.${c.base}`,
    contractUnderlyingAssets: 'USD',
    settleCurrency: c.base,
    quoteCurrency: 'USD',
    contractSize: 1,
    lotSize: 1,
    tickSize: 0.1,
    priceScale: 4,
    ratioScale: 8,
    status: 'Listed',
    fundingInterval: 28_800,
  };
}

export function spotPair(c: SimContract) {
  return {
    symbol: `s${c.base}USDT`,
    type: 'Spot',
    baseCurrency: c.base,
    quoteCurrency: 'USDT',
    priceScale: 8,
    ratioScale: 8,
    baseTickSize: `0.000001 ${c.base}`,
    quoteTickSize: '0.01 USDT',
    defaultTakerFee: '0.001',
    defaultMakerFee: '0.001',
    status: 'Listed',
  };
}

/** A contract's 24 h figures without the names that differ between the versions of the call. */
function figures(c: SimContract, world: World, t: number) {
  const { multiplier: m } = c;
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const bid = world.book(c, t, 1).bids[0];
  const ask = world.book(c, t, 1).asks[0];
  const rate = decimal(world.fundingRate(c, t));
  return {
    mark: decimal(mark * m, 14),
    index: decimal(world.index(c, t) * m, 14),
    last: decimal((bid?.[0] ?? mark) * m),
    bid: decimal((bid?.[0] ?? 0) * m),
    ask: decimal((ask?.[0] ?? 0) * m),
    shared: {
      fundingRateRr: rate,
      predFundingRateRr: rate,
      highRp: decimal(mark * m * 1.02),
      lowRp: decimal(mark * m * 0.98),
      openRp: decimal(mark * m * 0.99),
      openInterestRv: decimal(world.openInterest(c, t) / m),
      symbol: c.symbol,
      timestamp: ns(t - 1500),
      turnoverRv: decimal(volume * mark),
      volumeRq: decimal(volume / m),
    },
  };
}

export function tickerV3(c: SimContract, world: World, t: number) {
  const { mark, index, last, bid, ask, shared } = figures(c, world, t);
  return { askRp: ask, bidRp: bid, ...shared, indexRp: index, lastRp: last, markRp: mark };
}

export function tickerV2(c: SimContract, world: World, t: number) {
  const { mark, index, last, shared } = figures(c, world, t);
  return { closeRp: last, ...shared, indexPriceRp: index, markPriceRp: mark };
}

export function fundingRow(c: SimContract, world: World, t: number) {
  const next = world.nextFunding(c, t);
  return {
    symbol: c.symbol,
    fundingInterval: c.intervalHours * 3600,
    toNextfundingInterval: Math.floor((next - t) / 1000),
    nextfundingTime: next,
    fundingRate: decimal(world.fundingRate(c, t)),
    interestRate: '0.0001',
    fundingRateCap: decimal(capOf(c)),
    fundingRateFloor: decimal(-capOf(c)),
  };
}

/** Levels of the snapshot, a side. */
export const WHOLE = 400;

/** Levels `[price, size]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth: number): Sides {
  const { bids, asks } = decimalSides(c, world, t, depth);
  return { asks, bids };
}

/** A message of the book of this time. The number is counted over a group of contracts: it skips. */
export function bookFrame(c: SimContract, depth: number, t: number, sides: Sides, type: string) {
  return {
    depth,
    dts: ns(t + 22),
    mts: ns(t + 2),
    orderbook_p: sides,
    sequence: Math.floor(t / 10),
    symbol: c.symbol,
    timestamp: ns(t),
    type,
  };
}

/** Contracts of which the venue sends market data: delisted ones linger for a while. */
export function quoted(world: World): readonly SimContract[] {
  const perps = world.contracts(listing).filter((c) => c.kind === 'perp');
  const lingering = perps.find((c) => c.status === 'delisted');
  return perps.filter((c) => c.status === 'live' || c === lingering);
}
