import { FREE_ANSWERS } from './contract-free-answers.ts';
import type { ContractEndpoint } from './contract-shape.ts';

/** Parameters of the form of a report. */
const FORM: ContractEndpoint['query'] = {
  format: { type: 'string', enum: ['json', 'csv'], default: 'json' },
  time: { type: 'string', enum: ['iso', 'excel', 'epoch_ms'], default: 'iso' },
};

/** Parameters of reports on the quality of the data over a window. */
const REPORT: ContractEndpoint['query'] = {
  venue: { type: 'string' },
  from: { type: 'date-time' },
  to: { type: 'date-time' },
  ...FORM,
};

/** The comparison that lies furthest apart. */
const WORST = {
  venue_symbol: 'string',
  way: 'string',
  at: 'timestamp',
  shown: 'number',
  second: 'number',
  difference: 'number',
  tolerance: 'number',
} as const;

/** Free endpoints. */
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
    path: '/v1/data-quality/accuracy',
    query: REPORT,
    decided: {
      from: 'timestamp',
      to: 'timestamp',
      fields: [
        {
          venue: 'string',
          field: 'string',
          compared: 'integer',
          agreed: 'integer',
          median_difference: 'number',
          p99_difference: 'number',
          worst: WORST,
          difference_unit: 'string',
          no_second_way: 'string',
        },
      ],
      settled_against_shown: [
        {
          venue: 'string',
          before: 'string',
          payments: 'integer',
          agreed: 'integer',
          median_difference: 'number',
          p99_difference: 'number',
          worst: WORST,
        },
      ],
      venues: [{ venue: 'string', ways: ['string'], missing: 'string' }],
    },
  },
  {
    path: '/v1/data-quality/latency',
    query: REPORT,
    decided: {
      from: 'timestamp',
      to: 'timestamp',
      ages: [
        {
          venue: 'string',
          field: 'string',
          values: 'integer',
          p50_seconds: 'number',
          p90_seconds: 'number',
          p99_seconds: 'number',
        },
      ],
    },
  },
  {
    path: '/v1/data-quality/summary',
    query: { venue: { type: 'string' }, ...FORM },
    decided: {
      count: 'integer',
      rule: 'string',
      venues: [
        {
          venue: 'string',
          grade: 'string',
          reasons: ['string'],
          status: 'string',
          contracts: 'integer',
          suspect: 'integer',
          open_incidents: 'integer',
          marks_pct: 'number',
          rates_pct: 'number',
          predictions_compared: 'integer',
          predictions_met_pct: 'number',
        },
      ],
    },
  },
  {
    path: '/v1/data-quality/coverage',
    query: REPORT,
    decided: {
      from: 'timestamp',
      to: 'timestamp',
      count: 'integer',
      coverage: [
        {
          day: 'string',
          venue: 'string',
          metric: 'string',
          contracts: 'integer',
          served: 'integer',
          sampled_pct: 'number',
        },
      ],
    },
  },
  {
    path: '/v1/data-quality/gaps',
    query: REPORT,
    decided: {
      from: 'timestamp',
      to: 'timestamp',
      count: 'integer',
      gaps: [{ venue: 'string', start: 'timestamp', end: 'timestamp', minutes: 'integer', reason: 'string' }],
    },
  },
  {
    path: '/v1/data-quality/units',
    query: { venue: { type: 'string' }, ...FORM },
    decided: {
      count: 'integer',
      units: [
        {
          venue: 'string',
          field: 'string',
          unit: 'string',
          sides: 'string',
          source: 'string',
          evidence: 'string',
          date: 'string',
          confidence: 'string',
        },
      ],
    },
  },
  {
    path: '/v1/data-quality/incidents',
    query: {
      ...REPORT,
      limit: { type: 'integer', minimum: 1, maximum: 2000, default: 1000 },
      offset: { type: 'integer', minimum: 0, default: 0 },
    },
    decided: {
      from: 'timestamp',
      to: 'timestamp',
      count: 'integer',
      open: 'integer',
      limit: 'integer',
      offset: 'integer',
      has_more: 'boolean',
      incidents: [
        {
          id: 'integer',
          rule: 'string',
          venue: 'string',
          field: 'string',
          venue_symbol: 'string',
          start: 'timestamp',
          end: 'timestamp',
          evidence: 'string',
          annotations: ['string'],
        },
      ],
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
  ...FREE_ANSWERS,
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
