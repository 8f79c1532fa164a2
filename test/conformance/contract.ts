/**
 * The published interface as data, written from its text and not from the code: paths, prices, parameters and
 * field names of every endpoint, built or not. Tests hold the route table against it.
 */

export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | readonly [Shape]
  | { readonly [field: string]: Shape };

export interface ContractParameter {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time';
  readonly required?: true;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ContractEndpoint {
  readonly path: string;
  /** Price in USD; absent on free endpoints. */
  readonly usd?: string;
  readonly query: Readonly<Record<string, ContractParameter>>;
  /** Fields that the interface names. A name ending in `?` is present only behind an include flag. */
  readonly response?: Shape;
  /** Fields that were decided where the interface leaves the body open; required all the same. */
  readonly decided?: Shape;
  /** Answers 409 with candidates for a ticker of several assets. */
  readonly disambiguates?: true;
}

const AGGREGATIONS = ['1h', '4h', '1d'] as const;
const SIZES = [1000, 5000, 10_000] as const;

const ticker = { type: 'string', required: true } as const;
const venue = { type: 'string', required: true } as const;
const canonicalId = { type: 'string' } as const;
const aggr = { type: 'string', enum: AGGREGATIONS, default: '1h' } as const;
const date = { type: 'date-time' } as const;
const size = { type: 'integer', enum: SIZES, default: 10_000 } as const;
const scanLimit = { type: 'integer', default: 50, maximum: 100 } as const;
const hours = { type: 'integer', default: 24, maximum: 168 } as const;

const fundingRow = {
  source_id: 'integer',
  venue: 'string',
  symbol: 'string',
  rate: 'number',
  updated_at: 'timestamp',
  funding_interval_hours: 'integer',
  rate_8h: 'number',
  canonical_id: 'string',
  asset_class: 'string',
  mark_price: 'number',
  volume_24h: 'number',
  open_interest: 'number',
} as const satisfies Shape;

export const PAID: readonly ContractEndpoint[] = [
  {
    path: '/v1/backtest/data',
    usd: '0.05',
    query: {
      venue,
      ticker,
      from: { type: 'date-time', required: true },
      to: { type: 'date-time', required: true },
      granularity: { type: 'string', enum: AGGREGATIONS, default: '1h' },
      include_funding: { type: 'boolean', default: true },
      include_orderbook: { type: 'boolean', default: false },
    },
    response: {
      venue: 'string',
      ticker: 'string',
      granularity: 'string',
      from_ts: 'timestamp',
      to_ts: 'timestamp',
      data: [
        { ts: 'timestamp', 'funding_rate?': 'number', 'funding_samples?': 'integer', perp_price: 'number' },
      ],
      metadata: { samples_count: 'integer', completeness_pct: 'number', data_sources: ['string'] },
    },
    decided: {
      data: [
        {
          'best_bid?': 'number',
          'best_ask?': 'number',
          'spread_bps?': 'number',
          'bid_depth_usd?': 'number',
          'ask_depth_usd?': 'number',
          'slippage_1k_bps?': 'number',
          'slippage_5k_bps?': 'number',
          'slippage_10k_bps?': 'number',
        },
      ],
    },
  },
  {
    path: '/v1/funding/current',
    usd: '0.001',
    query: {
      symbol: { type: 'string' },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      offset: { type: 'integer', minimum: 0, default: 0 },
      include_uncomparable: { type: 'boolean', default: false },
    },
    response: {
      symbol: 'string',
      comparable_only: 'boolean',
      rates: [fundingRow],
      total: 'integer',
      limit: 'integer',
      offset: 'integer',
      has_more: 'boolean',
    },
    decided: { rates: [{ 'uncomparable_reason?': 'string' }] },
  },
  {
    path: '/v1/funding/historical',
    usd: '0.005',
    query: { ticker, aggr, from: date, to: date },
    response: {
      ticker: 'string',
      aggregation: 'string',
      window_start: 'timestamp',
      window_end: 'timestamp',
      venues_count: 'integer',
      buckets: [
        {
          venue: 'string',
          bucket_start: 'timestamp',
          avg_funding_rate: 'number',
          avg_price: 'number',
          samples: 'integer',
        },
      ],
    },
    decided: { buckets: [{ basis: 'string' }] },
  },
  {
    path: '/v1/funding/spread/{symbol}',
    usd: '0.001',
    query: {},
    decided: {
      symbol: 'string',
      canonical_id: 'string',
      venues_count: 'integer',
      max_rate: 'number',
      min_rate: 'number',
      spread_bps: 'number',
      max_venue: 'string',
      min_venue: 'string',
      normalized_spread_8h_bps: 'number',
      updated_at: 'timestamp',
    },
  },
  {
    path: '/v1/orderbook/aggregate/{symbol}',
    usd: '0.002',
    query: {},
    response: {
      symbol: 'string',
      best_bid: { price: 'number', size: 'number', venue: 'string' },
      best_ask: { price: 'number', size: 'number', venue: 'string' },
    },
  },
  {
    path: '/v1/orderbook/best-execution',
    usd: '0.010',
    query: { ticker, size_usd: size },
    response: {
      ticker: 'string',
      size_usd: 'integer',
      venues_considered: 'integer',
      best: {
        venue: 'string',
        best_bid: 'number',
        best_ask: 'number',
        spread_bps: 'number',
        slippage_bps: 'number',
        bid_depth_usd: 'number',
        ask_depth_usd: 'number',
        updated_at: 'timestamp',
      },
      naive_note: 'string',
    },
  },
  {
    path: '/v1/orderbook/depth/{venue}/{symbol}',
    usd: '0.002',
    query: { size_usd: size },
    response: {
      venue: 'string',
      symbol: 'string',
      size_usd: 'integer',
      quote: {
        venue: 'string',
        best_bid: 'number',
        best_ask: 'number',
        est_slippage_for_size_usd_bps: 'number',
        updated_at: 'timestamp',
      },
    },
    decided: {
      quote: {
        spread_bps: 'number',
        bid_depth_usd: 'number',
        ask_depth_usd: 'number',
        max_fillable_usd: 'number',
      },
    },
  },
  {
    path: '/v1/orderbook/multi-venue-execution',
    usd: '0.010',
    query: { ticker, size_usd: size },
    response: {
      ticker: 'string',
      size_usd: 'integer',
      total_filled_usd: 'number',
      unfilled_usd: 'number',
      venues_used: 'integer',
      blended_slippage_bps: 'number',
      route: [
        {
          venue: 'string',
          allocated_usd: 'number',
          slippage_bps: 'number',
          best_bid: 'number',
          best_ask: 'number',
          max_fillable_usd: 'number',
        },
      ],
      naive_note: 'string',
    },
  },
  {
    path: '/v1/orderbook/multi-venue-slippage',
    usd: '0.005',
    query: { ticker, size_usd: size },
    response: {
      ticker: 'string',
      size_usd: 'integer',
      count: 'integer',
      venues: [
        {
          venue: 'string',
          best_bid: 'number',
          best_ask: 'number',
          spread_bps: 'number',
          bid_depth_usd: 'number',
          ask_depth_usd: 'number',
          slippage_bps: 'number',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/orderbook/{venue}/{symbol}/top',
    usd: '0.001',
    query: {},
    response: {
      venue: 'string',
      symbol: 'string',
      bid_price: 'number',
      bid_size: 'number',
      ask_price: 'number',
      ask_size: 'number',
      timestamp: 'timestamp',
    },
  },
  {
    path: '/v1/perp/arbitrage/funding',
    usd: '0.003',
    query: { min_diff: { type: 'number', default: 0.0001 }, limit: scanLimit },
    response: {
      min_diff: 'number',
      count: 'integer',
      opportunities: [
        {
          ticker: 'string',
          max_rate: 'number',
          min_rate: 'number',
          spread: 'number',
          spread_bps: 'number',
          max_venue: 'string',
          min_venue: 'string',
          venues_count: 'integer',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/perp/arbitrage/funding-signal',
    usd: '0.005',
    query: {
      min_diff: { type: 'number', default: 0.0001 },
      limit: scanLimit,
      include_below_1k: { type: 'boolean', default: false },
    },
    response: {
      count: 'integer',
      methodology: 'string',
      opportunities: [
        {
          ticker: 'string',
          short_venue: 'string',
          long_venue: 'string',
          gross_funding_spread_bps: 'number',
          round_trip_fee_bps: 'number',
          funding_periods_to_breakeven: 'number',
          max_notional_usd: 'integer',
          entry_slippage_bps: 'number',
          depth_class: 'string',
          signal_score: 'number',
          venues_count: 'integer',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/perp/arbitrage/price',
    usd: '0.003',
    query: { min_diff_bps: { type: 'number', default: 10 }, limit: scanLimit },
    response: {
      min_diff_bps: 'number',
      count: 'integer',
      opportunities: [
        {
          ticker: 'string',
          max_price: 'number',
          min_price: 'number',
          mid_price: 'number',
          spread_bps: 'number',
          max_venue: 'string',
          min_venue: 'string',
          venues_count: 'integer',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/perp/basis',
    usd: '0.005',
    query: { ticker, canonical_id: canonicalId },
    disambiguates: true,
    response: {
      ticker: 'string',
      venues_count: 'integer',
      methodology: 'string',
      venues_without_index: ['string'],
      items: [
        {
          venue: 'string',
          asset_class: 'string',
          mark_price: 'number',
          index_price: 'number',
          basis_bps: 'number',
          structure: 'string',
          liquidity_state: 'string',
          basis_reliable: 'boolean',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/perp/carry',
    usd: '0.005',
    query: { ticker, canonical_id: canonicalId },
    disambiguates: true,
    response: {
      ticker: 'string',
      venues_count: 'integer',
      methodology: 'string',
      items: [
        {
          venue: 'string',
          asset_class: 'string',
          funding_rate: 'number',
          funding_interval_hours: 'integer',
          annualized_carry_pct: 'number',
          structure: 'string',
          mark_price: 'number',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/perp/funding-flips',
    usd: '0.003',
    query: { ticker, hours },
    response: {
      ticker: 'string',
      hours: 'integer',
      flips_count: 'integer',
      venues_with_flips: 'integer',
      flips: [
        {
          venue: 'string',
          hour: 'timestamp',
          rate_before: 'number',
          rate_after: 'number',
          direction: 'string',
        },
      ],
    },
  },
  {
    path: '/v1/perp/funding-next',
    usd: '0.003',
    query: { ticker, venue, canonical_id: canonicalId },
    disambiguates: true,
    response: {
      venue: 'string',
      ticker: 'string',
      canonical_id: 'string',
      next_funding_time: 'timestamp',
      funding_interval_hours: 'integer',
      current_rate: 'number',
      mark_price: 'number',
      updated_at: 'timestamp',
    },
  },
  {
    path: '/v1/perp/funding-spread',
    usd: '0.001',
    query: { ticker, canonical_id: canonicalId },
    disambiguates: true,
    response: {
      ticker: 'string',
      venues_count: 'integer',
      spread: {
        ticker: 'string',
        long_venue: 'string',
        long_rate: 'number',
        short_venue: 'string',
        short_rate: 'number',
        spread_bps: 'number',
        updated_at: 'timestamp',
        short_interval_hours: 'integer',
        long_interval_hours: 'integer',
        normalized_spread_8h_bps: 'number',
        apr_spread_pct: 'number',
      },
    },
  },
  {
    path: '/v1/perp/oi-delta',
    usd: '0.003',
    query: { ticker, venue, lookback_hours: hours },
    response: {
      venue: 'string',
      ticker: 'string',
      lookback_hours: 'integer',
      current_oi: 'number',
      past_oi: 'number',
      delta_pct: 'number',
      current_ts: 'timestamp',
      past_ts: 'timestamp',
    },
    decided: { current_oi_usd: 'number', past_oi_usd: 'number', units_note: 'string' },
  },
  {
    path: '/v1/perp/oi-history',
    usd: '0.005',
    query: { ticker, venue, aggr, from: date, to: date },
    response: {
      ticker: 'string',
      venue: 'string',
      aggregation: 'string',
      window_start: 'timestamp',
      window_end: 'timestamp',
      buckets: [{ venue: 'string', bucket_start: 'timestamp', value: 'number', samples: 'integer' }],
    },
    decided: { units_note: 'string', buckets: [{ value_usd: 'number' }] },
  },
  {
    path: '/v1/perp/open-interest',
    usd: '0.001',
    query: { venue, ticker, canonical_id: canonicalId },
    disambiguates: true,
    response: {
      venue: 'string',
      ticker: 'string',
      canonical_id: 'string',
      open_interest_raw: 'number',
      mark_price: 'number',
      updated_at: 'timestamp',
      units_note: 'string',
    },
    decided: { open_interest_base: 'number', open_interest_usd: 'number' },
  },
  {
    path: '/v1/perp/oracle-families',
    usd: '0.001',
    query: { venue: { type: 'string' }, ticker: { type: 'string' } },
    decided: {
      families: [
        {
          family: 'string',
          upstream: 'string',
          description: 'string',
          venues: [
            {
              venue: 'string',
              evidence: 'string',
              source: 'string',
              correlation: 'number',
              lead_lag_ms: 'number',
              resolution_ms: 'number',
            },
          ],
        },
      ],
      venues_without_index: ['string'],
      methodology: 'string',
    },
  },
  {
    path: '/v1/perp/snapshot',
    usd: '0.005',
    query: { ticker, canonical_id: canonicalId },
    disambiguates: true,
    decided: {
      ticker: 'string',
      canonical_id: 'string',
      asset_class: 'string',
      venues_count: 'integer',
      total_open_interest_usd: 'number',
      total_volume_24h_usd: 'number',
      oi_weighted_rate_8h: 'number',
      volume_weighted_mark_price: 'number',
      venues: [
        {
          ...fundingRow,
          index_price: 'number',
          basis_bps: 'number',
          next_funding_time: 'timestamp',
          best_bid: 'number',
          best_ask: 'number',
          spread_bps: 'number',
          slippage_10k_bps: 'number',
        },
      ],
    },
  },
  {
    path: '/v1/perp/volume-24h',
    usd: '0.001',
    query: { venue, ticker, canonical_id: canonicalId },
    disambiguates: true,
    decided: {
      venue: 'string',
      ticker: 'string',
      canonical_id: 'string',
      volume_24h_raw: 'number',
      volume_24h_base: 'number',
      volume_24h_usd: 'number',
      units_note: 'string',
      mark_price: 'number',
      updated_at: 'timestamp',
    },
  },
  {
    path: '/v1/perp/volume-anomalies',
    usd: '0.003',
    query: {
      min_z: { type: 'number', default: 3 },
      limit: scanLimit,
      ticker: { type: 'string' },
      venue: { type: 'string' },
    },
    decided: {
      min_z: 'number',
      count: 'integer',
      methodology: 'string',
      anomalies: [
        {
          venue: 'string',
          ticker: 'string',
          canonical_id: 'string',
          volume_24h_usd: 'number',
          baseline_median_usd: 'number',
          baseline_mad_usd: 'number',
          z_score: 'number',
          ratio: 'number',
          direction: 'string',
          samples: 'integer',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/perp/volume-history',
    usd: '0.005',
    query: { ticker, venue, aggr, from: date, to: date },
    decided: {
      ticker: 'string',
      venue: 'string',
      aggregation: 'string',
      window_start: 'timestamp',
      window_end: 'timestamp',
      buckets: [{ venue: 'string', bucket_start: 'timestamp', value: 'number', samples: 'integer' }],
    },
  },
  {
    path: '/v1/perp/vw-spread',
    usd: '0.003',
    query: { ticker, canonical_id: canonicalId },
    disambiguates: true,
    decided: {
      ticker: 'string',
      canonical_id: 'string',
      venues_count: 'integer',
      vw_rate_8h: 'number',
      vw_mark_price: 'number',
      venues: [
        {
          venue: 'string',
          weight: 'number',
          rate_8h: 'number',
          deviation_rate_8h_bps: 'number',
          mark_price: 'number',
          deviation_price_bps: 'number',
          volume_24h_usd: 'number',
        },
      ],
      max_deviation_venue: 'string',
      min_deviation_venue: 'string',
    },
  },
  {
    path: '/v1/rwa/perp-coverage',
    usd: '0.001',
    query: { asset_class: { type: 'string' }, ticker: { type: 'string' } },
    decided: {
      count: 'integer',
      assets: [
        {
          canonical_id: 'string',
          ticker: 'string',
          asset_class: 'string',
          venues_count: 'integer',
          venues: [
            {
              venue: 'string',
              symbol: 'string',
              mark_price: 'number',
              open_interest_usd: 'number',
              volume_24h_usd: 'number',
              funding_rate: 'number',
              funding_interval_hours: 'integer',
              oracle_family: 'string',
              updated_at: 'timestamp',
            },
          ],
        },
      ],
    },
  },
];

export const FREE: readonly ContractEndpoint[] = [
  {
    path: '/v1/venues/list',
    query: {},
    response: [{ source_id: 'integer', name: 'string', type: 'string' }],
    decided: [
      {
        display_name: 'string',
        tracked_symbols: 'integer',
        funding_intervals: ['number'],
        taker_fee_bps: 'number',
        parent: 'string',
        has_index: 'boolean',
        source: 'string',
      },
    ],
  },
  {
    path: '/v1/venues/health',
    query: {},
    response: [{ status: 'string' }],
    decided: [
      {
        source_id: 'integer',
        venue: 'string',
        type: 'string',
        last_update_at: 'timestamp',
        age_seconds: 'number',
        tracked_symbols: 'integer',
        fresh_symbols: 'integer',
        books: 'integer',
        rejects_5m: 'integer',
        error_rate_5m: 'number',
        last_error: 'string',
        since: 'timestamp',
      },
    ],
  },
  {
    path: '/v1/health',
    query: {},
    decided: {
      status: 'string',
      data: 'string',
      version: 'string',
      started_at: 'timestamp',
      uptime_seconds: 'integer',
      venues: { live: 'integer', stale: 'integer', down: 'integer' },
      rows: 'integer',
      store: { ok: 'boolean', lag_seconds: 'number' },
      payments: { mode: 'string', facilitator_ok: 'boolean', settlement_proof: 'string' },
    },
  },
  {
    path: '/v1/preview/funding-signal',
    query: {},
    response: {
      preview: 'boolean',
      signal: {
        ticker: 'string',
        canonical_id: 'string',
        asset_class: 'string',
        short_venue: 'string',
        long_venue: 'string',
        gross_funding_spread_bps: 'number',
        round_trip_fee_bps: 'number',
        normalized_spread_8h_bps: 'number',
        apr_spread_pct: 'number',
        net_of_fees_positive: 'boolean',
        short_interval_hours: 'integer',
        long_interval_hours: 'integer',
        venues_count: 'integer',
        as_of: 'timestamp',
      },
      withheld_in_preview: ['string'],
      ranked_by: 'string',
      methodology: 'string',
      note: 'string',
      paid_full_endpoint: 'string',
    },
  },
  {
    path: '/v1/preview/funding-current',
    query: {},
    decided: {
      preview: 'boolean',
      rates: [{ venue: 'string', symbol: 'string', rate: 'number', updated_at: 'timestamp' }],
      delay_seconds: 'integer',
      withheld_in_preview: ['string'],
      paid_full_endpoint: 'string',
      note: 'string',
    },
  },
  {
    path: '/v1/preview/funding-current/upgrade',
    query: {},
    decided: {
      price_usd: 'string',
      accepts: [{}],
      steps: ['string'],
      example: { curl: 'string', typescript: 'string' },
    },
  },
  {
    path: '/v1/x402/discovery/resources',
    query: {
      limit: { type: 'integer', default: 100 },
      offset: { type: 'integer', default: 0 },
    },
    decided: { x402Version: 'integer', items: [{}], pagination: {} },
  },
];

/** Every endpoint of the interface. */
export const CONTRACT: readonly ContractEndpoint[] = [...PAID, ...FREE];

/** Fields of a payment requirement: each element of `accepts` in a challenge or a catalog item. */
export const PAYMENT_REQUIREMENT: Shape = {
  scheme: 'string',
  network: 'string',
  maxAmountRequired: 'string',
  resource: 'string',
  description: 'string',
  mimeType: 'string',
  payTo: 'string',
  maxTimeoutSeconds: 'integer',
  asset: 'string',
  extra: { name: 'string', version: 'string' },
  outputSchema: { input: { type: 'string', method: 'string', queryParams: {} }, output: {} },
};

/** Fields of a catalog item. */
export const CATALOG_ITEM: Shape = {
  resource: 'string',
  type: 'string',
  x402Version: 'integer',
  accepts: [PAYMENT_REQUIREMENT],
  lastUpdated: 'timestamp',
  description: 'string',
  mimeType: 'string',
  serviceName: 'string',
  tags: ['string'],
  iconUrl: 'string',
  extensions: { bazaar: { info: { input: {}, output: { type: 'string', example: {} } }, schema: {} } },
};
