import { isPowerOfTen, isWithin, sizeOf } from '../../../domain/factor.ts';
import { SETTLING_MS } from '../../../domain/settling.ts';
import { STEP_FACTOR } from '../../../market/contract.ts';
import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';

/**
 * A value that jumps by a factor that units differ by: a power of ten, two, the contract size, the price. Steps are
 * judged between two statements at most fifteen minutes apart; what a value did over a gap proves nothing.
 */

export type Quantity = 'price' | 'rate' | 'amount';

/** A level that has stood for so long is the level. */
export const ACCEPTED_MS = 6 * HOUR_MS;
/** Statements further apart than this are not compared. */
const MAX_APART_MS = 15 * MINUTE_MS;
/** Amounts come in lumps, and those of a new contract multiply, but not by this factor between two statements. */
const AMOUNT_FACTOR = 10;
/** A jump within this distance of a power of ten, or of two, is a change of units: values move in between. */
const TEN_TOLERANCE = 0.05;
const TWO_TOLERANCE = 0.02;
/** Amounts below this, US dollars, are a few orders. */
const MIN_USD = 100_000;
/** New contracts double from these within minutes, too. */
const MIN_DOUBLED_USD = 1_000_000;
/** Rates below these are rounding, or about to change their sign. */
const MIN_RATE = 1e-5;
const MIN_DOUBLED_RATE = 5e-5;
/** A rate of fewer significant digits steps from 0.0001 to 0.0002 or 0.001, or to -0.0001, by itself: at caps, or rounded. */
const DIGITS = 3;
/** A power of ten that proves a unit of such a rate, too. */
const COARSE_FACTOR = 50;

export interface Step {
  readonly before: number;
  readonly after: number;
  /** Times of the two statements, ms. */
  readonly beforeAt: number;
  readonly at: number;
  /** The value before in US dollars, of an amount; NaN where it is not known. */
  readonly usd: number;
}

/** The factor by which a step breaks the rule; undefined where it does not. */
export function judgeStep(quantity: Quantity, step: Step): number | undefined {
  const { before, after, beforeAt, at } = step;
  if (before === 0 || after === 0 || at - beforeAt > MAX_APART_MS) return undefined;
  const factor = after / before;
  return BREAKS[quantity](factor, step) ? factor : undefined;
}

/**
 * True if a rate of few digits has become its own opposite: one contract's may, in several at once the sign
 * changed.
 */
export function isMirrored({ before, after, beforeAt, at }: Step): boolean {
  if (before + after !== 0 || Math.abs(before) < MIN_RATE || at - beforeAt > MAX_APART_MS) return false;
  return !isSettling(beforeAt, at) && isCoarse(before);
}

const BREAKS: Readonly<Record<Quantity, (factor: number, step: Step) => boolean>> = {
  price: (factor) => sizeOf(factor) >= STEP_FACTOR,
  amount: (factor, { usd }) => {
    const size = sizeOf(factor);
    if (size >= AMOUNT_FACTOR) return usd >= MIN_USD;
    return usd >= MIN_DOUBLED_USD && Math.abs(size / 2 - 1) <= TWO_TOLERANCE;
  },
  rate: (factor, { before, after, beforeAt, at }) => {
    if (isSettling(beforeAt, at)) return false;
    const least = Math.min(Math.abs(before), Math.abs(after));
    if (least < MIN_RATE) return false;
    if (isCoarse(before) || isCoarse(after))
      return sizeOf(Math.abs(factor)) >= COARSE_FACTOR && isPowerOfTen(Math.abs(factor), TEN_TOLERANCE);
    if (factor < 0) return Math.abs(factor + 1) <= TWO_TOLERANCE || isPowerOfTen(-factor, TEN_TOLERANCE);
    return (
      isPowerOfTen(factor, TEN_TOLERANCE) ||
      (least >= MIN_DOUBLED_RATE && Math.abs(sizeOf(factor) / 2 - 1) <= TWO_TOLERANCE)
    );
  },
};

const isSettling = (beforeAt: number, at: number): boolean =>
  Math.floor((beforeAt - SETTLING_MS) / HOUR_MS) !== Math.floor(at / HOUR_MS);

const isCoarse = (rate: number): boolean => Number(rate.toPrecision(DIGITS - 1)) === rate;

/**
 * True if a value is back at the level from before the jump: nearer to it than a jump, regardless of its path.
 */
export function hasReturned(quantity: Quantity, trusted: number, value: number): boolean {
  const factor = value / trusted;
  // A rate may move far within hours; its sign and order of magnitude are what a unit would change.
  const limit = quantity === 'rate' ? 5 : quantity === 'price' ? STEP_FACTOR : 1.8;
  return isWithin(factor, limit);
}
