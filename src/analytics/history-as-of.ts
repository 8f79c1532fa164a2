import { asMs, type UnixMs } from '../domain/units.ts';

/**
 * The moment to which an answer about the past is whole: of each venue the newest sample, of these the oldest.
 * Undefined without samples.
 */
export function historyAsOf(
  buckets: readonly { readonly venue: string; readonly lastAt: number }[],
): UnixMs | undefined {
  const newest = new Map<string, number>();
  for (const { venue, lastAt } of buckets) {
    newest.set(venue, Math.max(newest.get(venue) ?? lastAt, lastAt));
  }
  return newest.size === 0 ? undefined : asMs(Math.min(...newest.values()));
}
