import { canonicalId, rateLeg, ticker, venue } from './contract-parameters.ts';
import type { ContractEndpoint, Shape } from './contract-shape.ts';

/** Fields that compare the present with the past: added to the interface. */

const windows = [
  {
    days: 'integer',
    coverage_pct: 'number',
    percentile: 'number',
    mean_8h_bps: 'number',
    median_8h_bps: 'number',
    deviation_8h_bps: 'number',
    positive_pct: 'number',
  },
] as const satisfies Shape;

const money = {
  short_funding_usd: 'number',
  long_funding_usd: 'number',
  fees_usd: 'number',
  slippage_usd: 'number',
  price_usd: 'number',
  net_usd: 'number',
} as const satisfies Shape;

const leg = {
  venue: 'string',
  venue_symbol: 'string',
  taker_fee_bps: 'number',
  fee_is_asked: 'boolean',
  payments: 'integer',
  hours_with_book: 'integer',
} as const satisfies Shape;

export const PAST: readonly ContractEndpoint[] = [
  {
    path: '/v1/perp/funding-stats',
    usd: '0.005',
    query: { ticker, canonical_id: canonicalId, venue: { type: 'string' } },
    disambiguates: true,
    decided: {
      ticker: 'string',
      canonical_id: 'string',
      venues_count: 'integer',
      venues: [
        {
          ...rateLeg,
          payments: 'integer',
          last_payment_at: 'timestamp',
          windows,
          streak: { sign: 'string', payments: 'integer', since: 'timestamp' },
          half_life_hours: 'number',
        },
      ],
      methodology: 'string',
    },
  },
  {
    path: '/v1/perp/spread-stats',
    usd: '0.005',
    query: { ticker, canonical_id: canonicalId, short: { type: 'string' }, long: { type: 'string' } },
    disambiguates: true,
    decided: {
      ticker: 'string',
      canonical_id: 'string',
      short: rateLeg,
      long: rateLeg,
      spread_8h_bps: 'number',
      round_trip_fee_bps: 'number',
      windows,
      half_life_hours: 'number',
      episodes: 'integer',
      median_duration_hours: 'number',
      p90_duration_hours: 'number',
      present_duration_hours: 'integer',
      held: [
        {
          days: 'integer',
          entries: 'integer',
          paid: 'integer',
          paid_pct: 'number',
          median_earned_bps: 'number',
        },
      ],
      updated_at: 'timestamp',
      methodology: 'string',
    },
  },
  {
    path: '/v1/perp/funding-heatmap',
    usd: '0.010',
    query: {
      step: { type: 'string', enum: ['1h', '1d'], default: '1d' },
      from: { type: 'date-time' },
      to: { type: 'date-time' },
      venue: { type: 'string' },
      limit: { type: 'integer', default: 20, maximum: 50 },
      as_of: { type: 'date-time' },
    },
    decided: {
      of: 'string',
      venue: 'string',
      step: 'string',
      columns: ['timestamp'],
      assets_count: 'integer',
      assets: [
        {
          ticker: 'string',
          canonical_id: 'string',
          open_interest_usd: 'number',
          values_8h_bps: ['number'],
          'short_venues?': ['string'],
          'long_venues?': ['string'],
        },
      ],
      note: 'string',
    },
  },
  {
    path: '/v1/backtest/pair',
    usd: '0.05',
    query: {
      ticker,
      short: venue,
      long: venue,
      from: { type: 'date-time', required: true },
      to: { type: 'date-time', required: true },
      enter_bps: { type: 'number', default: 5 },
      exit_bps: { type: 'number', default: 0 },
      max_hold_hours: { type: 'integer', default: 168 },
      size_usd: { type: 'integer', default: 10_000 },
      leverage: { type: 'number', default: 1 },
      fee_bps: { type: 'number' },
      assumed_slippage_bps: { type: 'number' },
      as_of: { type: 'date-time' },
    },
    decided: {
      ticker: 'string',
      canonical_id: 'string',
      from_ts: 'timestamp',
      to_ts: 'timestamp',
      short: leg,
      long: leg,
      size_usd: 'integer',
      capital_usd: 'number',
      trades_count: 'integer',
      won: 'integer',
      unknown: 'integer',
      hit_rate_pct: 'number',
      hours_held: 'integer',
      ...money,
      return_pct: 'number',
      max_drawdown_usd: 'number',
      trades: [
        {
          opened_at: 'timestamp',
          closed_at: 'timestamp',
          left: 'string',
          entry_spread_8h_bps: 'number',
          exit_spread_8h_bps: 'number',
          ...money,
          assumed_fills: 'integer',
        },
      ],
      days: [{ date: 'string', ...money, cumulative_usd: 'number' }],
      methodology: 'string',
    },
  },
];
