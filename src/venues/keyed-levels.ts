import type { BookLevel } from '../domain/book.ts';
import { isWire, readNumber } from '../domain/read.ts';

/**
 * Book levels written as objects, in ticker units. Undefined when the list or any level of it is unreadable: a
 * book with a hole is worth less than none.
 *
 * @param multiplier ticker units in one named base unit: prices are divided by it
 * @param sizeScale ticker units in one unit of the size: contract size x multiplier
 */
export function keyedLevels(
  rows: unknown,
  priceKey: string,
  sizeKey: string,
  multiplier: number,
  sizeScale = multiplier,
): BookLevel[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const levels: BookLevel[] = [];
  for (const row of rows as readonly unknown[]) {
    if (!isWire(row)) return undefined;
    const price = readNumber(row[priceKey]);
    const size = readNumber(row[sizeKey]);
    if (price === undefined || size === undefined) return undefined;
    if (!(price > 0 && price < 1e15 && size >= 0 && size < 1e24)) return undefined;
    levels.push([multiplier === 1 ? price : price / multiplier, sizeScale === 1 ? size : size * sizeScale]);
  }
  return levels;
}
