import type { VerifiedInterface } from '../src/domain/amount.ts';
import type { UnixMs } from '../src/domain/units.ts';
import { DAY_MS } from '../src/runtime/duration.ts';

/** For how many days the evidence of an interface counts. */
export const VERIFIED_FOR_DAYS = 90;

/** Whole days from the day of the evidence to a moment; undefined where the day is none. */
export function daysSinceVerified({ date }: VerifiedInterface, now: UnixMs): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(day) ? undefined : Math.floor((now - day) / DAY_MS);
}

/** Whether the evidence of an interface is too old to go by, or of no day at all. */
export function isOutdated(verified: VerifiedInterface, now: UnixMs): boolean {
  const days = daysSinceVerified(verified, now);
  return days === undefined || days > VERIFIED_FOR_DAYS;
}
