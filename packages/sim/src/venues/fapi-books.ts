import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimContract, World } from '../world.ts';
import { sidesOf } from './sides.ts';

/** Levels that a side of a book has. */
const WHOLE = 100;

/** Number of the last update that is in the book of this time; updates of all contracts are counted in one. */
export function updateIdAt(t: number): number {
  return t * 3;
}

/** Levels `[price, size]` of the book, best first. */
export function bookRows(c: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(c, t, Math.min(depth, WHOLE)), (price, size) => [
    priceText(c, price),
    baseText(c, size),
  ]);
}
