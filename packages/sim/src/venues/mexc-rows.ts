import { DAY_MS } from '../../../../src/runtime/duration.ts';
import type { Sides } from '../book-distortion.ts';
import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Coins that are listed in blocks; PEPE and SHIB are scaled by their contract size alone. */
const BLOCKS: Readonly<Record<string, readonly [base: string, multiplier: number]>> = {
  BONK: ['1000BONK', 1000],
  RATS: ['1000RATS', 1000],
  BTT: ['1000BTT', 1000],
  BABYDOGE: ['1000000BABYDOGE', 1_000_000],
  MOG: ['1000000MOG', 1_000_000],
};

/** Coins (as named) in one contract: the power of ten that is worth some ten dollars. */
function contractSize(ticker: string, price: number): number {
  const power = Math.floor(Math.log10(20 / (price * (BLOCKS[ticker]?.[1] ?? 1))));
  return Number(`1e${Math.max(-5, Math.min(7, power))}`);
}

/** Hours between settlements: mostly 4 and 8, some of 1, 2 and 24. */
function intervalHours(rank: number): number {
  if (rank < 60) return 8;
  if (rank % 89 === 0) return 24;
  if (rank % 53 === 0) return 1;
  if (rank % 47 === 0) return 2;
  return rank % 2 === 0 ? 4 : 8;
}

export const listing: SimListing = {
  venue: 'mexc',
  size: 0.3,
  quotes: ['USDT', 'USDC'],
  count: 900,
  classes: ['crypto', 'equity'],
  include: ['PEPE', 'SHIB', 'BONK', 'BABYDOGE', 'NVDA', 'TSLA', '1INCH'],
  baseName: (ticker) => {
    const [base, multiplier] = BLOCKS[ticker] ?? [ticker, 1];
    return { base, multiplier };
  },
  contractSize,
  intervalHours,
  symbol: (base, quote) => `${base}_${quote}`,
  dated: (base, quote) => `${base}_${quote}_20261225`,
  inverse: (base) => `${base}_USD`,
  delisted: 3,
  prelisting: 2,
};

export const num = (text: string): number => Number(text);
/** Old contracts state none. */
function openingOf({ asset, status }: SimContract, t: number): number {
  if (status === 'prelisting') return t + DAY_MS;
  return asset.rank < 60 ? 0 : 1_758_124_392_000;
}

/** An announced market is enabled before it opens. */
const STATE = { live: 0, delisted: 3, prelisting: 0 };

export function detailRow(contract: SimContract, t: number) {
  const inverse = contract.kind === 'inverse';
  return {
    symbol: contract.symbol,
    displayName: contract.symbol,
    displayNameEn: `${contract.symbol} PERPETUAL`,
    positionOpenType: 3,
    baseCoin: contract.base,
    quoteCoin: contract.quote,
    settleCoin: contract.settle,
    baseCoinName: contract.base,
    futureType: contract.kind === 'dated' ? 2 : 1,
    contractSize: inverse ? 100 : contract.contractSize,
    minLeverage: 1,
    maxLeverage: 200,
    priceScale: 4,
    volScale: 0,
    amountScale: 4,
    priceUnit: contract.tick,
    volUnit: 1,
    minVol: 1,
    maxVol: 1_000_000,
    takerFeeRate: 0.0002,
    makerFeeRate: 0,
    maintenanceMarginRate: 0.004,
    initialMarginRate: 0.005,
    priceCoefficientVariation: 0.4,
    indexOrigin: ['BITGET', 'BYBIT', 'BINANCE', 'OKX', 'MEXC'],
    state: STATE[contract.status],
    isNew: false,
    isHot: false,
    isHidden: false,
    apiAllowed: contract.asset.rank % 29 !== 0,
    createTime: 1_591_242_684_000,
    openingTime: openingOf(contract, t),
    preMarket: false,
    type: contract.asset.assetClass === 'equity' ? 2 : 1,
  };
}

export function fundingRow(contract: SimContract, world: World, t: number) {
  return {
    symbol: contract.symbol,
    fundingRate: num(rateText(world.fundingRate(contract, t))),
    maxFundingRate: capOf(contract),
    minFundingRate: -capOf(contract),
    collectCycle: contract.intervalHours,
    nextSettleTime: world.nextFunding(contract, t),
    timestamp: t - 30,
    idxPrice: num(fineText(contract, world.index(contract, t))),
    fairPrice: num(fineText(contract, world.mark(contract, t))),
  };
}

export function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  return {
    contractId: 10 + contract.asset.rank,
    symbol: contract.symbol,
    lastPrice: num(priceText(contract, mark)),
    bid1: num(priceText(contract, bids[0]?.[0] ?? mark)),
    ask1: num(priceText(contract, asks[0]?.[0] ?? mark)),
    volume24: contractsOf(contract, volume),
    amount24: num(fixed(volume * mark, 5)),
    holdVol: contractsOf(contract, world.openInterest(contract, t)),
    lower24Price: num(priceText(contract, mark * 0.98)),
    high24Price: num(priceText(contract, mark * 1.02)),
    riseFallRate: 0.0047,
    riseFallValue: num(priceText(contract, mark * 0.0047)),
    indexPrice: num(fineText(contract, world.index(contract, t))),
    fairPrice: num(fineText(contract, mark)),
    fundingRate: num(rateText(world.fundingRate(contract, t))),
    maxBidPrice: num(priceText(contract, mark * 1.1)),
    minAskPrice: num(priceText(contract, mark * 0.9)),
    // The last trade, not the row.
    timestamp: t - 4000,
  };
}

/** Levels a side that a book has. */
export const WHOLE = 200;

/** Version of the book that is shown at a time: one a millisecond, so that every step has its own. */
export function versionAt(t: number): number {
  return t;
}

/** Levels `[price, contracts, orders]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, depth), (p, q) => [
    num(priceText(contract, p)),
    contractsOf(contract, q),
    2,
  ]);
}
