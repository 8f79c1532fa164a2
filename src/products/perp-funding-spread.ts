import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { choosesVenues } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-funding-spread.json' with { type: 'json' };
import { intervalHours } from './funding/funding-row.ts';
import {
  aprSpreadPct,
  fundingLegs,
  normalizedField,
  normalizedLegs,
  normalizedSpread,
  normalizedSpreadBps,
  SPREAD_NOTE,
} from './funding/legs.ts';
import { rateLeg, rateLegSchema } from './funding/rate-leg.ts';
import { assetQuery, findAsset } from './rows/asked.ts';
import { type AssetRows, venueIds } from './rows/select.ts';

const spread = Type.Object(
  {
    ticker: tickerName,
    long_venue: venueName,
    long_rate: number('Lowest rate, fraction per interval of that venue'),
    short_venue: venueName,
    short_rate: number('Highest rate, fraction per interval of that venue'),
    spread_bps: number('(short_rate - long_rate) x 10000, raw rates'),
    updated_at: timestamp('Time of the older leg'),
    short_interval_hours: intervalHours,
    long_interval_hours: intervalHours,
    normalized_spread_8h_bps: nullable(
      number('The same two legs scaled to eight hours; can be negative; null when an interval is unknown'),
    ),
    apr_spread_pct: nullable(number('normalized_spread_8h_bps in percent a year')),
    short: rateLegSchema,
    long: rateLegSchema,
    ...nullReasons,
  },
  { description: 'The two ends: long where funding is lowest, short where it is highest' },
);

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  venues_count: integer('Venues with a fresh comparable rate', 2),
  ...venueCoverageFields,
  spread,
  normalized: normalizedField,
  note: text('What the figures leave out'),
  ...nullReasons,
});
type FundingSpread = Static<typeof answer>;
type FundingEnds = Static<typeof spread>;

export const perpFundingSpread = defineProduct({
  id: 'perp-funding-spread',
  path: '/v1/perp/funding-spread',
  access: 'paid',
  summary: 'Widest funding spread of one ticker',
  description:
    'The highest- and the lowest-paying venue for one ticker: their raw funding rates and intervals, the raw spread in basis points, and the same spread with both legs scaled to eight hours and to percent a year; normalized is the pair that differs most by eight-hour rates. Before fees, slippage and price differences.',
  tags: ['funding', 'spread', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:00:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/perp/funding-spread?ticker=BTC', answer: example },
  find: findAsset,
  compute: fundingSpread,
});

const INTERVAL_REASONS = {
  short_interval_hours: 'interval_unknown',
  long_interval_hours: 'interval_unknown',
  normalized_spread_8h_bps: 'interval_unknown',
  apr_spread_pct: 'interval_unknown',
} as const;

/**
 * The funding spread of one asset: long the lowest-paying venue, short the highest-paying one.
 * spread_bps = (short_rate - long_rate) x 10000; normalized_spread_8h_bps the same of rate_8h, of the same two legs,
 * possibly negative, null when an interval is unknown; apr_spread_pct = normalized x 10.95.
 */
export function fundingSpread(asset: AssetRows): Result<ProductAnswer<Static<typeof answer>>> {
  const found = fundingLegs(asset);
  if (!found.ok) return found;
  const { low, high, maxRate, minRate, rows, updatedAt, coverage } = found.value;
  const apart = normalizedSpreadBps(high, low);
  const ends: FundingEnds = {
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
  const body: FundingSpread = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: rows.length,
    ...statedCoverage(coverage),
    spread: withReasons(ends, INTERVAL_REASONS),
    normalized: best === undefined ? null : normalizedSpread(best),
    note: SPREAD_NOTE,
  };
  const explained = withReasons(body, { normalized: 'interval_unknown' });
  return ok(productAnswer(explained, rows, venueIds(asset.listedBy), fundingTime));
}
