import { fixed } from '../format.ts';
import { onGrid } from '../increments.ts';
import { uniform } from '../noise.ts';
import type { World } from '../world.ts';
import { type SpotPair, spotQuote } from './spot-pair.ts';

/** Price and size, in the venue's units. */
export type SpotLevel = readonly [price: string, size: string];

/** Both sides of a spot book, best first. */
export interface SpotBookText {
  readonly bids: readonly SpotLevel[];
  readonly asks: readonly SpotLevel[];
}

/** Distance between two levels, fraction of the price. */
const SPACING = 0.0001;
/** Usual value of a level next to the touch, USD, of the most traded coin, and the part that each further level is larger by. */
const LEVEL_USD = 4000;
const GROWTH = 0.15;
/** The rank of a coin at which levels are half as large. */
const HALF_RANK = 20;
/** Levels keep their sizes for so long, ms. */
const LIFE_MS = 5000;

/** The book of a pair: its best levels are the touch that the tickers state at the same moment. */
export function spotBook(world: World, pair: SpotPair, t: number, depth: number): SpotBookText {
  const { bid, bidSize, ask, askSize, tickDecimals, lotDecimals, tick, lot } = spotQuote(world, pair, t);
  const gap = Math.max(Number(tick), onGrid(Number(bid) * SPACING, Number(tick)));
  const usual = LEVEL_USD / (1 + pair.asset.rank / HALF_RANK);
  const side = (best: string, size: string, step: number): readonly SpotLevel[] => {
    const levels: SpotLevel[] = [[best, size]];
    for (let at = 1; at < depth; at++) {
      const price = onGrid(Number(best) + step * at, Number(tick));
      if (price <= 0) break;
      const share = 0.5 + uniform(pair.key ^ (at * 2 + Number(step > 0)), Math.floor(t / LIFE_MS));
      const value = usual * share * (1 + GROWTH * at);
      levels.push([fixed(price, tickDecimals), fixed(Number(lot) + value / price, lotDecimals)]);
    }
    return levels;
  };
  return { bids: side(bid, bidSize, -gap), asks: side(ask, askSize, gap) };
}

/** The same in numbers, of venues that write these. */
export const inNumbers = (levels: readonly SpotLevel[]): readonly (readonly number[])[] =>
  levels.map((level) => level.map(Number));
