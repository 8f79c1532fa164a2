/** The size of a positive factor whichever way it goes, at least 1: of a tenth as of ten, 10. */
export const sizeOf = (factor: number): number => (factor < 1 ? 1 / factor : factor);

/** True if a factor lies between a limit above 1 and its inverse; never of a negative one, nor of NaN. */
export const isWithin = (factor: number, limit: number): boolean => factor < limit && factor > 1 / limit;

/** True of 10, 100, 1000 … and of their inverses, give or take the part `tolerance`. */
export function isPowerOfTen(factor: number, tolerance: number): boolean {
  const size = sizeOf(factor);
  const exponent = Math.round(Math.log10(size));
  return exponent >= 1 && Math.abs(size / 10 ** exponent - 1) <= tolerance;
}
