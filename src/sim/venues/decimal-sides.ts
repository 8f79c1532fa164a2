import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimContract, World } from '../world.ts';

/** Levels `[price, size]` of a book, best first, as decimals in the units that the venue names. */
export function decimalSides(c: SimContract, world: World, t: number, depth: number): Sides {
  const { bids, asks } = world.book(c, t, depth);
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([price, size]) => [decimal(price * c.multiplier), decimal(size / c.multiplier)]);
  return { bids: side(bids), asks: side(asks) };
}
