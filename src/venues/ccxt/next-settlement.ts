import { readMs, type Wire } from '../../domain/read.ts';
import type { Hours, UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';

/** When funding is paid next, and the stated rate that is for it. */
export interface NextSettlement {
  readonly time: UnixMs | undefined;
  /** As ccxt states it, a fraction. */
  readonly rate: unknown;
}

/** Longest funding interval. */
const MAX_HOURS = 24;
/** Venues' clocks differ from ours a little. */
const SLACK_MS = 60_000;

/**
 * The next settlement of a unified funding rate. ccxt has two pairs, `fundingTimestamp` with `fundingRate` and
 * `nextFundingTimestamp` with `nextFundingRate`, and its exchanges do not agree which is which: the first may be the
 * settlement to come or the one that was, the second the one to come, the one after it, or the start of the present
 * interval. So time decides: the next settlement is the earliest stated one that lies ahead, by no more than an
 * interval. Its rate is its pair's; `fundingRate` where the first time is not stated at all. A `nextFundingRate` that
 * stands alone is read with its own time only, where that one is next.
 */
export function nextSettlement(
  row: Wire,
  now: UnixMs | undefined,
  interval: Hours | undefined,
): NextSettlement {
  const { fundingRate, nextFundingRate } = row;
  const first = readMs(row.fundingTimestamp);
  const second = readMs(row.nextFundingTimestamp);
  if (now === undefined) return { time: undefined, rate: fundingRate };
  const stamp = readMs(row.timestamp);
  const farthest = now + (interval ?? MAX_HOURS) * HOUR_MS + SLACK_MS;
  const isNext = (time: UnixMs | undefined): time is UnixMs =>
    time !== undefined && time > now && time <= farthest && time !== stamp;
  if (isNext(first) && !(isNext(second) && second <= first)) return { time: first, rate: fundingRate };
  if (!isNext(second)) return { time: undefined, rate: fundingRate };
  const firstIsPast = first !== undefined && first <= now;
  return {
    time: second,
    rate: firstIsPast ? (nextFundingRate ?? fundingRate) : (fundingRate ?? nextFundingRate),
  };
}
