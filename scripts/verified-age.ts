import type { VerifiedInterface } from '../src/domain/amount.ts';
import type { UnixMs } from '../src/domain/units.ts';
import { DAY_MS } from '../src/runtime/duration.ts';

/** For how many days the evidence of an interface counts. */
export const VERIFIED_FOR_DAYS = 90;

/** An interface is reported this many days before its announced end: its successor has to be read by then. */
export const ENDS_WITHIN_DAYS = 60;

/** Whole days from the day of the evidence to a moment; undefined where the day is none. */
export function daysSinceVerified({ date }: VerifiedInterface, now: UnixMs): number | undefined {
  const day = dayOf(date);
  return day === undefined ? undefined : Math.floor((now - day) / DAY_MS);
}

function dayOf(date: string): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(day) ? undefined : day;
}

/** Whole days until an interface ends, negative after it; undefined where no end is announced, or none of an exact day. */
export function daysUntilEnd({ ends }: VerifiedInterface, now: UnixMs): number | undefined {
  const day = ends === undefined ? undefined : dayOf(ends.date);
  return day === undefined ? undefined : Math.ceil((day - now) / DAY_MS);
}

/** True if an interface has ended, ends soon, or ends on a day that cannot be read. */
export function isEnding(verified: VerifiedInterface, now: UnixMs): boolean {
  if (verified.ends === undefined) return false;
  const days = daysUntilEnd(verified, now);
  return days === undefined || days <= ENDS_WITHIN_DAYS;
}

/** True if the evidence of an interface is too old to go by, or has no day. */
export function isOutdated(verified: VerifiedInterface, now: UnixMs): boolean {
  const days = daysSinceVerified(verified, now);
  return days === undefined || days > VERIFIED_FOR_DAYS;
}
