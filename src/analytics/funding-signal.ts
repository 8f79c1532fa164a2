import { iso } from '../domain/clock.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { clearsFees, type FundingPair, type NoPair, surveyPairs } from './funding-pair.ts';
import { type LegBook, type LegBooks, type PairDepth, pairDepth } from './leg-book.ts';
import { aprSpreadPct } from './legs.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import { fundingTime, type ProductAnswer } from './product-answer.ts';
import { byWidth, scanAnswer } from './scan.ts';
import { venueInfos } from './select.ts';
import { type SignalLeg, signalLeg } from './signal-leg.ts';

export interface FundingSignal {
  readonly count: number;
  /** Assets whose pair has both books and reaches the threshold, whether the books fill 1,000 USD or not. */
  readonly assessed: number;
  readonly unassessed: Unassessed;
  /** Days that `net_apr_pct` holds a position for. */
  readonly holding_days: number;
  readonly methodology: string;
  readonly opportunities: readonly SignalOpportunity[];
}

/** Assets that could not be assessed, by reason. */
export interface Unassessed extends Readonly<Record<NoPair, number>> {
  /** The pair reaches the threshold, and a leg has no fresh book. */
  readonly depth_unknown: number;
  /** The pair's normalized difference is not above `min_diff`. */
  readonly below_min_diff: number;
}

/** Spreads, fees and slippage in bps. What needs a book that is not known is null. */
export interface SignalOpportunity extends WithReasons {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly short_venue: string;
  readonly long_venue: string;
  readonly gross_funding_spread_bps: number;
  readonly normalized_spread_8h_bps: number;
  readonly apr_spread_pct: number | null;
  readonly round_trip_fee_bps: number;
  readonly net_of_fees_positive: boolean;
  readonly funding_periods_to_breakeven: number | null;
  readonly max_notional_usd: number | null;
  readonly entry_slippage_bps: number | null;
  readonly net_apr_pct: number | null;
  readonly depth_class: PairDepth['depthClass'];
  readonly signal_score: number | null;
  /** Whether the score is above 0; null where it is not known. */
  readonly clears_costs: boolean | null;
  readonly venues_count: number;
  readonly updated_at: string;
  readonly short: SignalLeg;
  readonly long: SignalLeg;
}

export interface SignalQuery {
  /** Least normalized eight-hour spread, a fraction. */
  readonly minDiff: number;
  readonly limit: number;
  /** Whether pairs whose books do not fill 1,000 USD, or are not known, are given too. */
  readonly includeBelow1k: boolean;
  readonly holdingDays: number;
}

export const SIGNAL_METHODOLOGY =
  'Per asset the fresh comparable pair of venues with the largest difference of eight-hour funding; short the higher, long the lower. Inputs: funding rates and intervals, public taker fees for entry and exit of both legs, and visible order-book depth at 1,000, 5,000 and 10,000 USD (the short leg sells into bids, the long leg buys from asks). Pairs whose score is not above 0 come after all others, pairs without known books last. net_apr_pct spreads the cost of entry and exit over holding_days at present rates. Excluded: venues without a known interval or fee, price differences between the legs, quote currencies that differ, margin, changes of the rates, and latency. A naive baseline derived from present values, not a profit forecast.';

/** Eight-hour periods over which the score lets a spread count. */
const HELD_PERIODS = 3;
/** Days over which the score spreads the cost of entry and exit. */
const COST_DAYS = 7;
const FULL_SIZE_USD = 10_000;
const DAYS_A_YEAR = 365;
const BPS_PER_PCT = 100;

/**
 * Funding pairs net of fees, sized to the books, by score. Costs = round_trip_fee_bps + 2 x entry_slippage_bps;
 * funding_periods_to_breakeven = costs / normalized_spread_8h_bps;
 * signal_score = (3 x normalized_spread_8h_bps - costs / 7) x sqrt(max_notional_usd / 10000), 0 where the books do not
 * fill 1,000 USD; net_apr_pct = apr_spread_pct - costs / 100 x 365 / holding_days. All four are null where a book is not
 * known, and such pairs come last.
 */
export function fundingSignal(
  view: MarketView,
  books: LegBooks | undefined,
  query: SignalQuery,
): ProductAnswer<FundingSignal> {
  const used: MarketRow[] = [];
  const found: Judged[] = [];
  const { pairs, without } = surveyPairs(view);
  const wide = pairs.filter((pair) => pair.normalizedBps > query.minDiff * 10_000);
  let assessed = 0;
  for (const pair of wide) {
    const judged = judge(pair, books);
    const filled = judged.depth.maxNotionalUsd;
    if (filled !== undefined) assessed += 1;
    if (!filled && !query.includeBelow1k) continue;
    used.push(...pair.rows);
    found.push(judged);
  }
  const venues = venueInfos(view);
  const opportunities = byWidth(found, rankOf)
    .slice(0, query.limit)
    .map((judged) => opportunityOf(judged, query.holdingDays, venues));
  const unassessed = {
    ...without,
    depth_unknown: wide.length - assessed,
    below_min_diff: pairs.length - wide.length,
  };
  const body: FundingSignal = {
    ...{ count: opportunities.length, assessed, unassessed, holding_days: query.holdingDays },
    ...{ methodology: SIGNAL_METHODOLOGY, opportunities },
  };
  return scanAnswer(view, body, used, fundingTime);
}

/** What a pair is ranked by; the many that are not shown need no more. */
interface Judged {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly pair: FundingPair;
  readonly short: LegBook | undefined;
  readonly long: LegBook | undefined;
  readonly depth: PairDepth;
  /** Fees and slippage of entry and exit, bps. */
  readonly costs: number | undefined;
  readonly score: number | undefined;
}

function judge(pair: FundingPair, books: LegBooks | undefined): Judged {
  const [short, long] = [books?.(pair.short), books?.(pair.long)];
  const depth = pairDepth(short, long);
  const { entrySlippageBps } = depth;
  const costs = entrySlippageBps === undefined ? undefined : pair.feeBps + 2 * entrySlippageBps;
  const score = scoreOf(pair.normalizedBps, costs, depth.maxNotionalUsd);
  const { ticker, canonicalId } = pair.short;
  return { ticker, canonical_id: canonicalId, pair, short, long, depth, costs, score };
}

/** By score; a pair whose score is not known comes after all that are. */
const rankOf = ({ score }: Judged): number => score ?? Number.NEGATIVE_INFINITY;

function opportunityOf(
  { pair, depth, costs, score, ...books }: Judged,
  holdingDays: number,
  venues: ReadonlyMap<VenueId, VenueInfo>,
): SignalOpportunity {
  const { short, long, normalizedBps } = pair;
  const { entrySlippageBps, maxNotionalUsd, depthClass } = depth;
  const apr = aprSpreadPct(normalizedBps);
  const opportunity = {
    ticker: short.ticker,
    canonical_id: short.canonicalId,
    asset_class: short.assetClass,
    short_venue: short.venue,
    long_venue: long.venue,
    gross_funding_spread_bps: pair.grossBps,
    normalized_spread_8h_bps: normalizedBps,
    apr_spread_pct: apr,
    round_trip_fee_bps: pair.feeBps,
    net_of_fees_positive: clearsFees(pair),
    funding_periods_to_breakeven: costs === undefined ? null : finite(costs / normalizedBps),
    max_notional_usd: maxNotionalUsd ?? null,
    entry_slippage_bps: entrySlippageBps ?? null,
    net_apr_pct:
      apr === null || costs === undefined ? null : apr - ((costs / BPS_PER_PCT) * DAYS_A_YEAR) / holdingDays,
    depth_class: depthClass,
    signal_score: score ?? null,
    clears_costs: score === undefined ? null : score > 0,
    venues_count: pair.rows.length,
    updated_at: iso(pair.updatedAt),
    short: signalLeg(short, 'sell', pair.shortFeeBps, books.short, venues.get(short.venue)),
    long: signalLeg(long, 'buy', pair.longFeeBps, books.long, venues.get(long.venue)),
  };
  const unpriced = depthClass === 'unknown' ? 'not_followed' : 'too_thin';
  return withReasons(opportunity, {
    funding_periods_to_breakeven: unpriced,
    max_notional_usd: unpriced,
    entry_slippage_bps: unpriced,
    net_apr_pct: unpriced,
    signal_score: unpriced,
    clears_costs: unpriced,
  });
}

function scoreOf(
  normalizedBps: number,
  costs: number | undefined,
  maxNotionalUsd: number | undefined,
): number | undefined {
  if (costs === undefined) return maxNotionalUsd === undefined ? undefined : 0;
  return (
    (HELD_PERIODS * normalizedBps - costs / COST_DAYS) * Math.sqrt((maxNotionalUsd ?? 0) / FULL_SIZE_USD)
  );
}

/** A spread next to nothing is never recovered. */
const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);
