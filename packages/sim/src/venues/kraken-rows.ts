import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { OFFCHAIN } from '../asset-table.ts';
import type { Sides } from '../book-distortion.ts';
import { contractsOf, fineText, priceText } from '../format.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Shares whose ticker is nobody else's; the others are not listed. */
const SHARES = new Set(
  OFFCHAIN.flatMap(([assetClass, table]) =>
    assetClass === 'equity' ? table.split(/\s+/).filter((entry) => !entry.includes('@')) : [],
  ).map((entry) => entry.split(':')[0] ?? ''),
);

export const listing: SimListing = {
  venue: 'kraken',
  size: 0.06,
  quotes: ['USD'],
  count: 350,
  classes: ['crypto', 'equity'],
  include: ['PEPE', 'SHIB', '1INCH', 'AAPL', 'NVDA'],
  exclude: ['equity:STX', 'equity:BB', 'equity:QNT'],
  baseName: (ticker) => ({
    base: ticker === 'BTC' ? 'XBT' : SHARES.has(ticker) ? `${ticker}x` : ticker,
    multiplier: 1,
  }),
  intervalHours: () => 1,
  symbol: (base, quote) => `PF_${base}${quote}`,
  dated: (base, quote) => `FF_${base}${quote}_261225`,
  inverse: (base) => `PI_${base}USD`,
  delisted: 4,
  prelisting: 2,
};

/** Levels of the snapshot, a side. */
export const WHOLE = 60;

export const num = (text: string): number => Number(text);

/** Levels `[price, quantity]` of the book, best first. */
export function bookRows(contract: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(contract, t, depth), (price, size) => [
    num(priceText(contract, price)),
    contractsOf(contract, size),
  ]);
}

/** The spot price at which the hour of `t` began, on which its rate is set. */
export const spotAtHour = (contract: SimContract, world: World, t: number): number =>
  world.index(contract, world.nextFunding(contract, t) - HOUR_MS);

/** A frame of the feed `ticker`: the rate as a fraction, and as the amount that it is of the spot price of the hour. */
export function tickerFrame(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const rate = world.fundingRate(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0] ?? [mark, 0];
  const ask = asks[0] ?? [mark, 0];
  const volume = world.volume24h(contract, t);
  return {
    time: t,
    product_id: contract.symbol,
    funding_rate: rate * spotAtHour(contract, world, t),
    relative_funding_rate: rate,
    next_funding_rate_time: world.nextFunding(contract, t),
    leverage: '50x',
    feed: 'ticker',
    bid: num(priceText(contract, bid[0])),
    ask: num(priceText(contract, ask[0])),
    bid_size: contractsOf(contract, bid[1]),
    ask_size: contractsOf(contract, ask[1]),
    volume: contractsOf(contract, volume),
    index: num(fineText(contract, world.index(contract, t))),
    last: num(priceText(contract, mark)),
    suspended: false,
    tag: 'perpetual',
    openInterest: contractsOf(contract, world.openInterest(contract, t)),
    markPrice: mark,
    maturityTime: 0,
    post_only: false,
    volumeQuote: volume * mark,
  };
}
