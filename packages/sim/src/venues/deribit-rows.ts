import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Sides } from '../book-distortion.ts';
import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

const THOUSANDS = new Set(['PEPE', 'SHIB', 'BONK', 'MOG']);

export const listing: SimListing = {
  venue: 'deribit',
  size: 0.14,
  quotes: ['USDC'],
  count: 40,
  classes: ['crypto', 'equity', 'commodity'],
  include: ['PEPE', 'SHIB', 'BONK', 'NVDA', 'XAU'],
  baseName: (ticker) =>
    THOUSANDS.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 8,
  symbol: (base, quote) => `${base}_${quote}-PERPETUAL`,
  dated: (base, quote) => `${base}_${quote}-25DEC26`,
  inverse: (base) => `${base}-PERPETUAL`,
  delisted: 2,
};

/** Inverse perpetuals exist for two coins only. */
const INVERSE = new Set(['BTC', 'ETH']);
const FAR = 32_503_708_800_000;
const DELIVERY = Date.UTC(2026, 11, 25, 8);
/** Summaries are made every two seconds and arrive late. */
const LATE_MS = 1200;
export const num = (text: string): number => Number(text);

export function listed(world: World): readonly SimContract[] {
  return world
    .contracts(listing)
    .filter((contract) => contract.kind !== 'inverse' || INVERSE.has(contract.base));
}

export const currencyOf = (contract: SimContract): string =>
  contract.kind === 'inverse' ? contract.base : 'USDC';

const UNDERLYING: Readonly<Record<string, string>> = { equity: 'equity', commodity: 'commodity' };

export function instrument(contract: SimContract) {
  const inverse = contract.kind === 'inverse';
  const dated = contract.kind === 'dated';
  return {
    price_index: `${contract.base.toLowerCase()}_${inverse ? 'usd' : 'usdc'}`,
    kind: 'future',
    instrument_name: contract.symbol,
    max_leverage: 50,
    maker_commission: 0.00015,
    taker_commission: contract.asset.rank % 17 === 3 ? 0.0005 : 0.00035,
    instrument_type: inverse ? 'reversed' : 'linear',
    future_type: inverse ? 'reversed' : 'linear',
    expiration_timestamp: dated ? DELIVERY : FAR,
    creation_timestamp: 1_651_149_400_000,
    is_active: contract.status === 'live',
    state: contract.status === 'live' ? 'open' : 'closed',
    tick_size: contract.tick,
    // The step of orders; it scales no amount.
    contract_size: inverse ? 10 : contract.lot,
    min_trade_amount: inverse ? 10 : contract.lot,
    instrument_id: 215_000 + contract.asset.rank,
    settlement_currency: contract.settle,
    settlement_period: dated ? 'month' : 'perpetual',
    base_currency: contract.base,
    counter_currency: inverse ? 'USD' : 'USDC',
    quote_currency: inverse ? 'USD' : 'USDC',
    underlying_type: UNDERLYING[contract.asset.assetClass] ?? 'crypto',
    tick_size_steps: [],
  };
}

/** An option and a spot market: what the list of all kinds holds besides. */
export function others() {
  const common = { is_active: true, state: 'open', taker_commission: 0.0003, tick_size: 0.0005 };
  return [
    {
      ...common,
      kind: 'option',
      instrument_name: 'BTC_USDC-25DEC26-100000-C',
      instrument_type: 'linear',
      option_type: 'call',
      strike: 100_000,
      expiration_timestamp: DELIVERY,
      settlement_currency: 'USDC',
      settlement_period: 'month',
      base_currency: 'BTC',
      counter_currency: 'USDC',
      quote_currency: 'USDC',
    },
    {
      ...common,
      kind: 'spot',
      instrument_name: 'BTC_USDC',
      instrument_type: 'linear',
      settlement_currency: 'USDC',
      base_currency: 'BTC',
      counter_currency: 'USDC',
      quote_currency: 'USDC',
    },
  ];
}

/** Amounts in the unit of the contract: coins on linear ones, dollars on inverse ones. */
function amount(contract: SimContract, coins: number, mark: number): number {
  return contract.kind === 'inverse' ? Math.round((coins * mark) / 10) * 10 : contractsOf(contract, coins);
}

function prices(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const [bid, ask] = [bids[0], asks[0]].map((level) =>
    level === undefined ? null : num(priceText(contract, level[0])),
  );
  return { mark, bid: bid ?? null, ask: ask ?? null };
}

/** The rate in force now. The last eight hours' payment of a holder stands beside it. */
function funding(contract: SimContract, world: World, t: number) {
  if (contract.kind === 'dated') return {};
  return {
    current_funding: num(rateText(world.fundingRate(contract, t))),
    funding_8h: num(rateText(accrued(contract, world, t - 8 * HOUR_MS, t))),
  };
}

/** Funding accrued over a window, from the rate at the middle of each hour. */
export function accrued(contract: SimContract, world: World, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t < to; t += HOUR_MS) {
    const end = Math.min(to, t + HOUR_MS);
    sum += (world.fundingRate(contract, (t + end) / 2) * (end - t)) / (8 * HOUR_MS);
  }
  return sum;
}

export function summary(contract: SimContract, world: World, t: number) {
  const { mark, bid, ask } = prices(contract, world, t);
  const volume = world.volume24h(contract, t);
  const coins = num(fixed(volume / contract.multiplier, 8));
  return {
    high: num(priceText(contract, mark * 1.02)),
    low: num(priceText(contract, mark * 0.98)),
    last: num(priceText(contract, mark)),
    instrument_name: contract.symbol,
    bid_price: bid,
    ask_price: ask,
    mid_price: bid === null || ask === null ? null : (bid + ask) / 2,
    open_interest: amount(contract, world.openInterest(contract, t), mark),
    mark_price: num(fineText(contract, mark)),
    creation_timestamp: t - LATE_MS,
    price_change: 0.47,
    volume: coins,
    estimated_delivery_price: num(fineText(contract, world.index(contract, t))),
    base_currency: contract.base,
    quote_currency: contract.kind === 'inverse' ? 'USD' : 'USDC',
    volume_usd: num(fixed(volume * mark, 2)),
    volume_notional: num(fixed(volume * mark, 2)),
    ...funding(contract, world, t),
  };
}

export function ticker(contract: SimContract, world: World, t: number) {
  const { mark, bid, ask } = prices(contract, world, t);
  const { volume, volume_usd, high, low } = summary(contract, world, t);
  const index = num(fineText(contract, world.index(contract, t)));
  return {
    timestamp: t,
    state: 'open',
    stats: { high, low, price_change: 0.47, volume, volume_usd, volume_notional: volume_usd },
    index_price: index,
    estimated_delivery_price: index,
    instrument_name: contract.symbol,
    last_price: num(priceText(contract, mark)),
    mark_price: num(fineText(contract, mark)),
    open_interest: amount(contract, world.openInterest(contract, t), mark),
    // 0 stands for an empty side.
    best_bid_price: bid ?? 0,
    best_ask_price: ask ?? 0,
    ...funding(contract, world, t),
  };
}

/** Perpetuals and futures that trade. */
export function openContracts(world: World): readonly SimContract[] {
  return listed(world).filter(({ status }) => status === 'live');
}

/** Number of the book of this time; counted over all instruments, so that it skips. */
export function changeIdAt(t: number): number {
  return 136_069_961_946 + Math.floor(t / 20);
}

/** Levels `[price, amount]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  const mark = world.mark(contract, t);
  return sidesOf(world.book(contract, t, depth), (price, size) => [
    num(priceText(contract, price)),
    amount(contract, size, mark),
  ]);
}
