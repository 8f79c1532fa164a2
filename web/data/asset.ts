import type { FundingRow } from './funding.ts';

/** `/v1/perp/snapshot`. */
export interface Snapshot {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly venues_count: number;
  readonly total_open_interest_usd: number | null;
  readonly total_volume_24h_usd: number | null;
  readonly oi_weighted_rate_8h: number | null;
  readonly volume_weighted_mark_price: number | null;
  readonly venues: readonly SnapshotVenue[];
  /** Other assets that go by the ticker. */
  readonly same_ticker: readonly {
    readonly canonical_id: string;
    readonly asset_class: string;
    readonly venues: readonly string[];
  }[];
  readonly note: string;
}

export interface SnapshotVenue extends FundingRow {
  readonly multiplier: number;
  readonly basis_bps: number | null;
  readonly best_bid: number | null;
  readonly best_ask: number | null;
  readonly spread_bps: number | null;
  readonly slippage_10k_bps: number | null;
}

/** `/v1/funding/historical`. */
export interface FundingHistory {
  readonly aggregation: string;
  readonly window_start: string;
  readonly window_end: string;
  readonly buckets: readonly {
    readonly venue: string;
    readonly bucket_start: string;
    readonly avg_funding_rate: number | null;
    readonly avg_price: number | null;
    readonly samples: number;
    readonly basis: 'settled' | 'sampled';
  }[];
}

/** `/v1/perp/oi-history` and `/v1/perp/volume-history`. */
export interface ValueHistory {
  readonly venue: string;
  readonly buckets: readonly {
    readonly bucket_start: string;
    readonly value: number | null;
    readonly value_usd?: number | null;
  }[];
}

/** `/v1/orderbook/multi-venue-slippage`. */
export interface Slippages {
  readonly size_usd: number;
  readonly venues: readonly {
    readonly venue: string;
    readonly taker_fee_bps: number | null;
    readonly all_in_bps: number | null;
    readonly spread_bps: number | null;
    readonly slippage_bps: number | null;
    readonly bid_depth_usd: number | null;
    readonly ask_depth_usd: number | null;
    readonly source: string;
    readonly updated_at: string;
    /** Only where it was asked for. */
    readonly ladder?: readonly LadderStep[];
  }[];
}

/** What a book holds within a distance of its mid, USD. */
export interface LadderStep {
  readonly within_bps: number;
  readonly bid_usd: number;
  readonly ask_usd: number;
}

/** `/v1/backtest/data` with order books and without funding. */
export interface StoredBooks {
  readonly venue: string;
  readonly data: readonly {
    readonly ts: string;
    readonly slippage_1k_bps: number | null;
    readonly slippage_5k_bps: number | null;
    readonly slippage_10k_bps: number | null;
    readonly book_reason: string | null;
  }[];
}
