import type { PriceLevels } from './price-levels.ts';

/** Part of a size that rounding may leave when a side is taken as a whole. */
const ROUNDING = 1e-9;

/**
 * Volume-weighted price of a fill of `sizeUsd` down one side, the last level taken in part; undefined when the side
 * has less. Price = size / base amount, as the size is counted in quote currency.
 */
export function fillPrice(side: PriceLevels, sizeUsd: number): number | undefined {
  const { cells, sign } = side;
  let left = sizeUsd;
  let base = 0;
  for (let at = 2 * side.count - 2; at >= 0; at -= 2) {
    const price = sign * (cells[at] as number);
    const size = cells[at + 1] as number;
    const value = price * size;
    if (value >= left) return sizeUsd / (base + left / price);
    base += size;
    left -= value;
  }
  return base > 0 && left <= sizeUsd * ROUNDING ? sizeUsd / base : undefined;
}
