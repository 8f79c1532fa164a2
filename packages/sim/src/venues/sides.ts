import type { Row, Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimBook, SimContract, World } from '../world.ts';

/** A book, best first, with the row that a venue makes of a level: price per ticker unit, and size in ticker units. */
export function sidesOf(
  { bids, asks }: SimBook,
  row: (price: number, size: number, rank: number) => Row,
): Sides {
  const side = (levels: SimBook['bids']) => levels.map(([price, size], rank) => row(price, size, rank));
  return { bids: side(bids), asks: side(asks) };
}

/** Levels `[price, size]` of a book, best first, as decimals in the units that the venue names. */
export function decimalSides(c: SimContract, world: World, t: number, depth: number): Sides {
  const row = (price: number, size: number) => [decimal(price * c.multiplier), decimal(size / c.multiplier)];
  return sidesOf(world.book(c, t, depth), row);
}
