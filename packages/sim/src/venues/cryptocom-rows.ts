import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { openTimes, settlementsBefore } from '../history.ts';
import { decimalsOf } from '../increments.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

export const listing: SimListing = {
  venue: 'cryptocom',
  size: 0.08,
  quotes: ['USD'],
  count: 240,
  classes: ['crypto', 'equity', 'index', 'commodity', 'prelaunch'],
  include: ['NVDA', 'XAU', 'ANTH'],
  intervalHours: () => 1,
  symbol: (base, quote) => `${base}${quote}-PERP`,
  dated: (base, quote) => `${base}${quote}-261225`,
  delisted: 4,
};

const PRODUCTS: Readonly<Record<string, string>> = {
  crypto: 'DIGITAL_CURRENCIES',
  equity: 'EQUITY',
  index: 'EQUITY_IND',
  commodity: 'COMMODITIES',
  prelaunch: 'PRE_IPO',
};

/** Contracts that can be asked about, dated ones too. */
export function tradable(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.status === 'live');
}

export const indexOf = (c: SimContract): string => `${c.base}USD-INDEX`;

export function instrumentRow(c: SimContract) {
  const dated = c.kind === 'dated';
  return {
    symbol: c.symbol,
    inst_type: dated ? 'FUTURE' : 'PERPETUAL_SWAP',
    display_name: dated ? `${c.base}USD Futures 20261225` : `${c.base}USD Perpetual`,
    base_ccy: c.base,
    quote_ccy: 'USD',
    quote_decimals: decimalsOf(c.tick),
    quantity_decimals: decimalsOf(c.lot),
    price_tick_size: decimal(c.tick),
    qty_tick_size: decimal(c.lot),
    max_leverage: '50',
    tradable: c.status === 'live',
    expiry_timestamp_ms: dated ? Date.UTC(2026, 11, 25, 8) : 0,
    beta_product: false,
    underlying_symbol: indexOf(c),
    contract_size: '1',
    product_type: PRODUCTS[c.asset.assetClass],
    margin_buy_enabled: false,
    margin_sell_enabled: false,
  };
}

export function tickerRow(c: SimContract, world: World, t: number) {
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const { bids, asks } = world.book(c, t, 1);
  // After hours one side of a share has no price in the ticker, although its book has.
  const quiet = c.asset.assetClass === 'equity' && c.asset.rank % 5 === 0;
  return {
    i: c.symbol,
    h: decimal(mark * 1.02),
    l: decimal(mark * 0.98),
    a: decimal(mark),
    v: decimal(volume),
    vv: decimal(volume * mark, 14),
    c: '0.0395',
    b: quiet ? null : decimal(bids[0]?.[0] ?? 0),
    k: decimal(asks[0]?.[0] ?? 0),
    oi: decimal(world.openInterest(c, t)),
    t,
  };
}

interface Point {
  readonly v: string;
  readonly t: number;
}

/** Newest valuation of a kind; undefined for a kind that the venue does not know. */
export function valuation(kind: string, c: SimContract, world: World, t: number): Point | undefined {
  const second = Math.floor(t / 1000) * 1000;
  const minute = (at: number): number => Math.floor((t - at) / 60_000) * 60_000 + at;
  switch (kind) {
    case 'mark_price':
      return { v: decimal(world.mark(c, t), 12), t: second };
    case 'index_price':
      return { v: decimal(world.index(c, t), 12), t: second };
    case 'funding_rate':
      return { v: decimal(world.fundingRate(c, t)), t: minute(5000) };
    case 'estimated_funding_rate':
      return { v: decimal(world.fundingRate(c, t + 4 * HOUR_MS)), t: minute(59_000) };
    case 'funding_hist':
      return rateHistory(c, world, t, 0, t, 1)[0];
    default:
      return undefined;
  }
}

/** Past valuations, newest first. */
export function series(
  kind: string,
  c: SimContract,
  world: World,
  now: number,
  from: number,
  to: number,
  count: number,
): readonly Point[] {
  if (kind === 'funding_hist') return rateHistory(c, world, now, from, to, count);
  const times = openTimes(Math.max(from, to - count * 30_000), to, 30_000, count);
  return [...times].reverse().flatMap((time) => valuation(kind, c, world, time) ?? []);
}

function rateHistory(
  c: SimContract,
  world: World,
  now: number,
  from: number,
  to: number,
  count: number,
): readonly Point[] {
  return settlementsBefore(world, c, now, 1000)
    .filter(({ time }) => time >= from && time <= to)
    .slice(0, count)
    .map(({ time, rate }) => ({ v: decimal(rate), t: time }));
}

export function bookSides(c: SimContract, world: World, t: number, depth: number) {
  return sidesOf(world.book(c, t, depth), (price, size) => [decimal(price), decimal(size), '1']);
}
