import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { fixed } from '../format.ts';
import { decimalsOf, lotOf, onGrid, tickOf } from '../increments.ts';
import { keyOf, uniform, valueNoise } from '../noise.ts';
import type { SimVenue } from '../venue.ts';
import type { SimAsset, SimContract, World } from '../world.ts';

/** A spot pair of a simulated venue. Texts are in the venue's units: per one of `base`, sizes in `base`. */
export interface SpotPair {
  readonly asset: SimAsset;
  /** The venue's perpetual of the coin, whose activity the pair shares. */
  readonly contract: SimContract;
  /** Base as the spot side of the venue names it, and the coins in one of it. */
  readonly base: string;
  readonly multiplier: number;
  readonly key: number;
}

/** The present of a pair. */
export interface SpotQuote {
  readonly bid: string;
  readonly bidSize: string;
  readonly ask: string;
  readonly askSize: string;
  readonly mid: string;
  readonly last: string;
  /** Volume of 24 h, in `base` and in the quote currency. */
  readonly volume: string;
  readonly turnover: string;
  readonly tick: string;
  readonly lot: string;
  readonly tickDecimals: number;
  readonly lotDecimals: number;
}

/** Most traded coins that a venue has a pair of. */
const PAIRS = 120;
/** The share of a perpetual's volume that its spot pair has. */
const VOLUME_SHARE = 0.35;

/** The name of a coin on a spot side, with the coins in one unit of it. */
export type SpotName = (ticker: string) => { readonly base: string; readonly multiplier: number } | undefined;

const plain: SpotName = () => undefined;

/** The pairs of a venue: of its most traded coins, each once. Planted: one token has the name of another coin. */
export function spotPairs(world: World, { listing }: SimVenue, named: SpotName = plain): readonly SpotPair[] {
  const coins = new Map<string, SimContract>();
  for (const contract of world.contracts(listing)) {
    const { asset, kind, status, dead } = contract;
    const isCoin = kind === 'perp' && status === 'live' && asset.assetClass === 'crypto' && dead !== true;
    if (isCoin && !coins.has(asset.id)) coins.set(asset.id, contract);
  }
  return [...coins.values()].slice(0, PAIRS).map((contract) => {
    const { asset, venue } = contract;
    const { base, multiplier } = named(asset.ticker) ?? { base: asset.ticker, multiplier: 1 };
    return { asset, contract, base, multiplier, key: keyOf(world.seed, `spot:${venue}:${asset.id}`) };
  });
}

/** The coin whose name another token has at one venue, and that token's price against the coin's. */
export const PLANTED_TOKEN = { venue: 'mexc', ticker: 'ETC', price: 0.3 } as const;

/** Price of a coin at the venue, USD: it swings about the index, so that the basis of the perpetual returns to its premium. */
export function spotMid(world: World, { asset, contract, key }: SpotPair, t: number): number {
  const swing =
    0.0004 * valueNoise(key, t / (20 * MINUTE_MS)) + 0.0001 * valueNoise(key ^ 1, t / (45 * SECOND_MS));
  const isPlanted = contract.venue === PLANTED_TOKEN.venue && asset.ticker === PLANTED_TOKEN.ticker;
  return world.spot(asset, t) * (isPlanted ? PLANTED_TOKEN.price : 1) * (1 + swing);
}

/** The present of a pair in the venue's units. */
export function spotQuote(world: World, pair: SpotPair, t: number): SpotQuote {
  const { asset, contract, multiplier, key } = pair;
  const mid = spotMid(world, pair, t) * multiplier;
  const tick = tickOf(mid, asset.rank);
  const lot = lotOf(mid);
  const half = mid * (0.0001 + 0.00003 * Math.sqrt(asset.rank));
  const bid = Math.min(onGrid(mid - half, tick), onGrid(mid, tick));
  const ask = Math.max(onGrid(mid + half, tick), bid + tick);
  const places = decimalsOf(tick);
  const sizes = decimalsOf(lot);
  const volume = (world.volume24h(contract, t) * VOLUME_SHARE) / multiplier;
  const sizeAt = (side: number): string =>
    fixed(lot + (2000 * (1 + uniform(key ^ side, Math.floor(t / SECOND_MS)))) / mid, sizes);
  return {
    bid: fixed(bid, places),
    bidSize: sizeAt(1),
    ask: fixed(ask, places),
    askSize: sizeAt(2),
    mid: decimal(mid, 10),
    last: fixed(onGrid(mid, tick), places),
    volume: fixed(volume, sizes),
    turnover: fixed(volume * mid, 4),
    tick: fixed(tick, places),
    lot: fixed(lot, sizes),
    tickDecimals: places,
    lotDecimals: sizes,
  };
}

/** Rate of a coin that nobody borrows, and what it rises by with use, fractions a year. */
const FLOOR = 0.01;
const SLOPE = 0.04;
const STEEP = 2;
const KINK = 0.7;
const HOURS_A_YEAR = 8760;
/** A rate of funding, per eight hours, against longs at which all want to borrow who can. */
const FULL_DEMAND_8H = 0.0005;

/**
 * The cost of borrowing the coin, fraction an hour: it rises with the part of the coins that is lent, and steeply beyond 70 %. More
 * is borrowed where the perpetual pays those who are long, since these sell the coin short.
 *
 * @param fundingRate8h of the perpetual, per eight hours
 */
export function borrowRateAt(fundingRate8h: number, key: number, t: number): number {
  const demand = Math.min(1, Math.max(0, -fundingRate8h / FULL_DEMAND_8H));
  const usual = 0.3 + 0.2 * valueNoise(key ^ 0x51ed, t / (6 * HOUR_MS));
  const used = Math.min(1, usual + 0.5 * demand);
  return (FLOOR + SLOPE * used + STEEP * Math.max(0, used - KINK)) / HOURS_A_YEAR;
}

/** The same of a pair's coin at this hour: venues set it once an hour. */
export function borrowRate(world: World, { contract, key }: SpotPair, t: number): number {
  const hour = Math.floor(t / HOUR_MS) * HOUR_MS;
  return borrowRateAt((world.fundingRate(contract, hour) * 8) / contract.intervalHours, key, hour);
}

/** The most that one account may borrow of a coin, USD: of some coins less than both books fill. */
const LIMITS_USD = [500_000, 20_000, 3000, 300] as const;

/** The same in coins. */
export const borrowLimit = (world: World, pair: SpotPair, t: number): number =>
  Math.ceil((LIMITS_USD[pair.key % LIMITS_USD.length] ?? LIMITS_USD[0]) / spotMid(world, pair, t));
