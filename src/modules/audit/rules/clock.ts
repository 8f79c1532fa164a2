import { MINUTE_MS } from '../../../runtime/duration.ts';

/** Stamps this far behind receipt, or ahead of it, are of another time, however the network is. ms */
const MAX_APART_MS = MINUTE_MS;
/** A venue whose stamps are usually older (it stamps by the minute) is allowed so many times what is usual. */
const USUAL_TIMES = 4;

/**
 * True if a venue's stamp contradicts the time of receipt. @param usualMs the venue's usual age of stamps, ms
 */
export function isOffClock(lagMs: number, usualMs: number): boolean {
  return lagMs > Math.max(MAX_APART_MS, USUAL_TIMES * usualMs) || lagMs < -MAX_APART_MS;
}
