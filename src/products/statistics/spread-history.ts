import { contractKey, type FundingPayment } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { paidSinceListing } from '../../history/since-listing.ts';
import type { MarketRow } from '../../market/view.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { FundingPair } from '../funding/funding-pair.ts';
import { episodesAbove } from './episodes.ts';
import { BPS_8H, MIN_COVERAGE } from './history-window.ts';
import { type HourlyRates, hourlyRates, hourlySpread } from './hourly-rates.ts';
import { percentileOf, quantile, sortedKnown } from './statistics.ts';

/** The past of a spread, its rank there, and the duration of such spreads. */
export interface SpreadHistory {
  /** Hour by hour, over 30 days. */
  readonly hourly: HourlyRates;
  /** Percent of known hours with a narrower spread; undefined where payments cover too little of the time. */
  readonly percentile: number | undefined;
  /** Median length of earlier runs at least as wide; undefined where none was seen to end. */
  readonly medianHours: number | undefined;
}

/** The past of a pair. */
export type SpreadHistories = (pair: FundingPair) => SpreadHistory;

const DAYS = 30;

/** Earlier runs of hours at least as wide as a threshold, and the one that goes on to the last settlement. */
export function runsAbove(past: HourlyRates, thresholdBps: number) {
  const runs = episodesAbove(past.rates, thresholdBps / BPS_8H);
  const known = past.rates.findLastIndex((rate) => !Number.isNaN(rate)) + 1;
  const current = runs.find(({ start, hours }) => start + hours === known);
  const earlier = runs.filter((run) => run !== current);
  const whole = earlier.filter(({ began, ended }) => began && ended);
  const lengths = Float64Array.from(whole.map(({ hours }) => hours)).sort();
  // Of a run that was there already when the known past begins nobody knows how long it has gone on.
  const presentHours = known === 0 || current?.began === false ? undefined : (current?.hours ?? 0);
  return { earlier, lengths, presentHours };
}

/** @param payments of the last 30 days, by contract */
export function spreadHistories(
  payments: ReadonlyMap<string, readonly FundingPayment[]>,
  now: UnixMs,
): SpreadHistories {
  const to = asMs(Math.ceil(now / HOUR_MS) * HOUR_MS);
  const from = asMs(to - DAYS * DAY_MS);
  const ratesOf = (row: MarketRow): HourlyRates =>
    hourlyRates(paidSinceListing(payments.get(contractKey(row.venue, row.symbol)) ?? [], row), from, to);
  return ({ short, long, normalizedBps }) => {
    const hourly = hourlySpread(ratesOf(short), ratesOf(long));
    if (hourly.known < MIN_COVERAGE * hourly.rates.length)
      return { hourly, percentile: undefined, medianHours: undefined };
    const percentile = percentileOf(sortedKnown(hourly.rates), normalizedBps / BPS_8H);
    return { hourly, percentile, medianHours: quantile(runsAbove(hourly, normalizedBps).lengths, 0.5) };
  };
}
