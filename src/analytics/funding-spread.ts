import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import {
  aprSpreadPct,
  type Legs,
  type NormalizedSpread,
  normalizedLegs,
  normalizedSpread,
  normalizedSpreadBps,
  widestLegs,
} from './legs.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './product-answer.ts';
import { type RateLeg, rateLeg } from './rate-leg.ts';
import { type AssetRows, nothingUsable, ratedRows, venueIds } from './select.ts';

const SPREAD_NOTE =
  'Naive baseline: raw rates of comparable venues, before fees, slippage, price differences and latency. Not a profit forecast.';

const INTERVAL_REASONS = {
  short_interval_hours: 'interval_unknown',
  long_interval_hours: 'interval_unknown',
  normalized_spread_8h_bps: 'interval_unknown',
  apr_spread_pct: 'interval_unknown',
} as const;

/** Rates as fractions per interval, spreads in bps. */
export interface FundingSpread extends WithReasons {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly venues_count: number;
  readonly spread: WithReasons & {
    readonly ticker: string;
    readonly long_venue: string;
    readonly long_rate: number;
    readonly short_venue: string;
    readonly short_rate: number;
    readonly spread_bps: number;
    readonly updated_at: string;
    readonly short_interval_hours: number | null;
    readonly long_interval_hours: number | null;
    readonly normalized_spread_8h_bps: number | null;
    readonly apr_spread_pct: number | null;
    readonly short: RateLeg;
    readonly long: RateLeg;
  };
  /** The best pair by eight-hour rates; null with fewer than two known intervals. */
  readonly normalized: NormalizedSpread | null;
  readonly note: string;
}

/** Body of /v1/funding/spread/{symbol}. */
export interface FundingSpreadSnapshot {
  readonly symbol: string;
  readonly canonical_id: string;
  readonly venues_count: number;
  readonly max_rate: number;
  readonly min_rate: number;
  readonly spread_bps: number;
  readonly max_venue: string;
  readonly min_venue: string;
  readonly max_contract: RateLeg;
  readonly min_contract: RateLeg;
  readonly normalized_spread_8h_bps: number | null;
  readonly updated_at: string;
  readonly note: string;
}

/** Fresh comparable rows with a rate, and the two ends of their spread. */
export interface FundingLegs extends Legs {
  readonly rows: readonly MarketRow[];
  readonly maxRate: number;
  readonly minRate: number;
  /** Time of the older leg. */
  readonly updatedAt: UnixMs;
}

/**
 * The lowest- and the highest-paying venue by raw rate. 404 single_venue when only one venue has a fresh comparable
 * rate; 503 not_ready or 404 no_data when none has.
 */
function fundingLegs(asset: AssetRows): Result<FundingLegs> {
  const rows = ratedRows(asset);
  const [only] = rows;
  if (only === undefined) return fail(nothingUsable(asset, 'funding rate'));
  const legs = legsOf(rows);
  if (legs !== undefined) return ok(legs);
  const others = asset.listedBy.length - 1;
  return fail({
    code: 'single_venue',
    detail: `Only ${only.venue} has a fresh comparable funding rate of ${asset.canonicalId}; ${others} other venues list it`,
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

/**
 * The funding spread of one asset: long the lowest-paying venue, short the highest-paying one.
 * spread_bps = (short_rate - long_rate) x 10000; normalized_spread_8h_bps the same of rate_8h, of the same two legs,
 * possibly negative, null when an interval is unknown; apr_spread_pct = normalized x 10.95.
 */
export function fundingSpread(asset: AssetRows): Result<ProductAnswer<FundingSpread>> {
  const found = fundingLegs(asset);
  if (!found.ok) return found;
  const { low, high, maxRate, minRate, rows, updatedAt } = found.value;
  const apart = normalizedSpreadBps(high, low);
  const spread = {
    ticker: asset.ticker,
    long_venue: low.venue,
    long_rate: minRate,
    short_venue: high.venue,
    short_rate: maxRate,
    spread_bps: toBps(maxRate - minRate),
    updated_at: iso(updatedAt),
    short_interval_hours: high.fundingIntervalHours ?? null,
    long_interval_hours: low.fundingIntervalHours ?? null,
    normalized_spread_8h_bps: apart,
    apr_spread_pct: aprSpreadPct(apart),
    short: rateLeg(high),
    long: rateLeg(low),
  };
  const best = normalizedLegs(rows);
  const body = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: rows.length,
    spread: withReasons(spread, INTERVAL_REASONS),
    normalized: best === undefined ? null : normalizedSpread(best),
    note: SPREAD_NOTE,
  };
  const explained = withReasons(body, { normalized: 'interval_unknown' });
  return ok(productAnswer(explained, rows, venueIds(asset.listedBy), fundingTime));
}

/** The same spread in the shape of a snapshot: max and min instead of short and long. */
export function fundingSpreadSnapshot(asset: AssetRows): Result<ProductAnswer<FundingSpreadSnapshot>> {
  const found = fundingLegs(asset);
  if (!found.ok) return found;
  const { low, high, maxRate, minRate, rows, updatedAt } = found.value;
  const body: FundingSpreadSnapshot = {
    symbol: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: rows.length,
    max_rate: maxRate,
    min_rate: minRate,
    spread_bps: toBps(maxRate - minRate),
    max_venue: high.venue,
    min_venue: low.venue,
    max_contract: rateLeg(high),
    min_contract: rateLeg(low),
    normalized_spread_8h_bps: normalizedSpreadBps(high, low),
    updated_at: iso(updatedAt),
    note: SPREAD_NOTE,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy), fundingTime));
}
