import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import type { MarketView } from '../market/view.ts';
import { type NullReason, nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { DEPTH_CLASSES, type LegBooks, legBooksOf } from './books/leg-book.ts';
import { choosesAssets } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-arbitrage-funding-signal.json' with { type: 'json' };
import { chooseSignals, type JudgedPair } from './funding/chosen-signals.ts';
import { clearsFees, type FundingPair, SIGNAL_METHODOLOGY } from './funding/funding-pair.ts';
import { aprSpreadPct } from './funding/legs.ts';
import { legsToAsk } from './funding/signal-candidates.ts';
import { signalLeg, signalLegSchema } from './funding/signal-leg.ts';
import { scanCoverage, scanTooNarrow } from './rows/enough-venues.ts';
import { scanAnswer, scanLimit } from './rows/scan.ts';
import { isRated, venueInfos } from './rows/select.ts';
import { type SpreadHistories, type SpreadHistory, spreadHistories } from './statistics/spread-history.ts';

const query = Type.Object({
  min_diff: Type.Number({
    minimum: 0,
    default: 0.0001,
    description: 'Least difference of the rates scaled to eight hours, a fraction',
  }),
  limit: scanLimit,
  include_below_1k: Type.Boolean({
    default: false,
    description: 'Also pairs whose books do not fill 1,000 USD, or are not known',
  }),
  holding_days: Type.Number({
    minimum: 0.25,
    maximum: 365,
    default: 7,
    description: 'Days over which net_apr_pct spreads the cost of entry and exit',
  }),
});

const count = (description: string) => integer(`Assets ${description}`);

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  short_venue: venueName,
  long_venue: venueName,
  gross_funding_spread_bps: number('Raw rate difference of the two legs'),
  normalized_spread_8h_bps: number('The same legs, both scaled to eight hours'),
  apr_spread_pct: nullable(number('The normalized spread over a year, percent')),
  round_trip_fee_bps: number('Public taker fees of entry and exit on both legs'),
  net_of_fees_positive: boolean('gross_funding_spread_bps > round_trip_fee_bps'),
  funding_periods_to_breakeven: nullable(
    number(
      'Eight-hour periods until the spread has paid fees and slippage; null without books that fill 1,000',
    ),
  ),
  max_notional_usd: nullable(
    integer('Largest of 1000, 5000 and 10000 that both books fill, else 0; null where a book is not known'),
  ),
  entry_slippage_bps: nullable(number('Both legs together at that size; null without books')),
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
  clears_costs: nullable(boolean('Whether the score is above 0; rows where it is not come after all others')),
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  short: signalLegSchema('Sold: the venue with the higher rate'),
  long: signalLegSchema('Bought: the venue with the lower rate'),
  ...nullReasons,
});

type SignalOpportunity = Static<typeof opportunity>;

const answer = Type.Object({
  count: integer('Opportunities returned'),
  ...venueCoverageFields,
  assessed: count('whose pair reaches min_diff and has both books'),
  unassessed: Type.Object(
    {
      single_venue: count('with fewer than two fresh comparable venues'),
      rate_unknown: count('with fewer than two venues whose rate is known and young enough'),
      interval_unknown: count('with fewer than two venues whose interval is known'),
      fee_unknown: count('with fewer than two venues whose taker fee is known'),
      depth_unknown: count('whose pair reaches min_diff while a leg has no fresh book'),
      below_min_diff: count('whose pair does not reach min_diff'),
    },
    { description: 'Assets that were not assessed, by reason' },
  ),
  holding_days: number('Days that net_apr_pct holds a position for'),
  methodology: text('Inputs and exclusions'),
  opportunities: Type.Array(opportunity),
});

type FundingSignal = Static<typeof answer>;

export const perpArbitrageFundingSignal = defineProduct({
  id: 'perp-arbitrage-funding-signal',
  path: '/v1/perp/arbitrage/funding-signal',
  access: 'paid',
  summary: 'Funding arbitrage net of fees, sized to books',
  description:
    'Ranked funding pairs: per asset the two venues between which eight-hour funding differs most, net of public round-trip taker fees and sized to live order-book depth at 1,000, 5,000 and 10,000 USD, with entry slippage and periods to break even. A derived outcome from present values, not a profit forecast.',
  tags: ['arbitrage', 'funding', 'signal', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesAssets,
  revisedAt: '2026-11-29T07:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/arbitrage/funding-signal?limit=2', answer: example },
  find: (asked, { market }) => ok({ asked, legs: () => legsToAsk(market, asked.min_diff) }),
  books: ({ legs }) => legs(),
  compute: ({ asked }, { market, books, history, clock }) => {
    const legBooks = legBooksOf(books.passive);
    if (history === undefined) return fundingSignal(market, legBooks, asked, clock.now());
    const found = signalNow(market, legBooks, asked, clock.now());
    if (!found.ok) return found;
    const signal = found.value;
    const legs = signal.pairs.flatMap(({ short, long }) => [short, long]);
    return history.reader.recentPayments(legs).then((payments) => {
      // Without its past a signal is what it was before there was one: the store's trouble is no reason to refuse it.
      const past = payments.ok ? spreadHistories(payments.value, signal.now) : undefined;
      return ok(signal.answer(past));
    });
  },
});

const DAYS_A_YEAR = 365;
const BPS_PER_PCT = 100;

/**
 * Funding pairs net of fees, sized to the books, by score. Costs = round_trip_fee_bps + 2 x entry_slippage_bps;
 * funding_periods_to_breakeven = costs / normalized_spread_8h_bps; signal_score = (3 x normalized_spread_8h_bps -
 * costs / 7) x sqrt(max_notional_usd / 10000), 0 where the books do not fill 1,000 USD; net_apr_pct =
 * apr_spread_pct - costs / 100 x 365 / holding_days. All four are null where a book is not known, and such pairs
 * come last.
 */
export function fundingSignal(
  view: MarketView,
  books: LegBooks | undefined,
  asked: Static<typeof query>,
  now: UnixMs,
): Result<ProductAnswer<FundingSignal>> {
  const signal = signalNow(view, books, asked, now);
  return signal.ok ? ok(signal.value.answer()) : signal;
}

/** All that a signal says of the present, read at one moment; its past may come later. */
interface PresentSignal {
  readonly now: UnixMs;
  readonly pairs: readonly FundingPair[];
  readonly answer: (pasts?: SpreadHistories) => ProductAnswer<FundingSignal>;
}

/** 503 not_ready where fewer than two venues have a fresh rate. */
function signalNow(
  view: MarketView,
  books: LegBooks | undefined,
  asked: Static<typeof query>,
  now: UnixMs,
): Result<PresentSignal> {
  const coverage = scanCoverage(view, isRated);
  const narrow = scanTooNarrow(coverage, 'comparable funding rate');
  if (narrow !== undefined) return fail(narrow);
  const { shown, used, counts } = chooseSignals(view, books, asked);
  const venues = venueInfos(view);
  const { asOf, sources } = scanAnswer(view, undefined, used, fundingTime);
  const { holding_days } = asked;
  const at = { holdingDays: holding_days, now };
  return ok({
    now,
    pairs: shown.map(({ pair }) => pair),
    answer: (pasts) => {
      const opportunities = shown.map((judged) => opportunityOf(judged, at, venues, pasts));
      const body: FundingSignal = {
        count: opportunities.length,
        ...statedCoverage(coverage),
        ...counts,
        holding_days,
        methodology: SIGNAL_METHODOLOGY,
        opportunities,
      };
      return { body, asOf, sources };
    },
  });
}

function opportunityOf(
  { pair, depth, costs, score, ...books }: JudgedPair,
  { holdingDays, now }: { readonly holdingDays: number; readonly now: UnixMs },
  venues: ReadonlyMap<VenueId, VenueInfo>,
  pasts: SpreadHistories | undefined,
): Static<typeof opportunity> {
  const { short, long, normalizedBps } = pair;
  const past = pasts?.(pair);
  const { entrySlippageBps, maxNotionalUsd, depthClass } = depth;
  const apr = aprSpreadPct(normalizedBps);
  const shown: SignalOpportunity = {
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
    percentile_30d: past?.percentile ?? null,
    median_duration_hours: past?.medianHours ?? null,
    signal_score: score ?? null,
    clears_costs: score === undefined ? null : score > 0,
    venues_count: pair.rows.length,
    updated_at: iso(pair.updatedAt),
    short: signalLeg(short, 'sell', pair.shortFeeBps, books.short, venues.get(short.venue), now),
    long: signalLeg(long, 'buy', pair.longFeeBps, books.long, venues.get(long.venue), now),
  };
  return withReasons(shown, reasonsOf(depthClass, past, pasts !== undefined));
}

/** Reasons for which figures of a signal are null: those of its books, and those of its past. */
function reasonsOf(
  depthClass: SignalOpportunity['depth_class'],
  past: SpreadHistory | undefined,
  isHistoryRead: boolean,
): Partial<Record<keyof SignalOpportunity, NullReason>> {
  const unpriced = depthClass === 'unknown' ? 'not_followed' : 'too_thin';
  const unknownHistory = isHistoryRead ? 'past_too_short' : 'unknown';
  return {
    funding_periods_to_breakeven: unpriced,
    max_notional_usd: unpriced,
    entry_slippage_bps: unpriced,
    net_apr_pct: unpriced,
    percentile_30d: unknownHistory,
    median_duration_hours: past === undefined ? unknownHistory : 'no_precedent',
    signal_score: unpriced,
    clears_costs: unpriced,
  };
}

/** A spread next to nothing is never recovered. */
const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);
