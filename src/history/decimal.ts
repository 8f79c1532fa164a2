/**
 * Values as whole numbers and a power of ten. Venues state decimals, and neighbouring decimals differ by small whole
 * numbers where their doubles differ in every bit: stored this way they take less than half the room.
 */

/** Largest number of decimals; the engine's whole powers of ten end there. */
export const MAX_SCALE = 18;
/** Significant digits that are kept: every decimal of so many comes back as the double it was. */
const DIGITS = 15;
/** Larger numbers do not fit. */
const LIMIT = 9.2e18;

const POWERS: readonly number[] = Array.from({ length: MAX_SCALE + 1 }, (_, e) => Number(`1e${e}`));

const power = (scale: number): number => POWERS[scale] ?? 1;

/** Decimals that leave `x` no more than its significant digits. */
function roomFor(x: number): number {
  if (x === 0) return MAX_SCALE;
  const size = Math.abs(x);
  const guess = Math.floor(Math.log10(size)) + 1;
  // The logarithm rounds up just below a power of ten.
  const least = guess > 0 ? power(guess - 1) : 1 / power(1 - guess);
  const whole = size < least ? guess - 1 : guess;
  return Math.max(0, Math.min(MAX_SCALE, DIGITS - whole));
}

/** Fewest decimals, at least `from`, with which `x` is exact; as many as there is room for where none is. */
function decimalsOf(x: number, from: number, room: number): number {
  for (let scale = from; scale < room; scale++) {
    const p = power(scale);
    if (Math.round(x * p) / p === x) return scale;
  }
  return room;
}

/** True if a value can be stored. */
function storable(x: number | undefined): x is number {
  return x !== undefined && Math.abs(x) < LIMIT;
}

/**
 * Decimals to store some values of one kind with: the fewest with which all are exact, at least `hint`, at most as
 * many as the largest has room for.
 *
 * @param hint decimals used before: a steady scale is what makes neighbours alike
 */
export function scaleOf(values: readonly (number | undefined)[], hint = 0): number {
  let room = MAX_SCALE;
  for (const x of values) if (storable(x)) room = Math.min(room, roomFor(x));
  let scale = Math.min(hint, room);
  for (const x of values) if (storable(x)) scale = decimalsOf(x, scale, room);
  return scale;
}

/** `x` as a whole number of 10 ** -scale; undefined where it is unknown or too large. */
export function toMantissa(x: number | undefined, scale: number): number | undefined {
  return storable(x) ? Math.round(x * power(scale)) + 0 : undefined;
}
