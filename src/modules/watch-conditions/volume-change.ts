import { isWire, readIso, readNumber, type Wire, wireArray } from '../../domain/read.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { type KindTerms, type Reading, scalar } from './kind-readings.ts';

/** An hour has its first sample within this time. */
const FIRST_SAMPLE_MS = 5 * MINUTE_MS;

const startOf = ({ bucket_start: start }: Wire): number => readIso(start) ?? 0;

/** The two hours of a volume history that a change lies between; undefined where the history has them not. */
function hoursOf(body: unknown, hours: number) {
  const { buckets, window_start: start, window_end: end } = isWire(body) ? body : {};
  const shown = (wireArray(buckets) ?? []).filter(isWire);
  const newest = shown.at(-1);
  const oldestNewest = (readIso(end) ?? 0) - HOUR_MS - FIRST_SAMPLE_MS;
  const present = newest !== undefined && startOf(newest) >= oldestNewest ? newest : undefined;
  if (present === undefined) return { present, past: undefined };
  // Before its first sample an hour is not the newest yet, and the window of seven days has begun an hour later by then.
  const wanted = Math.max(startOf(present) - hours * HOUR_MS, readIso(start) ?? 0);
  return { present, past: shown.find((bucket) => startOf(bucket) === wanted) };
}

/**
 * The change of the rolling 24-hour volume over some hours, percent of what it was: the mean of the hour that goes on, or before its
 * first sample of the one before it, against the mean of the hour that began so many hours earlier.
 */
export function volumeChange(body: unknown, { hours }: KindTerms): Reading {
  const { present, past } = hoursOf(body, hours);
  const current = readNumber(present?.value);
  const former = readNumber(past?.value);
  const isKnown = current !== undefined && former !== undefined && former > 0;
  const value = isKnown ? ((current - former) / former) * 100 : null;
  const values = {
    value_change_pct: value,
    current_volume_usd: current ?? null,
    past_volume_usd: former ?? null,
    current_hour: scalar(present?.bucket_start),
    past_hour: scalar(past?.bucket_start),
  };
  if (isKnown) return { value, values };
  const reason = present === undefined ? 'no_present' : past === undefined ? 'no_past' : 'past_zero';
  return { value, values, reason };
}
