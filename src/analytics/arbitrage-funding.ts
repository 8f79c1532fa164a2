import { iso } from '../domain/clock.ts';
import { toBps } from '../domain/rate.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { type Fact, fundingTime } from './fact.ts';
import { legsOf } from './funding-spread.ts';
import { normalizedSpreadBps } from './legs.ts';
import { byWidth, comparableAssets, scanFact } from './scan.ts';
import { hasFreshRate } from './select.ts';

export interface ArbitrageFunding {
  readonly min_diff: number;
  readonly count: number;
  readonly opportunities: readonly FundingOpportunity[];
  readonly naive_note: string;
}

/** Rates and spread as fractions per interval. */
export interface FundingOpportunity {
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
}

const NOTE =
  'Naive baseline: gross spread of raw rates per interval, before fees, slippage, interval differences and latency. Not a profit forecast.';

/**
 * Assets whose max_rate - min_rate over fresh comparable venues exceeds `minDiff` (a fraction), widest first.
 * updated_at is the time of the older leg.
 */
export function arbitrageFunding(
  view: MarketView,
  query: { readonly minDiff: number; readonly limit: number },
): Fact<ArbitrageFunding> {
  const used: MarketRow[] = [];
  const found: FundingOpportunity[] = [];
  for (const rows of comparableAssets(view.rows())) {
    const opportunity = opportunityOf(rows);
    if (opportunity === undefined || !(opportunity.spread > query.minDiff)) continue;
    used.push(...rows);
    found.push(opportunity);
  }
  const opportunities = byWidth(found, (it) => it.spread).slice(0, query.limit);
  const body: ArbitrageFunding = {
    min_diff: query.minDiff,
    count: opportunities.length,
    opportunities,
    naive_note: NOTE,
  };
  return scanFact(view, body, used, fundingTime);
}

function opportunityOf(rows: readonly MarketRow[]): FundingOpportunity | undefined {
  const rated = rows.filter(hasFreshRate);
  const legs = legsOf(rated);
  if (legs === undefined) return undefined;
  const { low, high, maxRate, minRate, updatedAt } = legs;
  return {
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
    venues_count: rated.length,
    updated_at: iso(updatedAt),
  };
}
