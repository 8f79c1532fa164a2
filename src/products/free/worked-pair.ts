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

/**
 * The widest spread of eight-hour rates between two contracts of an asset that were fresh and comparable, whose taker fees
 * are known and of which each had the least open interest; undefined where no two did.
 */
export function workedPair(
  rows: readonly PastRow[],
  venues: Pick<MarketView, 'venue'>,
): WorkedPair | undefined {
  const feeOf = ({ takerFeeBps, venue }: PastRow): number | undefined =>
    takerFeeBps ?? venues.venue(venue)?.info.takerFeeBps;
  let widest: WorkedPair | undefined;
  for (const asset of groupBy(rows.filter(isHeld), ({ canonicalId }) => canonicalId).values()) {
    const legs = widestLegs(
      asset.filter((row) => feeOf(row) !== undefined),
      (row) => row.rate8h,
    );
    if (legs === undefined) continue;
    const { high: short, low: long } = legs;
    const spreadBps = toBps((short.rate8h ?? 0) - (long.rate8h ?? 0));
    const feeBps = 2 * ((feeOf(short) ?? 0) + (feeOf(long) ?? 0));
    if (spreadBps > (widest?.spreadBps ?? 0)) {
      const all = rows.filter(({ canonicalId }) => canonicalId === short.canonicalId);
      widest = { short, long, spreadBps, feeBps, rows: all };
    }
  }
  return widest;
}

const isHeld = (row: PastRow): boolean =>
  row.comparable &&
  row.fresh &&
  row.rateFresh &&
  row.rate8h !== undefined &&
  (row.openInterestUsd ?? 0) >= PAIR_FLOOR_USD;
