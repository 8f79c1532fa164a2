import { type FundingHistory, rate8hOf } from '../../../../web/data/asset.ts';
import { type Series, seconds } from '../../../../web/data/series.ts';

/** A venue of the pair. */
export interface SpreadLeg {
  readonly venue: string;
}

interface Settled {
  /** Start of the hour of the payment, seconds since 1970. */
  readonly at: number;
  readonly rate8h: number;
  readonly side: 'short' | 'long';
}

/** The payments of a leg, as fractions of eight hours by the interval of then; none where that is unknown. */
function settledOf(
  { buckets }: FundingHistory,
  { venue }: SpreadLeg,
  side: Settled['side'],
): readonly Settled[] {
  return buckets.flatMap((bucket) => {
    const rate8h = rate8hOf(bucket);
    return bucket.venue === venue && bucket.basis === 'settled' && rate8h !== null
      ? [{ at: seconds(bucket.bucket_start), rate8h, side }]
      : [];
  });
}

/** Short less long, fractions of eight hours, at every settlement of either: the other's last one holds. */
export function spreadSeries(history: FundingHistory, short: SpreadLeg, long: SpreadLeg): Series {
  const events = [...settledOf(history, short, 'short'), ...settledOf(history, long, 'long')];
  events.sort((a, b) => a.at - b.at);
  const last: Record<Settled['side'], number | undefined> = { short: undefined, long: undefined };
  const points = new Map<number, number>();
  for (const { at, rate8h, side } of events) {
    last[side] = rate8h;
    if (last.short !== undefined && last.long !== undefined) points.set(at, last.short - last.long);
  }
  const label = 'short less long';
  return { label, times: [...points.keys()], values: [...points.values()], isSteps: true };
}

/** The reason why a pair has no spread over time: a leg without payments, or payments without a known interval. */
export function whyNoSpread({ buckets }: FundingHistory, short: SpreadLeg, long: SpreadLeg): string {
  const venues = [short.venue, long.venue];
  const paid = (venue: string) =>
    buckets.filter((bucket) => bucket.venue === venue && bucket.basis === 'settled');
  const bare = venues.filter((venue) => paid(venue).length === 0);
  if (bare.length === 2) return 'Nothing is kept of this time.';
  if (bare.length === 1)
    return `No payment of ${bare[0]} is kept of this time: there is no spread without it.`;
  const unknown = venues.filter((venue) => paid(venue).every((bucket) => rate8hOf(bucket) === null));
  if (unknown.length === 0) return 'No payment of one leg is followed by one of the other.';
  return `Payments are kept, but the interval of ${unknown.join(' and ')} is not: their rates cannot be compared.`;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A histogram: bins of equal width over all values; none without a value. */
export function distribution(values: readonly (number | null)[], bins: number): readonly Bin[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [];
  const low = Math.min(...known);
  const high = Math.max(...known);
  const width = (high - low) / bins;
  if (width === 0) return [{ from: low, to: high, count: known.length }];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of known) {
    const at = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((count, at) => ({ from: low + at * width, to: low + (at + 1) * width, count }));
}
