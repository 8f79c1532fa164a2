import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { nextSettlement } from '../../domain/next-settlement.ts';
import { annualisedPct } from '../../domain/rate.ts';
import type { Price, UnixMs } from '../../domain/units.ts';
import type { VenueInfo } from '../../domain/venue.ts';
import { type MarketRow, UNCOMPARABLE_REASONS } from '../../market/view.ts';
import { type NullReason, nullReasons, withReasons } from '../answer/null-reason.ts';
import { fundingTime } from '../answer/product-answer.ts';
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
} from '../answer/schema.ts';
import { contractFields, contractName } from '../rows/contract-name.ts';
import { marketHours, marketHoursFields } from '../rows/market-hours.ts';
import {
  interestTime,
  interestTimeField,
  isoOrNull,
  markTime,
  markTimeField,
  rateTime,
  rateTimeField,
} from '../rows/value-times.ts';

/** Hours between settlements. */
export const intervalHours = nullable(
  integer('Hours between settlements; null where the venue does not say', 1),
);

/** Bounds of a rate as its venue publishes them. */
export const boundFields = {
  funding_cap: nullable(
    number(
      'Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none',
    ),
  ),
  funding_floor: nullable(number('The smallest, likewise')),
};
export const fundingBounds = ({ fundingCap, fundingFloor }: MarketRow) => ({
  funding_cap: fundingCap ?? null,
  funding_floor: fundingFloor ?? null,
});
/** The reasons for a row without bounds. */
export const NO_BOUNDS = { funding_cap: 'not_published', funding_floor: 'not_published' } as const;

/** The reason for which a row is not compared; absent on rows that are. */
export const uncomparableField = {
  uncomparable_reason: Type.Optional(
    oneOf(UNCOMPARABLE_REASONS, {
      description: 'Why the row is not compared with other venues; only on rows that are not',
    }),
  ),
};
export const uncomparable = ({ uncomparableReason: reason }: MarketRow) =>
  reason === undefined ? {} : { uncomparable_reason: reason };

/** A row of the funding list. Prices in quote currency, volume and open interest in USD. */
export const fundingRowSchema = Type.Object({
  source_id: integer('Number of the venue', 1),
  venue: venueName,
  symbol: tickerName,
  rate: nullable(number('Funding rate, fraction per interval of the venue; positive: longs pay shorts')),
  rate_settled: Type.Optional(
    Type.Literal(true, {
      description:
        'The rate is the one last charged; only where the venue states no coming one at this moment',
    }),
  ),
  updated_at: timestamp('Time of the rate'),
  funding_interval_hours: intervalHours,
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  volume_24h: nullable(number('Traded in 24 hours, USD')),
  open_interest: nullable(number('Open interest, USD, each contract counted once')),
  ...contractFields,
  ...marketHoursFields,
  index_price: nullable(number('Index price per unit of the base asset')),
  next_funding_time: nullable(
    timestamp(
      'Next settlement; where the stated one has passed and no other is named, as many whole intervals later',
    ),
  ),
  ...boundFields,
  annualized_pct: nullable(number('The rate over a year, percent; null when the interval is unknown')),
  ...rateTimeField,
  ...markTimeField,
  ...interestTimeField,
  ...uncomparableField,
  suspect_reason: Type.Optional(
    text(
      'Rule of data quality that the row breaks, where uncomparable_reason is suspect; docs/quality.md has each',
    ),
  ),
  ...nullReasons,
});
export type FundingRow = Static<typeof fundingRowSchema>;

/**
 * The public shape of a row; depends on the row, its next settlement and what its venue is alone, so that its
 * JSON may be kept for each of these. rate is a fraction per interval, rate_8h = rate x 8 / interval, null when
 * the interval is unknown.
 *
 * @param now the moment after which the next settlement is
 */
export function fundingRow(row: MarketRow, now: UnixMs, venue?: VenueInfo): FundingRow {
  const shown: Omit<FundingRow, 'null_reasons'> = {
    source_id: row.sourceId,
    venue: row.venue,
    symbol: row.ticker,
    rate: row.fundingRate ?? null,
    ...(row.rateSettled === true && { rate_settled: true as const }),
    updated_at: iso(fundingTime(row)),
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
    canonical_id: row.canonicalId,
    asset_class: row.assetClass,
    mark_price: row.markPrice ?? null,
    volume_24h: row.volume24hUsd ?? null,
    open_interest: row.openInterestUsd ?? null,
    ...contractName(row),
    ...marketHours(row),
    index_price: row.indexPrice ?? null,
    next_funding_time: isoOrNull(nextSettlement(row, now)),
    ...fundingBounds(row),
    annualized_pct: annualisedPct(row.fundingRate, row.fundingIntervalHours) ?? null,
    ...rateTime(row),
    ...markTime(row),
    ...interestTime(row),
    ...uncomparable(row),
    ...(row.suspectReason === undefined ? {} : { suspect_reason: row.suspectReason }),
  };
  const scaled = row.fundingRate === undefined ? 'unknown' : 'interval_unknown';
  return withReasons(shown, {
    ...NO_BOUNDS,
    funding_interval_hours: 'interval_unknown',
    rate_8h: scaled,
    annualized_pct: scaled,
    index_price: noIndex(venue),
    next_funding_time: noNextFunding(row, venue),
  });
}

/** The reason for which a row has no index price. */
export function noIndex(venue: VenueInfo | undefined): NullReason {
  return venue?.hasIndex === false ? 'not_published' : 'unknown';
}

/** The venue's index; none where it is missing or nothing but the venue's own mark. */
export function indexOf(row: MarketRow, info: VenueInfo | undefined): Price | undefined {
  return info?.hasIndex === false ? undefined : row.indexPrice;
}

/** The reason for which a row has no next settlement. */
export function noNextFunding(row: MarketRow, venue: VenueInfo | undefined): NullReason {
  if (venue?.continuousFunding === true) return 'continuous_funding';
  return row.nextFundingTime === undefined ? 'unknown' : 'passed';
}
