import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { annualisedPct } from '../domain/rate.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-carry.json' with { type: 'json' };
import { boundFields, fundingBounds, intervalHours, NO_BOUNDS } from './funding/funding-row.ts';
import { assetQuery, findAsset } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { assetTooNarrow } from './rows/enough-venues.ts';
import { marketHours, marketHoursFields } from './rows/market-hours.ts';
import { type AssetRows, hasFreshRate, isRateLate, isShown, nothingUsable, venueIds } from './rows/select.ts';
import { structure, structureOf } from './rows/structure.ts';
import { markTime, markTimeField, rateTime, rateTimeField } from './rows/value-times.ts';

const item = Type.Object({
  venue: venueName,
  asset_class: assetClass,
  funding_rate: number('Fraction per interval of the venue; positive: longs pay shorts'),
  funding_interval_hours: intervalHours,
  annualized_carry_pct: nullable(
    number('funding_rate x (24 / funding_interval_hours) x 365 x 100; null when the interval is unknown'),
  ),
  ...boundFields,
  structure,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  updated_at: timestamp('Time of the rate'),
  ...contractFields,
  ...marketHoursFields,
  ...rateTimeField,
  ...markTimeField,
  ...nullReasons,
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  venues_count: integer('Venues in items'),
  ...venueCoverageFields,
  methodology: text('How the figures are made and what they leave out'),
  items: Type.Array(item),
});

type Carry = Static<typeof answer>;

export const perpCarry = defineProduct({
  id: 'perp-carry',
  path: '/v1/perp/carry',
  access: 'paid',
  summary: 'Funding carry per venue',
  description:
    'What one perpetual future earns or costs a year in funding on each venue: the present rate annualized over the venue interval in percent, with its sign as contango or backwardation. A naive baseline before fees, slippage and basis; not a profit forecast.',
  tags: ['carry', 'funding', 'perpetual-futures'],
  dependsOn: 'table',
  revisedAt: '2026-11-28T14:00:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/perp/carry?ticker=BTC', answer: example },
  find: findAsset,
  compute: carry,
});

const CARRY_METHODOLOGY =
  'annualized_carry_pct = funding_rate x (24 / funding_interval_hours) x 365 x 100, null where the interval is unknown; structure follows the sign of the funding rate. Fresh comparable venues only. Naive baseline: the present rate held for a year, before fees, slippage and basis; not a profit forecast.';

/**
 * Funding carry of an asset on each venue with a fresh comparable rate, in percent a year. An unknown interval keeps
 * the venue with a null carry. 503 not_ready or 404 no_data without any, 503 with one alone while another is only late.
 */
export function carry(asset: AssetRows): Result<ProductAnswer<Carry>> {
  const rows = asset.rows.filter((row) => isShown(row) && hasFreshRate(row));
  if (rows.length === 0) return fail(nothingUsable(asset, 'funding rate'));
  const coverage = venueCoverage(asset.listedBy, rows);
  const narrow = assetTooNarrow(asset, coverage, 'funding rate', isRateLate);
  if (narrow !== undefined) return fail(narrow);
  const items = rows.flatMap((row): Static<typeof item>[] => {
    const rate = row.fundingRate;
    if (rate === undefined) return [];
    const shown: Static<typeof item> = {
      venue: row.venue,
      asset_class: row.assetClass,
      funding_rate: rate,
      funding_interval_hours: row.fundingIntervalHours ?? null,
      annualized_carry_pct: annualisedPct(rate, row.fundingIntervalHours) ?? null,
      ...fundingBounds(row),
      structure: structureOf(rate),
      mark_price: row.markPrice ?? null,
      updated_at: iso(fundingTime(row)),
      ...contractName(row),
      ...marketHours(row),
      ...rateTime(row),
      ...markTime(row),
    };
    return [
      withReasons(shown, {
        ...NO_BOUNDS,
        funding_interval_hours: 'interval_unknown',
        annualized_carry_pct: 'interval_unknown',
      }),
    ];
  });
  const body: Carry = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: items.length,
    ...statedCoverage(coverage),
    methodology: CARRY_METHODOLOGY,
    items,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy), fundingTime));
}
