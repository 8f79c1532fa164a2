import type { Sides } from '../book-distortion.ts';
import { labelOf } from '../contracts.ts';
import { contractsOf, contractsText, fineText, fixed, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** The only coin that the venue prices by the block: a million in one MBABYDOGE. */
function baseName(ticker: string) {
  return ticker === 'BABYDOGE' ? { base: 'MBABYDOGE', multiplier: 1e6 } : { base: ticker, multiplier: 1 };
}

/** Coins (as named) in one contract: the power of ten that is worth some ten dollars. */
function contractSize(ticker: string, price: number): number {
  const power = Math.floor(Math.log10(20 / price / baseName(ticker).multiplier));
  return Number(`1e${Math.max(-4, Math.min(7, power))}`);
}

export const listing: SimListing = {
  venue: 'gate',
  size: 0.36,
  quotes: ['USDT'],
  count: 741,
  classes: ['crypto', 'equity', 'index', 'commodity', 'fx'],
  include: ['PEPE', 'SHIB', 'BONK', 'NVDA', 'XAU', 'EUR', '1INCH', 'PAXG', 'BABYDOGE'],
  labels: { PAXG: 'commodity' },
  baseName,
  contractSize,
  intervalHours: (rank) => (rank < 80 ? 8 : rank % 113 === 0 ? 1 : rank % 5 < 2 ? 4 : 8),
  symbol: (base, quote) => `${base}_${quote}`,
  inverse: (base) => `${base}_USD`,
  delisted: 3,
  prelisting: 2,
};

const TYPES: Readonly<Record<string, string>> = {
  equity: 'stocks',
  index: 'indices',
  commodity: 'metals',
  fx: 'forex',
};
/** The next settlement moves on this long before the coming one, ms. */
const EARLY_MS = 3000;
const DAY_S = 86_400;
const STATUS = { live: 'trading', delisted: 'delisting', prelisting: 'prelaunch' };

/** Contracts of a settlement currency: all linear ones in usdt, one inverse in btc. */
export function ofSettle(world: World, settle: string): readonly SimContract[] {
  const all = world.contracts(listing);
  if (settle === 'usdt') return all.filter((contract) => contract.kind === 'perp');
  return settle === 'btc' ? all.filter((contract) => contract.symbol === 'BTC_USD') : [];
}

/** Limits of orders and risk, and fees, the same on every row. */
const ORDER_TERMS = {
  order_price_deviate: '0.15',
  order_size_min: 1,
  order_size_max: 1_000_000,
  orders_limit: 100,
  enable_decimal: false,
  leverage_min: '1',
  leverage_max: '50',
  maintenance_rate: '0.01',
  risk_limit_base: '5000',
  risk_limit_step: '2495000',
  risk_limit_max: '2500000',
  // No retail tier: a contract's fee is another.
  maker_fee_rate: '-0.0001',
  taker_fee_rate: '0.00075',
  ref_discount_rate: '0',
  ref_rebate_rate: '0.2',
};

export function contractRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const rate = rateText(world.fundingRate(contract, t));
  const inverse = contract.kind === 'inverse';
  return {
    name: contract.symbol,
    type: inverse ? 'inverse' : 'direct',
    quanto_multiplier: inverse ? '0' : fixed(contract.contractSize, contract.contractSize < 1 ? 4 : 0),
    funding_rate: rate,
    funding_rate_indicative: rate,
    funding_interval: contract.intervalHours * 3600,
    funding_next_apply: world.nextFunding(contract, t + EARLY_MS) / 1000,
    funding_offset: 0,
    funding_cap_ratio: '0.75',
    funding_rate_limit: fixed(capOf(contract), 8),
    funding_impact_value: '7000',
    interest_rate: '0.0003',
    mark_type: 'index',
    mark_price: fineText(contract, mark),
    mark_price_round: fixed(contract.tick, 12),
    index_price: fineText(contract, world.index(contract, t)),
    last_price: priceText(contract, mark),
    order_price_round: fixed(contract.tick, 12),
    ...ORDER_TERMS,
    position_size: contractsOf(contract, world.openInterest(contract, t)),
    trade_size: contractsOf(contract, world.volume24h(contract, t)) * 400,
    long_users: 191,
    short_users: 157,
    trade_id: 10_376_084,
    orderbook_id: Math.floor(t / 20),
    config_change_time: 1_782_119_113,
    create_time: 1_758_124_392,
    launch_time: contract.status === 'prelisting' ? Math.floor(t / 1000) + DAY_S : 1_758_124_392,
    in_delisting: contract.status === 'delisted',
    is_pre_market: false,
    status: STATUS[contract.status],
    contract_type: TYPES[labelOf(listing, contract.asset)] ?? '',
  };
}

export function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0] ?? [mark, 0];
  const ask = asks[0] ?? [mark, 0];
  const quote = fixed(volume * mark, 0);
  return {
    contract: contract.symbol,
    last: priceText(contract, mark),
    low_24h: priceText(contract, mark * 0.98),
    high_24h: priceText(contract, mark * 1.02),
    change_percentage: '0.47',
    total_size: String(contractsOf(contract, world.openInterest(contract, t))),
    volume_24h: String(contractsOf(contract, volume)),
    volume_24h_btc: fixed((volume * mark) / 100_000, 0),
    volume_24h_usd: quote,
    volume_24h_base: String(Math.floor(volume / contract.multiplier)),
    volume_24h_quote: quote,
    volume_24h_settle: quote,
    mark_price: fineText(contract, mark),
    index_price: fineText(contract, world.index(contract, t)),
    funding_rate: rateText(world.fundingRate(contract, t)),
    funding_rate_indicative: rateText(world.fundingRate(contract, t)),
    quanto_base_rate: '',
    highest_bid: priceText(contract, bid[0]),
    highest_size: String(contractsOf(contract, bid[1])),
    lowest_ask: priceText(contract, ask[0]),
    lowest_size: String(contractsOf(contract, ask[1])),
  };
}

/** Number of the book that is shown at a time: one a millisecond, so that every step has its own. */
export function bookIdAt(t: number): number {
  return t;
}

/** Levels `[price, contracts]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, depth), (p, s) => [
    priceText(contract, p),
    contractsText(contract, s),
  ]);
}
