import type { HistoryPoint } from '../domain/quote.ts';
import { asMs, asUsd, type UnixMs } from '../domain/units.ts';
import { HOUR_MS, HOURS_A_DAY } from '../runtime/duration.ts';

/**
 * Replaces what was traded hour by hour with the rolling 24 h volume at the end of each hour, wherever all 24 hours
 * are known and over. Other points stay as they are.
 */
export function rollingVolume(points: readonly HistoryPoint[], now: UnixMs): readonly HistoryPoint[] {
  const hours = new Map<number, number>();
  const others: HistoryPoint[] = [];
  let symbol = '';
  for (const point of points) {
    if (point.hourUsd === undefined) others.push(point);
    else if (point.time + HOUR_MS <= now) hours.set(point.time, point.hourUsd);
    symbol = point.symbol;
  }
  for (const start of hours.keys()) {
    let sum = 0;
    for (let i = 0; i < HOURS_A_DAY; i++) sum += hours.get(start - i * HOUR_MS) ?? Number.NaN;
    if (!Number.isNaN(sum)) others.push({ symbol, time: asMs(start + HOUR_MS), volumeUsd: asUsd(sum) });
  }
  return others;
}
