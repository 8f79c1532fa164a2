import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';

/** A venue's statement about a contract's settlements. NaN = unknown. */
export interface Settlements {
  /** As stated, hours. */
  readonly hours: number;
  readonly next: number;
  /** The last one that was seen to pass. */
  readonly last: number;
}

/** Intervals are whole hours, or minutes; times of settlement are exact to seconds. */
const INTERVAL_TOLERANCE = 0.05;
/** Venues name the next settlement some minutes after the last. */
const LATE_MS = 10 * MINUTE_MS;

/** An interval that is not the time between the last settlement and the next; the time between them where it is not, hours. */
export function contradictedInterval({ hours, next, last }: Settlements, at: number): number | undefined {
  if (!(next > at) || !(last < at)) return undefined;
  const between = (next - last) / HOUR_MS;
  return Math.abs(between / hours - 1) > INTERVAL_TOLERANCE ? between : undefined;
}

/** A next settlement that has passed is named for more than ten minutes; how long, minutes. */
export function passedSettlement(next: number, at: number): number | undefined {
  return at - next > LATE_MS ? (at - next) / MINUTE_MS : undefined;
}
