import { asHours, asMs, type Hours, type UnixMs } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';

/** The next whole UTC hour after `t`: the next settlement where a venue settles hourly and does not say when. */
export function nextHour(t: UnixMs | undefined): UnixMs | undefined {
  return t === undefined ? undefined : asMs(Math.floor(t / HOUR_MS) * HOUR_MS + HOUR_MS);
}

/** A stamp on a grid; settlements are stamped up to some seconds late. */
export function onGrid(time: UnixMs, stepMs: number): UnixMs {
  return asMs(Math.round(time / stepMs) * stepMs);
}

/**
 * Funding interval between two settlements, which venues stamp some seconds late; undefined where that is no whole
 * number of hours up to a day.
 */
export function hoursBetween(earlier: UnixMs, later: UnixMs): Hours | undefined {
  const hours = (later - earlier) / HOUR_MS;
  const whole = Math.round(hours);
  return Math.abs(hours - whole) < 0.01 && whole >= 1 && whole <= 24 ? asHours(whole) : undefined;
}
