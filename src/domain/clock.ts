import { asMs, type UnixMs } from './units.ts';

/** Time as a dependency, so that tests can own it. */
export interface Clock {
  now(): UnixMs;
}

export const systemClock: Clock = { now: () => asMs(Date.now()) };

/** `2026-11-20T21:30:29.123Z` */
export function iso(t: UnixMs): string {
  return new Date(t).toISOString();
}
