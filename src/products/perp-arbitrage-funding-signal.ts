import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok } from '../domain/errors.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
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
import {
  DEPTH_CLASSES,
  type LegBook,
  type LegBooks,
  legBooksOf,
  type PairDepth,
  pairDepth,
} from './books/leg-book.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-arbitrage-funding-signal.json' with { type: 'json' };
import { clearsFees, type FundingPair, SIGNAL_METHODOLOGY, surveyPairs } from './funding/funding-pair.ts';
import { aprSpreadPct } from './funding/legs.ts';
import { signalLeg, signalLegSchema } from './funding/signal-leg.ts';
import { byWidth, scanAnswer, scanLimit } from './rows/scan.ts';
import { venueInfos } from './rows/select.ts';

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
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/arbitrage/funding-signal?limit=2', answer: example },
  compute: (asked, { market, books }) => ok(fundingSignal(market, legBooksOf(books.passive), asked)),
});

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
  asked: Static<typeof query>,
): ProductAnswer<FundingSignal> {
  const used: MarketRow[] = [];
  const found: Judged[] = [];
  const { pairs, without } = surveyPairs(view);
  const wide = pairs.filter((pair) => pair.normalizedBps > asked.min_diff * 10_000);
  let assessed = 0;
  for (const pair of wide) {
    const judged = judge(pair, books);
    const filled = judged.depth.maxNotionalUsd;
    if (filled !== undefined) assessed += 1;
    if (!filled && !asked.include_below_1k) continue;
    used.push(...pair.rows);
    found.push(judged);
  }
  const venues = venueInfos(view);
  const opportunities = byWidth(found, rankOf)
    .slice(0, asked.limit)
    .map((judged) => opportunityOf(judged, asked.holding_days, venues));
  const unassessed = {
    ...without,
    depth_unknown: wide.length - assessed,
    below_min_diff: pairs.length - wide.length,
  };
  const body: FundingSignal = {
    ...{ count: opportunities.length, assessed, unassessed, holding_days: asked.holding_days },
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
): Static<typeof opportunity> {
  const { short, long, normalizedBps } = pair;
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
    signal_score: score ?? null,
    clears_costs: score === undefined ? null : score > 0,
    venues_count: pair.rows.length,
    updated_at: iso(pair.updatedAt),
    short: signalLeg(short, 'sell', pair.shortFeeBps, books.short, venues.get(short.venue)),
    long: signalLeg(long, 'buy', pair.longFeeBps, books.long, venues.get(long.venue)),
  };
  const unpriced = depthClass === 'unknown' ? 'not_followed' : 'too_thin';
  return withReasons(shown, {
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
