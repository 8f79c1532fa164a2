import { iso } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';

/** Time of the rate, or of the row where the venue's rate has no time of its own. */
export const fundingTime = (row: MarketRow): UnixMs => row.fundingUpdatedAt ?? row.updatedAt;

/** A funding row as it is answered. */
export interface FundingRow {
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
  readonly uncomparable_reason?: string;
}

export function fundingRow(row: MarketRow): FundingRow {
  return {
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
    ...(row.uncomparableReason !== undefined && { uncomparable_reason: row.uncomparableReason }),
  };
}

/** Rows are immutable, so their text is written once and goes when the row goes. */
const written = new WeakMap<MarketRow, string>();

/** The row as JSON text. */
export function fundingRowText(row: MarketRow): string {
  const known = written.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(fundingRow(row));
  written.set(row, text);
  return text;
}
