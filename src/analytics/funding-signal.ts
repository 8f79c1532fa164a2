import { iso } from '../domain/clock.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { type Fact, factOf, fundingTime } from './fact.ts';
import { clearsFees, type FundingPair, fundingPairs } from './funding-pair.ts';
import { type LegBooks, type PairDepth, pairDepth } from './leg-book.ts';
import { aprSpreadPct } from './legs.ts';
import { byWidth, idleVenues } from './scan.ts';

export interface FundingSignal {
  readonly count: number;
  readonly methodology: string;
  readonly opportunities: readonly SignalOpportunity[];
}

/** Spreads, fees and slippage in bps. */
export interface SignalOpportunity {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly short_venue: string;
  readonly long_venue: string;
  readonly gross_funding_spread_bps: number;
  readonly normalized_spread_8h_bps: number;
  readonly round_trip_fee_bps: number;
  readonly net_of_fees_positive: boolean;
  readonly funding_periods_to_breakeven: number | null;
  readonly max_notional_usd: number;
  readonly entry_slippage_bps: number | null;
  readonly depth_class: PairDepth['depthClass'];
  readonly signal_score: number;
  readonly venues_count: number;
  readonly updated_at: string;
}

export interface SignalQuery {
  /** Least gross spread, a fraction. */
  readonly minDiff: number;
  readonly limit: number;
  /** Whether pairs whose books do not fill 1,000 USD are given too. */
  readonly includeBelow1k: boolean;
}

export const SIGNAL_METHODOLOGY =
  'Per asset the fresh comparable pair of venues with the largest difference of eight-hour funding; short the higher, long the lower. Inputs: funding rates and intervals, public taker fees for entry and exit of both legs, and visible order-book depth at 1,000, 5,000 and 10,000 USD (the short leg sells into bids, the long leg buys from asks). Excluded: venues without a known interval or fee, price differences between the legs, margin, changes of the rates, and latency. A naive baseline derived from present values, not a profit forecast.';

/** Eight-hour periods over which the score lets a spread count. */
const HELD_PERIODS = 3;
/** Days over which the score spreads the cost of entry and exit. */
const COST_DAYS = 7;
const FULL_SIZE_USD = 10_000;

/**
 * Funding pairs net of fees, sized to the books, by score. Costs = round_trip_fee_bps + 2 x entry_slippage_bps;
 * funding_periods_to_breakeven = costs / normalized_spread_8h_bps, null without a book;
 * signal_score = (3 x normalized_spread_8h_bps - costs / 7) x sqrt(max_notional_usd / 10000), 0 without a book.
 * min_diff is compared with the gross spread.
 */
export function fundingSignal(
  view: MarketView,
  books: LegBooks | undefined,
  query: SignalQuery,
): Fact<FundingSignal> {
  const used: MarketRow[] = [];
  const found: SignalOpportunity[] = [];
  for (const pair of fundingPairs(view)) {
    if (!(pair.grossBps > query.minDiff * 10_000)) continue;
    const depth = pairDepth(books?.(pair.short), books?.(pair.long));
    if (depth.maxNotionalUsd === 0 && !query.includeBelow1k) continue;
    used.push(...pair.rows);
    found.push(opportunityOf(pair, depth));
  }
  const opportunities = byWidth(found, (it) => it.signal_score).slice(0, query.limit);
  const body = { count: opportunities.length, methodology: SIGNAL_METHODOLOGY, opportunities };
  return factOf(body, used, idleVenues(view), fundingTime);
}

function opportunityOf(pair: FundingPair, depth: PairDepth): SignalOpportunity {
  const { short, long, normalizedBps, feeBps } = pair;
  const { entrySlippageBps, maxNotionalUsd, depthClass } = depth;
  const costs = entrySlippageBps === undefined ? undefined : feeBps + 2 * entrySlippageBps;
  const size = Math.sqrt(maxNotionalUsd / FULL_SIZE_USD);
  return {
    ticker: short.ticker,
    canonical_id: short.canonicalId,
    asset_class: short.assetClass,
    short_venue: short.venue,
    long_venue: long.venue,
    gross_funding_spread_bps: pair.grossBps,
    normalized_spread_8h_bps: normalizedBps,
    round_trip_fee_bps: feeBps,
    net_of_fees_positive: clearsFees(pair),
    funding_periods_to_breakeven: costs === undefined ? null : finite(costs / normalizedBps),
    max_notional_usd: maxNotionalUsd,
    entry_slippage_bps: entrySlippageBps ?? null,
    depth_class: depthClass,
    signal_score: costs === undefined ? 0 : (HELD_PERIODS * normalizedBps - costs / COST_DAYS) * size,
    venues_count: pair.rows.length,
    updated_at: iso(pair.updatedAt),
  };
}

/** A spread next to nothing is never recovered. */
const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);

export interface PreviewFundingSignal {
  readonly preview: true;
  readonly signal: PreviewSignal | null;
  readonly withheld_in_preview: readonly string[];
  readonly ranked_by: string;
  readonly methodology: string;
  readonly note: string;
  readonly paid_full_endpoint: string;
}

export interface PreviewSignal {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly short_venue: string;
  readonly long_venue: string;
  readonly gross_funding_spread_bps: number;
  readonly round_trip_fee_bps: number;
  readonly normalized_spread_8h_bps: number;
  readonly apr_spread_pct: number | null;
  readonly net_of_fees_positive: boolean;
  readonly short_interval_hours: number | null;
  readonly long_interval_hours: number | null;
  readonly venues_count: number;
  readonly as_of: string;
}

const WITHHELD = [
  'depth-sized max notional at 1k/5k/10k',
  'liquidity depth_class and entry slippage',
  'funding_periods_to_breakeven',
  'depth-adjusted signal_score ranking',
  'every other ranked pair',
];

/** The one pair with the largest gross spread among those that clear their fees; `signal` is null without one. */
export function previewFundingSignal(view: MarketView): Fact<PreviewFundingSignal> {
  const clearing = fundingPairs(view)
    .filter(clearsFees)
    .map((pair) => ({ pair, ticker: pair.short.ticker, canonical_id: pair.short.canonicalId }));
  const top = byWidth(clearing, ({ pair }) => pair.grossBps)[0]?.pair;
  const body: PreviewFundingSignal = {
    preview: true,
    signal: top === undefined ? null : previewOf(top),
    withheld_in_preview: WITHHELD,
    ranked_by:
      'The preview ranks by gross_funding_spread_bps among fee-clearing pairs; the paid call ranks by depth-adjusted signal_score.',
    methodology: SIGNAL_METHODOLOGY,
    note: 'One pair, present values, naive baseline; as_of is the real age of the older leg. Not a profit forecast.',
    paid_full_endpoint: '/v1/perp/arbitrage/funding-signal',
  };
  return factOf(body, top?.rows ?? [], idleVenues(view), fundingTime);
}

function previewOf(pair: FundingPair): PreviewSignal {
  const { short, long } = pair;
  return {
    ticker: short.ticker,
    canonical_id: short.canonicalId,
    asset_class: short.assetClass,
    short_venue: short.venue,
    long_venue: long.venue,
    gross_funding_spread_bps: pair.grossBps,
    round_trip_fee_bps: pair.feeBps,
    normalized_spread_8h_bps: pair.normalizedBps,
    apr_spread_pct: aprSpreadPct(pair.normalizedBps),
    net_of_fees_positive: clearsFees(pair),
    short_interval_hours: short.fundingIntervalHours ?? null,
    long_interval_hours: long.fundingIntervalHours ?? null,
    venues_count: pair.rows.length,
    as_of: iso(pair.updatedAt),
  };
}
