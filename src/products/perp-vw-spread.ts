import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import { canonicalIdName, integer, nullable, number, text, tickerName, venueName } from './answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { choosesVenues } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-vw-spread.json' with { type: 'json' };
import { assetQuery, findAsset } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { assetTooNarrow } from './rows/enough-venues.ts';
import {
  type AssetRows,
  freshRate8h,
  isMarkLate,
  nothingUsable,
  usableRows,
  venueIds,
} from './rows/select.ts';
import { markTime, markTimeField, oldestTime, rateTime, rateTimeField } from './rows/value-times.ts';
import { weightedMean } from './rows/weighted.ts';

const venue = Type.Object({
  venue: venueName,
  weight: number('Share of the 24 h volume of all venues counted, 0 to 1'),
  rate_8h: nullable(number('Funding rate scaled to eight hours; null where it is unknown or too old')),
  deviation_rate_8h_bps: nullable(number('rate_8h less the weighted mean, basis points')),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  deviation_price_bps: nullable(number('mark_price against the weighted mean, basis points')),
  volume_24h_usd: number('Traded in 24 hours, USD'),
  ...contractFields,
  ...rateTimeField,
  ...markTimeField,
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  venues_count: integer('Venues in venues'),
  ...venueCoverageFields,
  vw_rate_8h: nullable(number('Volume-weighted mean of rate_8h')),
  vw_mark_price: nullable(number('Volume-weighted mean of mark_price')),
  venues: Type.Array(venue),
  max_deviation_venue: nullable(venueName),
  min_deviation_venue: nullable(venueName),
  note: text('What the figures leave out'),
});

type VwSpread = Static<typeof answer>;
type VwSpreadVenue = Static<typeof venue>;

export const perpVwSpread = defineProduct({
  id: 'perp-vw-spread',
  path: '/v1/perp/vw-spread',
  access: 'paid',
  summary: 'Venues against the volume-weighted mean',
  description:
    'How far each venue stands from the volume-weighted mean of one asset, in funding (scaled to eight hours) and in mark price, over the venues that are fresh, comparable and trade. A naive baseline before fees and slippage; not a profit forecast.',
  tags: ['spread', 'volume', 'funding', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:00:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/perp/vw-spread?ticker=BTC', answer: example },
  find: findAsset,
  compute: vwSpread,
});

const NOTE =
  'Weights are shares of 24 h USD volume over fresh comparable venues that trade; marks are in the currencies that they are quoted in. Naive baseline, before fees, slippage and latency; not a profit forecast.';

/**
 * Each venue against the volume-weighted market. vw_rate_8h = sum(rate_8h x volume) / sum(volume) over venues with a
 * known and fresh rate_8h, vw_mark_price likewise; deviation_rate_8h_bps = (rate_8h - vw_rate_8h) x 10000,
 * deviation_price_bps = (mark - vw_mark) / vw_mark x 10000. max and min deviation are of the rate. 404 single_venue
 * with one venue that trades.
 */
export function vwSpread(asset: AssetRows): Result<ProductAnswer<VwSpread>> {
  const rows = usableRows(asset).filter((row) => (row.volume24hUsd ?? 0) > 0);
  const [only] = rows;
  if (only === undefined) return fail(nothingUsable(asset, 'volume'));
  const coverage = venueCoverage(asset.listedBy, rows);
  const narrow = assetTooNarrow(asset, coverage, 'row with volume', isMarkLate);
  if (narrow !== undefined) return fail(narrow);
  if (rows.length === 1) {
    const detail = `Only ${only.venue} has a fresh comparable row of ${asset.canonicalId} with volume`;
    return fail({ code: 'single_venue', detail });
  }
  const rate = weightedMean(rows.map((row) => [freshRate8h(row), row.volume24hUsd]));
  const mark = weightedMean(rows.map((row) => [row.markPrice, row.volume24hUsd]));
  const total = rows.reduce((sum, row) => sum + (row.volume24hUsd ?? 0), 0);
  const venues = rows.map((row) => deviationOf(row, total, rate, mark));
  const body: VwSpread = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: venues.length,
    ...statedCoverage(coverage),
    vw_rate_8h: rate ?? null,
    vw_mark_price: mark ?? null,
    venues,
    max_deviation_venue: extreme(venues, 1),
    min_deviation_venue: extreme(venues, -1),
    note: NOTE,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy), usedTime));
}

/** Of the mark and of the rate the older time; a rate that is too old is not used. */
const usedTime = ({ updatedAt, fundingUpdatedAt, rateFresh }: MarketRow): UnixMs =>
  oldestTime(updatedAt, rateFresh ? fundingUpdatedAt : undefined);

function deviationOf(
  row: MarketRow,
  total: number,
  vwRate: number | undefined,
  vwMark: number | undefined,
): VwSpreadVenue {
  const { venue, markPrice } = row;
  const rate8h = freshRate8h(row);
  const volume = row.volume24hUsd ?? 0;
  return {
    venue,
    weight: volume / total,
    rate_8h: rate8h ?? null,
    deviation_rate_8h_bps: rate8h === undefined || vwRate === undefined ? null : toBps(rate8h - vwRate),
    mark_price: markPrice ?? null,
    deviation_price_bps:
      markPrice === undefined || vwMark === undefined ? null : toBps((markPrice - vwMark) / vwMark),
    volume_24h_usd: volume,
    ...contractName(row),
    ...rateTime(row),
    ...markTime(row),
  };
}

/** Venue whose rate deviates most upwards (sign 1) or downwards (-1); the first of equal ones. */
function extreme(venues: readonly VwSpreadVenue[], sign: 1 | -1): string | null {
  let best: VwSpreadVenue | undefined;
  for (const venue of venues) {
    const deviation = venue.deviation_rate_8h_bps;
    if (deviation === null) continue;
    if (best === undefined || deviation * sign > (best.deviation_rate_8h_bps ?? 0) * sign) best = venue;
  }
  return best?.venue ?? null;
}
