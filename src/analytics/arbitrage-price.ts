import { iso } from '../domain/clock.ts';
import { toBps } from '../domain/rate.ts';
import { asMs } from '../domain/units.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import type { Fact } from './fact.ts';
import { widestLegs } from './legs.ts';
import { byWidth, comparableAssets, scanFact } from './scan.ts';

export interface ArbitragePrice {
  readonly min_diff_bps: number;
  readonly count: number;
  readonly opportunities: readonly PriceOpportunity[];
  readonly naive_note: string;
}

/** Prices in quote currency per base unit. */
export interface PriceOpportunity {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly max_price: number;
  readonly min_price: number;
  readonly mid_price: number;
  readonly spread_bps: number;
  readonly max_venue: string;
  readonly min_venue: string;
  readonly venues_count: number;
  readonly updated_at: string;
}

const NOTE =
  'Naive baseline: mark prices, not executable ones; before fees, slippage, funding differences, stablecoin differences and latency. Not a profit forecast.';

/**
 * Assets whose marks differ by more than `minDiffBps` over fresh comparable venues, widest first.
 * mid_price = (max + min) / 2, spread_bps = (max - min) / mid x 10000; updated_at is the time of the older leg.
 */
export function arbitragePrice(
  view: MarketView,
  query: { readonly minDiffBps: number; readonly limit: number },
): Fact<ArbitragePrice> {
  const used: MarketRow[] = [];
  const found: PriceOpportunity[] = [];
  for (const rows of comparableAssets(view.rows())) {
    const opportunity = opportunityOf(rows);
    if (opportunity === undefined || !(opportunity.spread_bps > query.minDiffBps)) continue;
    used.push(...rows);
    found.push(opportunity);
  }
  const opportunities = byWidth(found, (it) => it.spread_bps).slice(0, query.limit);
  const body: ArbitragePrice = {
    min_diff_bps: query.minDiffBps,
    count: opportunities.length,
    opportunities,
    naive_note: NOTE,
  };
  return scanFact(view, body, used);
}

function opportunityOf(rows: readonly MarketRow[]): PriceOpportunity | undefined {
  const legs = widestLegs(rows, (row) => row.markPrice);
  const max = legs?.high.markPrice;
  const min = legs?.low.markPrice;
  if (legs === undefined || max === undefined || min === undefined) return undefined;
  const mid = (max + min) / 2;
  return {
    ticker: legs.low.ticker,
    canonical_id: legs.low.canonicalId,
    asset_class: legs.low.assetClass,
    max_price: max,
    min_price: min,
    mid_price: mid,
    spread_bps: toBps((max - min) / mid),
    max_venue: legs.high.venue,
    min_venue: legs.low.venue,
    venues_count: rows.length,
    updated_at: iso(asMs(Math.min(legs.low.updatedAt, legs.high.updatedAt))),
  };
}
