import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';

/** The time for which values have stood still. Times in ms. */
export interface Stillness {
  readonly at: number;
  readonly markChangedAt: number;
  readonly volumeChangedAt: number;
  /** Rolling 24 h volume, US dollars. */
  readonly volumeUsd: number;
}

const STILL_MS = 15 * MINUTE_MS;
/** A contract that may rest longer than this by itself is not judged. */
const MAX_STILL_MS = 4 * HOUR_MS;
/** With this volume a day something trades every minute, and what traded a day ago leaves the figure. */
const TRADED_USD = 2_000_000;

/** Mark and 24 h volume of what trades, a contract or a venue, are restated unchanged; for how long, minutes. */
export function frozenFor({ at, markChangedAt, volumeChangedAt, volumeUsd }: Stillness): number | undefined {
  const stoodMs = at - Math.max(markChangedAt, volumeChangedAt);
  // A contract with half the volume may rest twice as long.
  const enoughMs = STILL_MS * Math.max(1, TRADED_USD / volumeUsd);
  return enoughMs <= MAX_STILL_MS && stoodMs >= enoughMs ? stoodMs / MINUTE_MS : undefined;
}

export interface RateStillness {
  readonly at: number;
  readonly rate: number;
  readonly rateChangedAt: number;
  readonly hours: number;
  readonly mark: number;
  /** The mark when the rate last changed. */
  readonly markThen: number;
}

const MIN_FROZEN_MS = 4 * HOUR_MS;
const MOVED = 0.02;
/** A venue's standing rate (0.0001, 0.0000125) has few digits and stays for days. */
const DIGITS = 4;

/**
 * A rate that is the same to the last digit for two intervals, at least four hours, while the mark moved by 2 %; for how
 * long, hours. A rate of fewer than four significant digits is a venue's standing rate, and proves nothing.
 */
export function frozenRate(still: RateStillness): number | undefined {
  const { at, rate, rateChangedAt, hours, mark, markThen } = still;
  const stood = at - rateChangedAt;
  if (!(stood >= Math.max(MIN_FROZEN_MS, 2 * hours * HOUR_MS))) return undefined;
  if (!(Math.abs(mark / markThen - 1) >= MOVED) || isRound(rate)) return undefined;
  return stood / HOUR_MS;
}

function isRound(rate: number): boolean {
  return Number(rate.toPrecision(DIGITS - 1)) === rate;
}
