import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Sides } from '../book-distortion.ts';
import { labelOf } from '../contracts.ts';
import { contractsOf, contractsText, fineText, fixed, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';
import { bookTime } from './stepped-book.ts';

/** Names of coins that the venue spells in its own way or lists in blocks. */
const NAMES: Readonly<Record<string, readonly [base: string, multiplier: number]>> = {
  BTC: ['XBT', 1],
  BONK: ['1000BONK', 1000],
  RATS: ['1000RATS', 1000],
  SATS: ['10000SATS', 10_000],
  CAT: ['10000CAT', 10_000],
  BABYDOGE: ['1MBABYDOGE', 1_000_000],
};

/** Coins (as named) in one lot. */
function lotSize(ticker: string, price: number): number {
  const named = price * (NAMES[ticker]?.[1] ?? 1);
  const power = Math.floor(Math.log10(40 / named));
  return Number(`1e${Math.max(-3, Math.min(5, power))}`);
}

export const listing: SimListing = {
  venue: 'kucoin',
  size: 0.16,
  quotes: ['USDT', 'USDC'],
  count: 582,
  classes: ['crypto', 'equity', 'commodity'],
  include: ['BONK', 'CAT', 'BABYDOGE', 'AAPL', 'XAU', '1INCH', 'KAS', 'PAXG', 'XAUT'],
  labels: { PAXG: 'commodity', XAUT: 'commodity' },
  baseName: (ticker) => {
    const [base, multiplier] = NAMES[ticker] ?? [ticker, 1];
    return { base, multiplier };
  },
  contractSize: lotSize,
  intervalHours: (rank) => (rank < 50 ? 8 : rank % 151 === 0 ? 1 : rank % 3 === 0 ? 8 : 4),
  symbol: (base, quote) => `${base}${quote}M`,
  dated: (base) => `${base}MZ26`,
  inverse: (base) => `${base}USDM`,
  delisted: 3,
  prelisting: 2,
};

const STATUS = { live: 'Open', delisted: 'BeingSettled', prelisting: 'Init' };
const CLASSES: Readonly<Record<string, string>> = { equity: 'STOCK', commodity: 'METAL' };

/** Number as the venue writes it in JSON. */
export const num = (text: string): number => Number(text);

function fundingFields(contract: SimContract, world: World, t: number) {
  if (contract.kind === 'dated') return {};
  const next = world.nextFunding(contract, t);
  const period = contract.intervalHours * HOUR_MS;
  return {
    fundingFeeRate: num(rateText(world.fundingRate(contract, t))),
    predictedFundingFeeRate: null,
    lastTimeFundingRate: num(rateText(world.settledRate(contract, next - period))),
    // Null on some rows; the configured interval stands beside it.
    currentFundingRateGranularity: contract.asset.rank % 48 === 0 ? null : period,
    fundingRateGranularity: period,
    effectiveFundingRateCycleStartTime: 1_750_147_200_000,
    nextFundingRateDateTime: next,
    nextFundingRateTime: next - t,
    fundingRateCap: capOf(contract),
    fundingRateFloor: -capOf(contract),
    fundingRateSymbol: `.${contract.symbol}FPI${contract.intervalHours}H`,
  };
}

function amountFields(contract: SimContract, world: World, t: number) {
  const volume = world.volume24h(contract, t);
  return {
    openInterest: String(contractsOf(contract, world.openInterest(contract, t))),
    turnoverOf24h: num(fixed(volume * world.mark(contract, t), 8)),
    volumeOf24h: num(fixed(volume / contract.multiplier, 8)),
  };
}

/** Of the last day. */
const priceRange = (contract: SimContract, mark: number) => ({
  lowPrice: num(priceText(contract, mark * 0.98)),
  highPrice: num(priceText(contract, mark * 1.02)),
  priceChgPct: 0.0047,
  priceChg: num(priceText(contract, mark * 0.0047)),
});

export function contractRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const inverse = contract.kind === 'inverse' || contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    rootSymbol: inverse ? contract.base : contract.quote,
    type: contract.kind === 'dated' ? 'FFICSX' : 'FFWCSX',
    firstOpenDate: 1_585_555_200_000,
    expireDate: contract.kind === 'dated' ? Date.UTC(2026, 11, 25, 8) : null,
    settleDate: null,
    baseCurrency: contract.base,
    quoteCurrency: inverse ? 'USD' : contract.quote,
    settleCurrency: inverse ? contract.base : contract.settle,
    maxOrderQty: 1_000_000,
    maxPrice: 1_000_000,
    lotSize: 1,
    tickSize: contract.tick,
    indexPriceTickSize: contract.tick / 10,
    multiplier: inverse ? -1 : contract.contractSize,
    makerFeeRate: 0.0002,
    takerFeeRate: 0.0006,
    isQuanto: !inverse,
    isInverse: inverse,
    markMethod: 'FairPrice',
    fairMethod: 'FundingRate',
    indexSymbol: inverse ? `.B${contract.base}` : `.K${contract.base}${contract.quote}`,
    status: STATUS[contract.status],
    marketStage: 'NORMAL',
    assetClass: CLASSES[labelOf(listing, contract.asset)] ?? 'CRYPTO',
    ...fundingFields(contract, world, t),
    ...amountFields(contract, world, t),
    markPrice: num(fineText(contract, mark)),
    indexPrice: num(fineText(contract, world.index(contract, t))),
    lastTradePrice: num(priceText(contract, mark)),
    initialMargin: 0.013333,
    maintainMargin: 0.007,
    maxLeverage: 75,
    sourceExchanges: ['okex', 'binance', 'kucoin', 'bybit'],
    ...priceRange(contract, mark),
  };
}

export function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0] ?? [mark, 0];
  const ask = asks[0] ?? [mark, 0];
  return {
    sequence: sequenceAt(bookTime(t)),
    symbol: contract.symbol,
    side: 'buy',
    size: 3,
    tradeId: '1834000000001',
    price: priceText(contract, mark),
    bestBidPrice: priceText(contract, bid[0]),
    bestBidSize: contractsOf(contract, bid[1]),
    bestAskPrice: priceText(contract, ask[0]),
    bestAskSize: contractsOf(contract, ask[1]),
    ts: (t - 4000) * 1e6,
  };
}

/** Number of the book that is shown at a time: one a millisecond, so that every step has its own. */
export function sequenceAt(t: number): number {
  return t;
}

/** Levels `[price, lots]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, depth), (p, q) => [
    priceText(contract, p),
    contractsText(contract, q),
  ]);
}
