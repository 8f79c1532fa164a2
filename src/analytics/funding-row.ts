import { iso } from '../domain/clock.ts';
import { annualisedPct } from '../domain/rate.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow, UncomparableReason } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type NullReason, type WithReasons, withReasons } from './null-reason.ts';
import { fundingTime } from './product-answer.ts';
import {
  type InterestTime,
  interestTime,
  isoOrNull,
  type MarkTime,
  markTime,
  type RateTime,
  rateTime,
} from './value-times.ts';

/** A funding row as it leaves the service. Prices in quote currency, volume and open interest in USD. */
export interface FundingRow extends ContractName, RateTime, MarkTime, InterestTime, WithReasons {
  readonly source_id: number;
  readonly venue: string;
  readonly symbol: string;
  readonly rate: number | null;
  readonly updated_at: string;
  readonly funding_interval_hours: number | null;
  readonly rate_8h: number | null;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly mark_price: number | null;
  readonly volume_24h: number | null;
  readonly open_interest: number | null;
  readonly index_price: number | null;
  readonly next_funding_time: string | null;
  /** rate x 24 / interval x 365 x 100. */
  readonly annualized_pct: number | null;
  /** Only on rows that failed a check. */
  readonly uncomparable_reason?: UncomparableReason;
}

/**
 * The public shape of a row; depends on the row and what its venue is alone, so that its JSON may be kept per row
 * version. rate is a fraction per interval, rate_8h = rate x 8 / interval, null when the interval is unknown.
 */
export function fundingRow(row: MarketRow, venue?: VenueInfo): FundingRow {
  const shown = {
    source_id: row.sourceId,
    venue: row.venue,
    symbol: row.ticker,
    rate: row.fundingRate ?? null,
    updated_at: iso(fundingTime(row)),
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
    canonical_id: row.canonicalId,
    asset_class: row.assetClass,
    mark_price: row.markPrice ?? null,
    volume_24h: row.volume24hUsd ?? null,
    open_interest: row.openInterestUsd ?? null,
    ...contractName(row),
    index_price: row.indexPrice ?? null,
    next_funding_time: isoOrNull(row.nextFundingTime),
    annualized_pct: annualisedPct(row.fundingRate, row.fundingIntervalHours) ?? null,
    ...rateTime(row),
    ...markTime(row),
    ...interestTime(row),
    ...(row.uncomparableReason === undefined ? {} : { uncomparable_reason: row.uncomparableReason }),
  };
  const scaled = row.fundingRate === undefined ? 'unknown' : 'interval_unknown';
  return withReasons(shown, {
    funding_interval_hours: 'interval_unknown',
    rate_8h: scaled,
    annualized_pct: scaled,
    index_price: noIndex(venue),
    next_funding_time: noNextFunding(row, venue),
  });
}

/** Why a row has no index price. */
export function noIndex(venue: VenueInfo | undefined): NullReason {
  return venue?.hasIndex === false ? 'not_published' : 'unknown';
}

/** Why a row has no next settlement. */
export function noNextFunding(row: MarketRow, venue: VenueInfo | undefined): NullReason {
  if (venue?.continuousFunding === true) return 'continuous_funding';
  return row.nextFundingTime === undefined ? 'unknown' : 'passed';
}
