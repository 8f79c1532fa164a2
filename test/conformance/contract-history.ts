import { canonicalId, myFees, rateLeg, ticker } from './contract-parameters.ts';
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
    query: {
      ticker,
      canonical_id: canonicalId,
      short: { type: 'string' },
      long: { type: 'string' },
      ...myFees,
    },
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
];
