const DIGITS = 4;

/** A number to four significant digits. */
export function fourDigits(x: number): number;
export function fourDigits(x: number | null): number | null;
export function fourDigits(x: number | null): number | null {
  return x === null ? null : Number(x.toPrecision(DIGITS));
}
