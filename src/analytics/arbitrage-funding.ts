import { iso } from '../domain/clock.ts';
import { toBps } from '../domain/rate.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { type FundingLegs, legsOf } from './funding-spread.ts';
import {
  type Legs,
  type NormalizedSpread,
  normalizedLegs,
  normalizedSpread,
  normalizedSpreadBps,
} from './legs.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import { fundingTime, type ProductAnswer } from './product-answer.ts';
import { type RateLeg, rateLeg } from './rate-leg.ts';
import { byWidth, comparableAssets, scanAnswer } from './scan.ts';
import { hasFreshRate } from './select.ts';

export interface ArbitrageFunding {
  readonly min_diff: number;
  /** What the threshold and the order are of. */
  readonly sort: FundingScanQuery['sort'];
  readonly count: number;
  readonly opportunities: readonly FundingOpportunity[];
  readonly naive_note: string;
}

/** Rates and spread as fractions per interval. */
export interface FundingOpportunity extends WithReasons {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly max_rate: number;
  readonly min_rate: number;
  readonly spread: number;
  readonly spread_bps: number;
  readonly normalized_spread_8h_bps: number | null;
  readonly max_venue: string;
  readonly min_venue: string;
  readonly venues_count: number;
  readonly updated_at: string;
  readonly max_leg: RateLeg;
  readonly min_leg: RateLeg;
  /** The best pair by eight-hour rates; null with fewer than two known intervals. */
  readonly normalized: NormalizedSpread | null;
}

export interface FundingScanQuery {
  /** Least spread, a fraction: of raw rates, or of eight-hour ones. */
  readonly minDiff: number;
  readonly limit: number;
  readonly sort: 'raw' | 'normalized';
}

const NOTE =
  'Naive baseline: gross spread of raw rates per interval, before fees, slippage, interval differences and latency; normalized is the pair that differs most with both legs scaled to eight hours, which is what a holder of both earns at present rates. Not a profit forecast.';

/** An asset whose spread exceeds the threshold. */
interface Found {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly legs: FundingLegs;
  readonly best: Legs | undefined;
  /** What it is ranked by, a fraction. */
  readonly width: number;
}

/**
 * Assets whose max_rate - min_rate over fresh comparable venues exceeds `minDiff` (a fraction), widest first; with
 * `normalized` those whose largest difference of eight-hour rates does. updated_at is the time of the older leg.
 */
export function arbitrageFunding(view: MarketView, query: FundingScanQuery): ProductAnswer<ArbitrageFunding> {
  const used: MarketRow[] = [];
  const found: Found[] = [];
  for (const rows of comparableAssets(view.rows())) {
    const legs = legsOf(rows.filter(hasFreshRate));
    if (legs === undefined) continue;
    const best = normalizedLegs(legs.rows);
    const width = query.sort === 'raw' ? legs.maxRate - legs.minRate : eightHours(best);
    if (width === undefined || !(width > query.minDiff)) continue;
    used.push(...rows);
    found.push({ ticker: legs.low.ticker, canonical_id: legs.low.canonicalId, legs, best, width });
  }
  const opportunities = byWidth(found, (it) => it.width)
    .slice(0, query.limit)
    .map(opportunityOf);
  const body: ArbitrageFunding = {
    min_diff: query.minDiff,
    sort: query.sort,
    count: opportunities.length,
    opportunities,
    naive_note: NOTE,
  };
  return scanAnswer(view, body, used, fundingTime);
}

/** rate_8h of the high end less that of the low end. */
function eightHours(legs: Legs | undefined): number | undefined {
  const [high, low] = [legs?.high.rate8h, legs?.low.rate8h];
  return high === undefined || low === undefined ? undefined : high - low;
}

function opportunityOf({ legs, best }: Found): FundingOpportunity {
  const { low, high, maxRate, minRate, updatedAt } = legs;
  const opportunity = {
    ticker: low.ticker,
    canonical_id: low.canonicalId,
    asset_class: low.assetClass,
    max_rate: maxRate,
    min_rate: minRate,
    spread: maxRate - minRate,
    spread_bps: toBps(maxRate - minRate),
    normalized_spread_8h_bps: normalizedSpreadBps(high, low),
    max_venue: high.venue,
    min_venue: low.venue,
    venues_count: legs.rows.length,
    updated_at: iso(updatedAt),
    max_leg: rateLeg(high),
    min_leg: rateLeg(low),
    normalized: best === undefined ? null : normalizedSpread(best),
  };
  return withReasons(opportunity, {
    normalized_spread_8h_bps: 'interval_unknown',
    normalized: 'interval_unknown',
  });
}
