import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
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
import example from './examples/funding-spread-symbol.json' with { type: 'json' };
import { fundingLegs, normalizedSpreadBps, SPREAD_NOTE } from './funding/legs.ts';
import { rateLeg, rateLegSchema } from './funding/rate-leg.ts';
import { findSymbol, symbolParameter } from './rows/asked.ts';
import { type AssetRows, venueIds } from './rows/select.ts';

const answer = Type.Object({
  symbol: tickerName,
  canonical_id: canonicalIdName,
  venues_count: integer('Venues with a fresh comparable rate', 2),
  ...venueCoverageFields,
  max_rate: number('Highest rate, fraction per interval of that venue'),
  min_rate: number('Lowest rate, fraction per interval of that venue'),
  spread_bps: number('(max_rate - min_rate) x 10000, raw rates'),
  max_venue: venueName,
  min_venue: venueName,
  max_contract: rateLegSchema,
  min_contract: rateLegSchema,
  normalized_spread_8h_bps: nullable(
    number('The same two legs scaled to eight hours; can be negative; null when an interval is unknown'),
  ),
  updated_at: timestamp('Time of the older leg'),
  note: text('What the figures leave out'),
});

type FundingSpreadSnapshot = Static<typeof answer>;

export const fundingSpreadSymbol = defineProduct({
  id: 'funding-spread-symbol',
  path: '/v1/funding/spread/{symbol}',
  access: 'paid',
  summary: 'Snapshot of a funding spread',
  description:
    'Snapshot of the cross-venue funding spread of one symbol: highest and lowest raw rate, the venues that quote them, their difference in basis points, and how many venues were compared.',
  tags: ['funding', 'spread', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:00:00.000Z',
  params: Type.Object({ symbol: symbolParameter }),
  answer,
  example: { request: '/v1/funding/spread/BTC', answer: example },
  find: findSymbol,
  compute: fundingSpreadSnapshot,
});

/** The spread of /v1/perp/funding-spread in the shape of a snapshot: max and min instead of short and long. */
export function fundingSpreadSnapshot(asset: AssetRows): Result<ProductAnswer<FundingSpreadSnapshot>> {
  const found = fundingLegs(asset);
  if (!found.ok) return found;
  const { low, high, maxRate, minRate, rows, updatedAt, coverage } = found.value;
  const body: FundingSpreadSnapshot = {
    symbol: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: rows.length,
    ...statedCoverage(coverage),
    max_rate: maxRate,
    min_rate: minRate,
    spread_bps: toBps(maxRate - minRate),
    max_venue: high.venue,
    min_venue: low.venue,
    max_contract: rateLeg(high),
    min_contract: rateLeg(low),
    normalized_spread_8h_bps: normalizedSpreadBps(high, low),
    updated_at: iso(updatedAt),
    note: SPREAD_NOTE,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy), fundingTime));
}
