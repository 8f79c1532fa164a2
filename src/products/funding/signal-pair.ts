import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { type NullReason, nullReasons, withReasons } from '../answer/null-reason.ts';
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  tickerName,
  timestamp,
  venueName,
} from '../answer/schema.ts';
import { DEPTH_CLASSES, entrySlippage } from '../books/leg-book.ts';
import type { QuoteRates } from '../rows/quote-rates.ts';
import type { PricesOfPair } from '../statistics/pair-prices.ts';
import type { SpreadHistories, SpreadHistory } from '../statistics/spread-history.ts';
import { allInCost, costFields, costReasons } from './all-in-cost.ts';
import type { JudgedPair } from './chosen-signals.ts';
import { aprSpreadPct } from './legs.ts';
import { gapSchema, pairGap } from './pair-gap.ts';
import { type LegContext, signalLeg, signalLegSchema } from './signal-leg.ts';
import { verdictFields, verdicts } from './verdicts.ts';

/** One pair of the funding signal. */
export const signalPairSchema = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  short_venue: venueName,
  long_venue: venueName,
  gross_funding_spread_bps: number('Raw rate difference of the two legs'),
  normalized_spread_8h_bps: number('The same legs, both scaled to eight hours'),
  apr_spread_pct: nullable(number('The normalized spread over a year, percent')),
  round_trip_fee_bps: number('Taker fees of entry and exit on both legs: public, or those of fees'),
  funding_periods_to_breakeven: nullable(
    number(
      'Eight-hour periods until the spread has paid fees and slippage; null without books that fill 1,000',
    ),
  ),
  max_notional_usd: nullable(
    integer('Largest of 1000, 5000 and 10000 that both books fill, else 0; null where a book is not known'),
  ),
  entry_slippage_bps: nullable(
    number('Both legs together at that size, or at notional_usd; null where the books do not fill it'),
  ),
  net_apr_pct: nullable(
    number('apr_spread_pct less fees and slippage of entry and exit, spread over holding_days'),
  ),
  depth_class: oneOf(DEPTH_CLASSES, {
    description:
      'deep: 10,000 USD at no more than 5 bps on each leg; medium: 10,000; thin: 1,000; none: less; unknown: a leg has no fresh book',
  }),
  percentile_30d: nullable(
    number(
      'Percent of the hours of the last 30 days in which the settled spread of both contracts was narrower',
    ),
  ),
  median_duration_hours: nullable(
    number(
      'Median length of the earlier runs of hours, within 30 days, with a settled spread at least as wide',
    ),
  ),
  signal_score: nullable(number('Ranks the rows; null where a book is not known')),
  ...verdictFields,
  gap: gapSchema,
  ...costFields,
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  short: signalLegSchema('Sold: the venue with the higher rate'),
  long: signalLegSchema('Bought: the venue with the lower rate'),
  ...nullReasons,
});

type SignalPair = Static<typeof signalPairSchema>;

/** The parts of an answer that all its pairs share. */
export interface SignalContext extends LegContext {
  readonly holdingDays: number;
  readonly rates: QuoteRates;
}

/** The stored past of the pairs of an answer; each part is missing where the store did not answer. */
export interface SignalPasts {
  readonly spreads?: SpreadHistories | undefined;
  readonly prices?: PricesOfPair | undefined;
}

const DAYS_A_YEAR = 365;
const BPS_PER_PCT = 100;

/** A pair as the answer shows it; formulas in `signalNow`. */
export function signalPair(judged: JudgedPair, context: SignalContext, pasts: SignalPasts): SignalPair {
  const { pair, depth, costs, score } = judged;
  const { short, long, normalizedBps } = pair;
  const { holdingDays } = context;
  const past = pasts.spreads?.(pair);
  const prices = pasts.prices?.(pair);
  const gap = pairGap(judged, prices === undefined ? { why: 'unknown' } : { prices }, context.rates);
  const spread = past === undefined ? ({ why: 'unknown' } as const) : past;
  const { maxNotionalUsd, depthClass } = depth;
  const apr = aprSpreadPct(normalizedBps);
  const shown: SignalPair = {
    ticker: short.ticker,
    canonical_id: short.canonicalId,
    asset_class: short.assetClass,
    short_venue: short.venue,
    long_venue: long.venue,
    gross_funding_spread_bps: pair.grossBps,
    normalized_spread_8h_bps: normalizedBps,
    apr_spread_pct: apr,
    round_trip_fee_bps: pair.feeBps,
    funding_periods_to_breakeven: costs === undefined ? null : finite(costs / normalizedBps),
    max_notional_usd: maxNotionalUsd ?? null,
    entry_slippage_bps: entrySlippage(depth) ?? null,
    net_apr_pct:
      apr === null || costs === undefined ? null : apr - ((costs / BPS_PER_PCT) * DAYS_A_YEAR) / holdingDays,
    depth_class: depthClass,
    percentile_30d: past?.percentile ?? null,
    median_duration_hours: past?.medianHours ?? null,
    signal_score: score ?? null,
    ...verdicts(judged),
    gap,
    ...allInCost(judged, gap, spread, holdingDays, context.fees),
    venues_count: pair.rows.length,
    updated_at: iso(pair.updatedAt),
    short: signalLeg(short, 'sell', pair.shortFeeBps, judged.short, context),
    long: signalLeg(long, 'buy', pair.longFeeBps, judged.long, context),
  };
  const unpriced = depthClass === 'unknown' ? 'not_followed' : 'too_thin';
  return withReasons(shown, { ...reasonsOf(unpriced, past), ...costReasons(unpriced, judged, gap) });
}

/** Reasons for which figures of a signal are null: those of its books, and those of its past. */
function reasonsOf(
  unpriced: NullReason,
  past: SpreadHistory | undefined,
): Partial<Record<keyof SignalPair, NullReason>> {
  const unknownHistory = past === undefined ? 'unknown' : 'past_too_short';
  return {
    funding_periods_to_breakeven: unpriced,
    max_notional_usd: unpriced,
    entry_slippage_bps: unpriced,
    net_apr_pct: unpriced,
    percentile_30d: unknownHistory,
    median_duration_hours: past?.percentile === undefined ? unknownHistory : 'no_precedent',
    signal_score: unpriced,
    clears_costs: unpriced,
  };
}

/** A spread next to nothing is never recovered. */
const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);
