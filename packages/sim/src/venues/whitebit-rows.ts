import { decimal } from '../decimal.ts';
import { capOf } from '../funding.ts';
import { decimalsOf } from '../increments.ts';
import type { SimContract, SimListing, World } from '../world.ts';

export const listing: SimListing = {
  venue: 'whitebit',
  size: 0.12,
  quotes: ['USDT'],
  count: 280,
  classes: ['crypto', 'equity', 'commodity', 'index'],
  include: ['NVDA', 'XAU', 'PEPE'],
  exclude: ['equity:QNT'],
  intervalHours: (rank) => (rank % 3 === 1 ? 4 : 8),
  symbol: (base) => `${base}_PERP`,
  delisted: 7,
};

/** Contracts in the lists: a delisted market leaves them. */
export function listed(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.status === 'live');
}

/** The socket goes on about markets that no list holds any more. */
export function pushed(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.kind === 'perp');
}

export function futureRow(c: SimContract, world: World, t: number) {
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const { bids, asks } = world.book(c, t, 1);
  const isCrypto = c.asset.assetClass === 'crypto';
  const coin = isCrypto && c.asset.rank < 60;
  return {
    ticker_id: c.symbol,
    stock_currency: c.base,
    money_currency: 'USDT',
    last_price: decimal(mark),
    stock_volume: decimal(volume),
    money_volume: decimal(volume * mark, 14),
    bid: decimal(bids[0]?.[0] ?? 0),
    ask: decimal(asks[0]?.[0] ?? 0),
    high: decimal(mark * 1.02),
    low: decimal(mark * 0.98),
    product_type: 'Perpetual',
    open_interest: decimal(world.openInterest(c, t)),
    index_price: decimal(world.index(c, t), 12),
    mark_price: decimal(mark, 12),
    index_name: coin ? c.base : `${c.base} future contract`,
    index_currency: c.base,
    funding_rate: decimal(world.fundingRate(c, t)),
    next_funding_rate_timestamp: String(world.nextFunding(c, t)),
    funding_cap: isCrypto ? decimal(capOf(c)) : null,
    funding_floor: isCrypto ? decimal(-capOf(c)) : null,
    // Values are numbers here and text there.
    brackets: { '1': 0, '10': '0', '50': coin ? '-10000' : 800 },
    max_leverage: 50,
    ...(c.intervalUnknown === true ? {} : { funding_interval_minutes: c.intervalHours * 60 }),
  };
}

export function marketRow(c: SimContract) {
  const crypto = c.asset.assetClass === 'crypto';
  return {
    name: c.symbol,
    stock: c.base,
    money: 'USDT',
    stockPrec: String(decimalsOf(c.lot)),
    moneyPrec: String(decimalsOf(c.tick)),
    stepSize: decimal(c.lot),
    tickSize: decimal(c.tick),
    feePrec: '6',
    makerFee: '0.01',
    takerFee: '0.055',
    minAmount: decimal(c.lot),
    minTotal: '5',
    tradesEnabled: true,
    type: crypto ? 'futures' : 'tradfiFutures',
    isCollateral: true,
    maxTotal: '10000000',
    isTradFiFutures: !crypto,
    delistedAt: null,
  };
}
