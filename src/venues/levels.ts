import type { BookLevel } from '../domain/book.ts';
import { readNumber } from '../domain/read.ts';

/**
 * Book levels `[price, size, …]` in ticker units. Undefined when the list or any level of it is unreadable: a
 * book with a hole is worth less than none.
 *
 * @param multiplier ticker units in one named base unit; prices are divided by it
 * @param sizeScale ticker units in one unit of the size: contract size x multiplier
 */
export function readLevels(x: unknown, multiplier = 1, sizeScale = multiplier): BookLevel[] | undefined {
  if (!Array.isArray(x)) return undefined;
  const levels: BookLevel[] = [];
  for (const level of x as readonly unknown[]) {
    if (!Array.isArray(level)) return undefined;
    const price = readNumber(level[0]);
    const size = readNumber(level[1]);
    if (price === undefined || size === undefined || !plausible(price, size)) return undefined;
    levels.push([multiplier === 1 ? price : price / multiplier, sizeScale === 1 ? size : size * sizeScale]);
  }
  return levels;
}

function plausible(price: number, size: number): boolean {
  return price > 0 && price < 1e15 && size >= 0 && size < 1e24;
}
