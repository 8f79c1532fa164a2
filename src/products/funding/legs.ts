import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { APR_PCT_PER_BPS_8H, toBps } from '../../domain/rate.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';
import { fundingTime } from '../answer/product-answer.ts';
import { nullable, number, timestamp } from '../answer/schema.ts';
import { type VenueCoverage, venueCoverage } from '../answer/venue-coverage.ts';
import { assetTooNarrow } from '../rows/enough-venues.ts';
import { type AssetRows, isRateLate, nothingUsable, ratedRows } from '../rows/select.ts';
import { rateLeg, rateLegSchema } from './rate-leg.ts';

/** The two ends of a spread. */
export interface Legs<Row = MarketRow> {
  readonly low: Row;
  readonly high: Row;
}

/**
 * The rows with the smallest and the largest value, two different ones. Rows without a value do not count; of equal
 * ones the first decides, so the order of rows makes the choice definite. Undefined with fewer than two.
 */
export function widestLegs<Row = MarketRow>(
  rows: readonly Row[],
  measure: (row: Row) => number | undefined,
): Legs<Row> | undefined {
  let low: Row | undefined;
  let high: Row | undefined;
  for (const row of rows) {
    const value = measure(row);
    if (value === undefined) continue;
    if (low === undefined || value < (measure(low) ?? 0)) low = row;
  }
  for (const row of rows) {
    const value = measure(row);
    if (value === undefined || row === low) continue;
    if (high === undefined || value > (measure(high) ?? 0)) high = row;
  }
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** (rate_8h of the short leg - rate_8h of the long leg) x 10000; null when either interval is unknown. */
export function normalizedSpreadBps(short: MarketRow, long: MarketRow): number | null {
  if (short.rate8h === undefined || long.rate8h === undefined) return null;
  return toBps(short.rate8h - long.rate8h);
}

/** Eight-hour bps x 10.95 = percent a year. */
export function aprSpreadPct(spread8hBps: number | null): number | null {
  return spread8hBps === null ? null : spread8hBps * APR_PCT_PER_BPS_8H;
}

/** The pair of an asset with the largest difference of eight-hour rates, which need not be the one of raw rates. */
const normalizedSpreadSchema = Type.Object(
  {
    spread_8h_bps: number('(rate_8h short - rate_8h long) x 10000'),
    apr_spread_pct: number('The same in percent a year'),
    short: rateLegSchema,
    long: rateLegSchema,
    updated_at: timestamp('Time of the older leg'),
  },
  {
    description:
      'The pair that differs most with both rates scaled to eight hours, often another one than by raw rates: short the higher, long the lower; null with fewer than two known intervals',
  },
);
export const normalizedField = nullable(normalizedSpreadSchema);

/** The widest pair by eight-hour rates; undefined with fewer than two rows whose interval is known. */
export const normalizedLegs = (rows: readonly MarketRow[]): Legs | undefined =>
  widestLegs(rows, (row) => row.rate8h);

export function normalizedSpread({ low, high }: Legs): Static<typeof normalizedSpreadSchema> {
  const bps = normalizedSpreadBps(high, low) ?? 0;
  return {
    spread_8h_bps: bps,
    apr_spread_pct: bps * APR_PCT_PER_BPS_8H,
    short: rateLeg(high),
    long: rateLeg(low),
    updated_at: iso(asMs(Math.min(fundingTime(low), fundingTime(high)))),
  };
}

/** Fresh comparable rows with a rate, and the two ends of their spread. */
export interface FundingLegs extends Legs {
  readonly rows: readonly MarketRow[];
  readonly maxRate: number;
  readonly minRate: number;
  /** Time of the older leg. */
  readonly updatedAt: UnixMs;
}

/** The ends, with the venues that were compared. */
interface ComparedLegs extends FundingLegs {
  readonly coverage: VenueCoverage;
}

/**
 * The lowest- and the highest-paying venue by raw rate. 404 single_venue when only one venue has a fresh comparable
 * rate; 503 not_ready or 404 no_data when none has, and 503 where another venue that lists the asset is only late.
 */
export function fundingLegs(asset: AssetRows): Result<ComparedLegs> {
  const rows = ratedRows(asset);
  const [only] = rows;
  if (only === undefined) return fail(nothingUsable(asset, 'funding rate'));
  const coverage = venueCoverage(asset.listedBy, rows);
  const legs = legsOf(rows);
  if (legs !== undefined) return ok({ ...legs, coverage });
  const narrow = assetTooNarrow(asset, coverage, 'funding rate', isRateLate);
  if (narrow !== undefined) return fail(narrow);
  const others = asset.listedBy.length - 1;
  return fail({
    code: 'single_venue',
    detail: `Only ${only.venue} has a fresh comparable funding rate of ${asset.canonicalId}; ${others} others of the venues asked about list it`,
  });
}

/** The same over rows that have been chosen already; undefined with fewer than two. */
export function legsOf(rows: readonly MarketRow[]): FundingLegs | undefined {
  const legs = widestLegs(rows, (row) => row.fundingRate);
  const maxRate = legs?.high.fundingRate;
  const minRate = legs?.low.fundingRate;
  if (legs === undefined || maxRate === undefined || minRate === undefined) return undefined;
  const updatedAt = asMs(Math.min(fundingTime(legs.low), fundingTime(legs.high)));
  return { ...legs, rows, maxRate, minRate, updatedAt };
}

/** Text on the omissions of a spread of raw rates. */
export const SPREAD_NOTE =
  'Naive baseline: raw rates of comparable venues, before fees, slippage, price differences and latency. Not a profit forecast.';
