import type { Sides } from '../../src/domain/amount.ts';

/**
 * The evidence of the parity of a figure's counts of lots for its sides. Every trade adds as much to one side
 * as to the other, so a figure of both sides is an even number of lots.
 */
export interface Parity {
  readonly even: number;
  readonly odd: number;
}

/** Counts without an odd one that are no coincidence any more: two to this power. */
const MANY = 30;
/** Odd counts that a rest of open interest in the venue's own hands, or a lot guessed too coarse, do not make. */
const SOME = 3;
const SHARE = 0.25;
/** Digits in which a double states decimal text exactly. */
const DIGITS = 14;

function decimalsOf(amount: number): number {
  const [mantissa = '', exponent = '0'] = String(Number(amount.toPrecision(DIGITS))).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** The finest decimal of some amounts of one contract, at most 1: its lot as far as the amounts show it. */
export function finestLot(amounts: readonly number[]): number {
  return Number(`1e-${Math.max(0, ...amounts.map(decimalsOf))}`);
}

/** Parity of amounts in lots. Zero, and what is no whole number of lots, count for neither. */
export function parityOf(amounts: readonly number[], lot: number): Parity {
  let even = 0;
  let odd = 0;
  for (const amount of amounts) {
    const lots = Math.round(amount / lot);
    const isWhole = Math.abs(amount / lot - lots) < Math.min(0.01, 1e-6 + lots * 1e-12);
    if (!isWhole || lots <= 0 || lots > Number.MAX_SAFE_INTEGER) continue;
    if (lots % 2 === 0) even++;
    else odd++;
  }
  return { even, odd };
}

/** Parity of some contracts or moments together. */
export function sumParity(parts: readonly Parity[]): Parity {
  return parts.reduce((sum, part) => ({ even: sum.even + part.even, odd: sum.odd + part.odd }), {
    even: 0,
    odd: 0,
  });
}

/**
 * Sides that a parity proves. One odd count of a volume proves one side where the lot is stated; open interest of
 * both sides may keep an odd rest, and a lot read off the amounts may be too coarse, so there it takes some, and a
 * quarter of all. Many counts without an odd one prove two.
 *
 * @param isLotStated whether the venue states the lot, other than by the amounts themselves
 */
export function provenSides(figure: 'openInterest' | 'volume', parity: Parity, isLotStated: boolean): Sides {
  const { even, odd } = parity;
  if (odd === 0) return even >= MANY ? 'two' : 'unknown';
  if (figure === 'volume' && isLotStated) return 'one';
  return odd >= SOME && odd >= SHARE * (even + odd) ? 'one' : 'unknown';
}

/** True if an amount in ticker units and its notional agree with the mark, within a factor of two; zeros do. */
export function agreesWithMark(base: number, usd: number, mark: number): boolean {
  if (base === 0 || usd === 0) return true;
  const ratio = usd / (base * mark);
  return ratio >= 0.5 && ratio <= 2;
}

/** Times that an open interest of some weight is traded in a day at most; beyond it the two are not of one unit. */
const TURNOVER = 10_000;

/** True if a day's volume can belong to an open interest, both in US dollars or both in ticker units. */
export function isPlausibleTurnover(volume: number, openInterest: number): boolean {
  return openInterest === 0 || volume / openInterest <= TURNOVER;
}
