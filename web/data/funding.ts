/** A row of `/v1/funding/current` and of its preview. */
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
  readonly index_price: number | null;
  readonly volume_24h: number | null;
  readonly open_interest: number | null;
  readonly venue_symbol: string;
  readonly quote: string;
  readonly next_funding_time: string | null;
  readonly annualized_pct: number | null;
  readonly rate_updated_at: string | null;
  readonly mark_updated_at: string | null;
  readonly uncomparable_reason?: string;
  readonly null_reasons?: Readonly<Record<string, string>>;
}

/** A row with what its contract was paid, where that was asked for. */
export interface PaidRow extends FundingRow {
  readonly settled_means?: SettledMeans;
}

/** Means of what was paid, fractions of eight hours; null where the past is too short. */
export interface SettledMeans {
  readonly rate_8h_1d: number | null;
  readonly rate_8h_7d: number | null;
  readonly rate_8h_30d: number | null;
  readonly last_payment_at: string | null;
  readonly null_reasons?: Readonly<Record<string, string>>;
}

export interface FundingPage {
  readonly rates: readonly PaidRow[];
  readonly total: number;
  readonly has_more: boolean;
}

export interface FundingPreview {
  readonly rates: readonly FundingRow[];
  readonly as_of: string | null;
  readonly delay_seconds: number;
  readonly withheld_in_preview: readonly string[];
  readonly note: string;
}

export interface SignalPreview {
  readonly signal: {
    readonly ticker: string;
    readonly canonical_id: string;
    readonly short_venue: string;
    readonly long_venue: string;
    readonly gross_funding_spread_bps: number;
    readonly round_trip_fee_bps: number;
    readonly normalized_spread_8h_bps: number;
    readonly apr_spread_pct: number | null;
    readonly short_interval_hours: number | null;
    readonly long_interval_hours: number | null;
    readonly venues_count: number;
    readonly as_of: string;
  } | null;
  readonly note: string;
}
