import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimContract, World } from '../world.ts';

/** Levels that a side of a book has. */
const WHOLE = 100;

/** Number of the last update that is in the book of this time; updates of all contracts are counted in one. */
export function updateIdAt(t: number): number {
  return t * 3;
}

/** Levels `[price, size]` of the book, best first. */
export function bookRows(c: SimContract, world: World, t: number, depth: number): Sides {
  const { bids, asks } = world.book(c, t, Math.min(depth, WHOLE));
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([price, size]) => [priceText(c, price), baseText(c, size)]);
  return { bids: side(bids), asks: side(asks) };
}
