import type { Sides } from '../book-distortion.ts';
import { baseText, fineText, fixed, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Low-priced coins that are listed in blocks. */
const BLOCKS: Readonly<Record<string, readonly [base: string, multiplier: number]>> = {
  BONK: ['1000BONK', 1000],
  SATS: ['1000SATS', 1000],
  RATS: ['1000RATS', 1000],
  XEC: ['1000XEC', 1000],
  CAT: ['1000CAT', 1000],
  BABYDOGE: ['1MBABYDOGE', 1_000_000],
  MOG: ['1000000MOG', 1_000_000],
};

export const listing: SimListing = {
  venue: 'bitget',
  size: 0.4,
  quotes: ['USDT', 'USDC'],
  count: 610,
  classes: ['crypto', 'equity', 'commodity', 'index', 'fx'],
  include: ['BONK', 'SATS', 'BABYDOGE', 'NVDA', 'TSLA', 'XAU', '1INCH', 'KAS', 'KNC'],
  baseName: (ticker) => {
    const [base, multiplier] = BLOCKS[ticker] ?? [ticker, 1];
    return { base, multiplier };
  },
  intervalHours: (rank) => (rank < 60 ? 8 : rank % 97 === 0 ? 1 : rank % 2 === 0 ? 4 : 8),
  symbol: (base, quote) => base + (quote === 'USDC' ? 'PERP' : quote),
  dated: (base) => `${base}USDZ26`,
  inverse: (base) => `${base}USD`,
  delisted: 3,
  prelisting: 3,
};

const DELIVERY = Date.UTC(2026, 11, 25, 8);

export function productOf(contract: SimContract): string {
  if (contract.kind !== 'perp') return 'COIN-FUTURES';
  return contract.quote === 'USDC' ? 'USDC-FUTURES' : 'USDT-FUTURES';
}

const STATUS = { live: 'normal', delisted: 'off', prelisting: 'listed' };

export function contractRow(contract: SimContract, t: number) {
  const coinMargined = contract.kind !== 'perp';
  const dated = contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    baseCoin: contract.base,
    quoteCoin: coinMargined ? 'USD' : contract.quote,
    buyLimitPriceRatio: '0.05',
    sellLimitPriceRatio: '0.05',
    feeRateUpRatio: '0.005',
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0006',
    openCostUpRatio: '0.01',
    supportMarginCoins: coinMargined ? [contract.base, 'USDC', 'BTC'] : [contract.settle],
    minTradeNum: String(contract.lot),
    priceEndStep: '1',
    volumePlace: '4',
    pricePlace: String(Math.max(0, -Math.round(Math.log10(contract.tick)))),
    sizeMultiplier: String(contract.lot),
    symbolType: dated ? 'delivery' : 'perpetual',
    minTradeUSDT: '5',
    symbolStatus: STATUS[contract.status],
    offTime: '-1',
    limitOpenTime: '-1',
    deliveryTime: dated ? String(DELIVERY) : '',
    deliveryStartTime: '',
    deliveryPeriod: dated ? 'this_quarter' : '',
    launchTime: contract.status === 'prelisting' ? String(t + 86_400_000) : '',
    fundInterval: String(contract.intervalHours),
    minLever: '1',
    maxLever: '50',
    posLimit: '0.05',
    maintainTime: '',
    isRwa: contract.asset.assetClass === 'crypto' ? 'NO' : 'YES',
  };
}

export function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0] ?? [mark, 0];
  const ask = asks[0] ?? [mark, 0];
  const dated = contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    lastPr: priceText(contract, mark),
    askPr: priceText(contract, ask[0]),
    bidPr: priceText(contract, bid[0]),
    bidSz: baseText(contract, bid[1]),
    askSz: baseText(contract, ask[1]),
    high24h: priceText(contract, mark * 1.02),
    low24h: priceText(contract, mark * 0.98),
    ts: String(t - 90),
    change24h: '0.00471',
    baseVolume: baseText(contract, volume),
    quoteVolume: fixed(volume * mark, 5),
    usdtVolume: fixed(volume * mark, 5),
    openUtc: priceText(contract, mark),
    changeUtc24h: '-0.00009',
    indexPrice: fineText(contract, world.index(contract, t)),
    fundingRate: dated ? '0' : rateText(world.fundingRate(contract, t)),
    holdingAmount: baseText(contract, world.openInterest(contract, t)),
    deliveryStartTime: dated ? '1774598400000' : null,
    deliveryTime: dated ? String(DELIVERY) : null,
    deliveryStatus: dated ? 'delivery_normal' : '',
    open24h: priceText(contract, mark),
    markPrice: fineText(contract, mark),
  };
}

export function fundRow(contract: SimContract, world: World, t: number) {
  const dated = contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    fundingRate: dated ? '0' : rateText(world.fundingRate(contract, t)),
    fundingRateInterval: String(contract.intervalHours),
    nextUpdate: dated ? '0' : String(world.nextFunding(contract, t)),
    minFundingRate: rateText(-capOf(contract)),
    maxFundingRate: rateText(capOf(contract)),
  };
}

/** Number of the book that is shown at a time: one a millisecond, so that every step has its own. */
export function seqAt(t: number): number {
  return t;
}

/** Levels `[price, base amount]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, depth), (p, q) => [priceText(contract, p), baseText(contract, q)]);
}
