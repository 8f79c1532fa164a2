/**
 * The form of numbers on every view: a true minus, digits by the kind of measure, and a dash for an unknown
 * one.
 */

export const UNKNOWN = '–';
type Known = number | null | undefined;

const minus = (text: string): string => text.replace('-', '−');
const formats = new Map<string, Intl.NumberFormat>();

function written(value: number, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', options);
  formats.set(key, format);
  return minus(format.format(value));
}

const isKnown = (value: Known): value is number => typeof value === 'number' && Number.isFinite(value);

/** A number of an answer to its last digit, never with an exponent. */
export const decimal = (value: number): string =>
  written(value, { useGrouping: false, maximumSignificantDigits: 17 });

/** Whole things that are counted. */
export const count = (value: Known): string =>
  isKnown(value) ? written(value, { maximumFractionDigits: 0 }) : UNKNOWN;

/** A price in its quote currency: six significant digits. */
export const price = (value: Known): string =>
  isKnown(value) ? written(value, { minimumSignificantDigits: 2, maximumSignificantDigits: 6 }) : UNKNOWN;

/** Roughly known numbers have three significant digits. */
export const rounded = (value: Known): string =>
  isKnown(value) ? written(value, { maximumSignificantDigits: 3 }) : UNKNOWN;

/** A fraction as percent with its sign; four decimals, two from 10 % on. */
export function percent(fraction: Known): string {
  if (!isKnown(fraction)) return UNKNOWN;
  const value = fraction * 100;
  const digits = Math.abs(value) >= 10 ? 2 : 4;
  return written(value, { ...exact(digits), signDisplay: 'exceptZero' });
}

/** Percent that is given as such, with its sign. */
export const percentOf = (value: Known): string => (isKnown(value) ? percent(value / 100) : UNKNOWN);

/** A part of a whole, in percent: one decimal, no sign. */
export const share = (fraction: Known): string =>
  isKnown(fraction) ? written(fraction * 100, exact(1)) : UNKNOWN;

/** Basis points with their sign. */
export const bps = (value: Known): string =>
  isKnown(value) ? written(value, { ...exact(2), signDisplay: 'exceptZero' }) : UNKNOWN;

/** A cost in basis points, which has no sign. */
export const cost = (value: Known): string => (isKnown(value) ? written(value, exact(2)) : UNKNOWN);

/** US dollars, short: three significant digits and K, M, B. */
export const usd = (value: Known): string =>
  isKnown(value)
    ? `$${written(value, { notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 })}`
    : UNKNOWN;

/** US dollars to the cent, with their sign: what something earned. */
export const usdCents = (value: Known): string =>
  isKnown(value)
    ? written(value, { ...exact(2), style: 'currency', currency: 'USD', signDisplay: 'exceptZero' })
    : UNKNOWN;

/** The price of an answer: as many digits as the price list has. */
export const priceUsd = (text: string): string => `$${text}`;

/** Atomic units of a token with six decimals, in US dollars. */
export function atomicUsd(atomic: bigint): string {
  const text = atomic.toString().padStart(7, '0');
  return `$${text.slice(0, -6)}.${text.slice(-6).replace(/0{1,3}$/, '')}`;
}

const exact = (digits: number): Intl.NumberFormatOptions => ({
  minimumFractionDigits: digits,
  maximumFractionDigits: digits,
});
