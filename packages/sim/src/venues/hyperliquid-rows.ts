import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Sides } from '../book-distortion.ts';
import { baseText, baseTextTwice, fineText, fixed, priceText } from '../format.ts';
import type { SimContract, World } from '../world.ts';
import { sidesOf } from './sides.ts';

export const LEVELS = 20;
/** When the delisted contracts stopped; their prices stand still since. */
export const STOPPED_AT = Date.UTC(2026, 5, 15, 12);

const withPoint = (text: string): string => (text.includes('.') ? text : `${text}.0`);

function frozen(contract: SimContract, world: World) {
  return {
    funding: '0.0',
    openInterest: '0.0',
    prevDayPx: fineText(contract, world.mark(contract, STOPPED_AT)),
    dayNtlVlm: '0.0',
    premium: null,
    oraclePx: fineText(contract, world.index(contract, STOPPED_AT)),
    markPx: fineText(contract, world.mark(contract, STOPPED_AT)),
    midPx: null,
    impactPxs: null,
    dayBaseVlm: '0.0',
  };
}

/** Metrics of one contract; delisted ones answer with what they had at the end. */
export function assetContext(contract: SimContract, world: World, t: number) {
  if (contract.status === 'delisted') return frozen(contract, world);
  const mark = world.mark(contract, t);
  const index = world.index(contract, t);
  const volume = world.volume24h(contract, t);
  return {
    funding: fixed(world.fundingRate(contract, t), 10),
    openInterest: withPoint(baseTextTwice(contract, world.openInterest(contract, t))),
    prevDayPx: fineText(contract, world.mark(contract, t - 24 * HOUR_MS)),
    dayNtlVlm: fixed(volume * mark, 10),
    premium: fixed((mark - index) / index, 10),
    oraclePx: fineText(contract, index),
    markPx: fineText(contract, mark),
    midPx: fineText(contract, mark),
    impactPxs: [fineText(contract, mark * 0.9999), fineText(contract, mark * 1.0001)],
    dayBaseVlm: withPoint(baseText(contract, volume)),
  };
}

/** Levels `[price, base units, orders]` of a contract's book, best first; a delisted one has empty sides. */
export function bookSides(contract: SimContract, world: World, t: number, depth = LEVELS): Sides {
  if (contract.status !== 'live') return { bids: [], asks: [] };
  return sidesOf(world.book(contract, t, depth), (price, size, rank) => [
    priceText(contract, price),
    withPoint(baseText(contract, size)),
    (rank % 5) + 1,
  ]);
}

/** A book as REST and the socket write it. */
export function bookData({ symbol }: SimContract, time: number, { bids, asks }: Sides) {
  const side = (rows: Sides['bids']) => rows.map(([px, sz, n]) => ({ px, sz, n }));
  return { coin: symbol, time, levels: [side(bids), side(asks)] };
}
