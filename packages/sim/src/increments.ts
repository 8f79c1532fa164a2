/** Price and size increments, and the decimal text of values on them. */

/** Orders of magnitude that the smallest lot is worth at least, USD. */
const LOT_USD = 10;

/** Price increment of a venue price: five significant digits, more for the most traded. */
export function tickOf(price: number, rank: number): number {
  const digits = rank < 5 ? 6 : rank < 60 ? 5 : 4;
  return power(Math.floor(Math.log10(price)) - digits);
}

/** Size increment in contracts of one base unit: worth some dollars, at most one contract. */
export function lotOf(price: number): number {
  return power(Math.min(0, Math.floor(Math.log10(LOT_USD / price))));
}

/** Exact decimal power of ten (10 ** -6 is not 0.000001 everywhere). */
function power(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** Decimals of an increment: 2 for 0.01, 0 for 1 and 10. */
export function decimalsOf(increment: number): number {
  return Math.max(0, -Math.round(Math.log10(increment)));
}

/** `x` rounded to a whole number of increments. */
export function onGrid(x: number, increment: number): number {
  return fromSteps(Math.round(x / increment), increment);
}

/** `steps` increments as the nearest double of their decimal value. */
export function fromSteps(steps: number, increment: number): number {
  return increment >= 1 ? steps * increment : steps / Math.round(1 / increment);
}
