import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer } from './answer/product-answer.ts';
import {
  assetClass,
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
import { choosesAssets } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-arbitrage-funding.json' with { type: 'json' };
import {
  type FundingLegs,
  type Legs,
  legsOf,
  normalizedField,
  normalizedLegs,
  normalizedSpread,
  normalizedSpreadBps,
} from './funding/legs.ts';
import { rateLeg, rateLegSchema } from './funding/rate-leg.ts';
import { scanCoverage, scanTooNarrow } from './rows/enough-venues.ts';
import { byWidth, comparableAssets, scanAnswer, scanLimit } from './rows/scan.ts';
import { hasFreshRate, isRated } from './rows/select.ts';

const SORTS = ['raw', 'normalized'] as const;

const query = Type.Object({
  min_diff: Type.Number({
    minimum: 0,
    default: 0.0001,
    description: 'Least spread, as a fraction (0.0001 = 1 bp)',
  }),
  limit: scanLimit,
  sort: oneOf(SORTS, {
    default: 'raw',
    description: 'What min_diff and the order are of: raw rates, or rates scaled to eight hours',
  }),
});

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  max_rate: number('Highest rate, fraction per interval of its venue'),
  min_rate: number('Lowest rate, fraction per interval of its venue'),
  spread: number('max_rate - min_rate'),
  spread_bps: number('spread x 10000'),
  normalized_spread_8h_bps: nullable(
    number('Spread with both legs scaled to eight hours; null when an interval is unknown'),
  ),
  max_venue: venueName,
  min_venue: venueName,
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  max_leg: rateLegSchema,
  min_leg: rateLegSchema,
  normalized: normalizedField,
  ...nullReasons,
});

type FundingOpportunity = Static<typeof opportunity>;

const answer = Type.Object({
  min_diff: number('The threshold used'),
  sort: oneOf(SORTS, { description: 'What min_diff and the order are of' }),
  count: integer('Opportunities returned'),
  ...venueCoverageFields,
  opportunities: Type.Array(opportunity),
  naive_note: text('What the figures leave out'),
});

type ArbitrageFunding = Static<typeof answer>;

export const perpArbitrageFunding = defineProduct({
  id: 'perp-arbitrage-funding',
  path: '/v1/perp/arbitrage/funding',
  access: 'paid',
  summary: 'Funding-rate gaps across venues',
  description:
    'Assets whose highest and lowest funding rate across venues stand further apart than min_diff, widest first, with both venues, and beside them the best pair with both legs scaled to eight hours (sort=normalized ranks by it). A gross spread of raw rates per interval: before fees, slippage and interval differences; not a profit forecast.',
  tags: ['arbitrage', 'funding', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesAssets,
  revisedAt: '2026-11-29T07:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/arbitrage/funding?min_diff=0.00001&limit=2', answer: example },
  compute: (asked, { market }) => arbitrageFunding(market, asked),
});

const NOTE =
  'Naive baseline: gross spread of raw rates per interval, before fees, slippage, interval differences and latency; normalized is the pair that differs most with both legs scaled to eight hours, which is what a holder of both earns at present rates. Not a profit forecast.';

/** An asset whose spread exceeds the threshold. */
interface Found {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly legs: FundingLegs;
  readonly best: Legs | undefined;
  /** The measure that ranks it, a fraction. */
  readonly width: number;
}

/**
 * Assets whose max_rate - min_rate over fresh comparable venues exceeds `min_diff` (a fraction), widest first; with
 * `normalized` those whose largest difference of eight-hour rates does. updated_at is the time of the older leg.
 * 503 not_ready where fewer than two venues have a fresh rate.
 */
export function arbitrageFunding(
  view: MarketView,
  asked: Static<typeof query>,
): Result<ProductAnswer<ArbitrageFunding>> {
  const coverage = scanCoverage(view, isRated);
  const narrow = scanTooNarrow(coverage, 'comparable funding rate');
  if (narrow !== undefined) return fail(narrow);
  const used: MarketRow[] = [];
  const found: Found[] = [];
  for (const rows of comparableAssets(view.rows())) {
    const legs = legsOf(rows.filter(hasFreshRate));
    if (legs === undefined) continue;
    const best = normalizedLegs(legs.rows);
    const width = asked.sort === 'raw' ? legs.maxRate - legs.minRate : eightHours(best);
    if (width === undefined || !(width > asked.min_diff)) continue;
    used.push(...legs.rows);
    found.push({ ticker: legs.low.ticker, canonical_id: legs.low.canonicalId, legs, best, width });
  }
  const opportunities = byWidth(found, (it) => it.width)
    .slice(0, asked.limit)
    .map(opportunityOf);
  const body: ArbitrageFunding = {
    min_diff: asked.min_diff,
    sort: asked.sort,
    count: opportunities.length,
    ...statedCoverage(coverage),
    opportunities,
    naive_note: NOTE,
  };
  return ok(scanAnswer(view, body, used, fundingTime));
}

/** rate_8h of the high end less that of the low end. */
function eightHours(legs: Legs | undefined): number | undefined {
  const high = legs?.high.rate8h;
  const low = legs?.low.rate8h;
  return high === undefined || low === undefined ? undefined : high - low;
}

function opportunityOf({ legs, best }: Found): FundingOpportunity {
  const { low, high, maxRate, minRate, updatedAt } = legs;
  const shown: FundingOpportunity = {
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
  return withReasons(shown, {
    normalized_spread_8h_bps: 'interval_unknown',
    normalized: 'interval_unknown',
  });
}
