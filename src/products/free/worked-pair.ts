import { toBps } from '../../domain/rate.ts';
import type { PastRow } from '../../market/delayed-table.ts';
import type { MarketView } from '../../market/view.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { widestLegs } from '../funding/legs.ts';

/** Least open interest of both legs, USD: wider spreads of contracts that few hold are no example. */
export const PAIR_FLOOR_USD = 5_000_000;

/** A pair of venues of an asset, and what it costs to enter and leave. */
export interface WorkedPair {
  readonly short: PastRow;
  readonly long: PastRow;
  /** (rate_8h short - rate_8h long) x 10000, above 0. */
  readonly spreadBps: number;
  /** 2 x (taker fee short + taker fee long), bps. */
  readonly feeBps: number;
  /** All rows of the asset. */
  readonly rows: readonly PastRow[];
}

/** Pairs whose past is looked at: each takes two reads of the store, once a minute. */
const CANDIDATES = 8;

/**
 * Of each asset the widest spread of eight-hour rates between two contracts that were fresh and comparable, whose taker fees
 * are known and of which each had the least open interest: the widest of all first, eight at most.
 */
export function widestPairs(rows: readonly PastRow[], venues: Pick<MarketView, 'venue'>): WorkedPair[] {
  const feeOf = ({ takerFeeBps, venue }: PastRow): number | undefined =>
    takerFeeBps ?? venues.venue(venue)?.info.takerFeeBps;
  const pairs: WorkedPair[] = [];
  for (const asset of groupBy(rows.filter(isHeld), ({ canonicalId }) => canonicalId).values()) {
    const legs = widestLegs(
      asset.filter((row) => feeOf(row) !== undefined),
      (row) => row.rate8h,
    );
    if (legs === undefined) continue;
    const { high: short, low: long } = legs;
    const spreadBps = toBps((short.rate8h ?? 0) - (long.rate8h ?? 0));
    const feeBps = 2 * ((feeOf(short) ?? 0) + (feeOf(long) ?? 0));
    if (spreadBps <= 0) continue;
    const all = rows.filter(({ canonicalId }) => canonicalId === short.canonicalId);
    pairs.push({ short, long, spreadBps, feeBps, rows: all });
  }
  return pairs.sort((a, b) => b.spreadBps - a.spreadBps).slice(0, CANDIDATES);
}

const isHeld = (row: PastRow): boolean =>
  row.comparable &&
  row.fresh &&
  row.rateFresh &&
  row.rate8h !== undefined &&
  (row.openInterestUsd ?? 0) >= PAIR_FLOOR_USD;
