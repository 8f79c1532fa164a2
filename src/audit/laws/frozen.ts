import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';

/** How long values have stood still. Times in ms. */
export interface Stillness {
  readonly at: number;
  readonly markChangedAt: number;
  readonly volumeChangedAt: number;
  /** Rolling 24 h volume, US dollars. */
  readonly volumeUsd: number;
}

const STILL_MS = 15 * MINUTE_MS;
/** With this volume a day something trades every minute, and what traded a day ago leaves the figure. */
const TRADED_USD = 2_000_000;

/** A contract that trades, and whose mark and 24 h volume are restated unchanged; for how long, minutes. */
export function frozenContract(still: Stillness): number | undefined {
  const { at, markChangedAt, volumeChangedAt, volumeUsd } = still;
  const since = Math.max(markChangedAt, volumeChangedAt);
  return volumeUsd >= TRADED_USD && at - since >= STILL_MS ? (at - since) / MINUTE_MS : undefined;
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

const LEAST_FROZEN_MS = 4 * HOUR_MS;
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
  if (!(stood >= Math.max(LEAST_FROZEN_MS, 2 * hours * HOUR_MS))) return undefined;
  if (!(Math.abs(mark / markThen - 1) >= MOVED) || isRound(rate)) return undefined;
  return stood / HOUR_MS;
}

function isRound(rate: number): boolean {
  return Number(rate.toPrecision(DIGITS - 1)) === rate;
}
