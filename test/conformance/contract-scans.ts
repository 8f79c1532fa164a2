import {
  canonicalId,
  contractName,
  fundingLegs,
  hours,
  normalizedSpread,
  scanLimit,
  ticker,
  venue,
} from './contract-parameters.ts';
import type { ContractEndpoint } from './contract-shape.ts';

/** Scans over venues, carry and the next settlement. */
export const SCANS: readonly ContractEndpoint[] = [
  {
    path: '/v1/perp/arbitrage/funding',
    usd: '0.003',
    query: {
      min_diff: { type: 'number', default: 0.0001 },
      limit: scanLimit,
      sort: { type: 'string', enum: ['raw', 'normalized'], default: 'raw' },
    },
    decided: {
      sort: 'string',
      opportunities: [{ ...fundingLegs('max_leg', 'min_leg'), normalized: normalizedSpread }],
    },
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
      holding_days: { type: 'number', default: 7 },
    },
    response: {
      count: 'integer',
      methodology: 'string',
      assessed: 'integer',
      holding_days: 'number',
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
    decided: {
      quote_rates: {
        unit: 'string',
        rates: [
          {
            quote: 'string',
            rate: 'number',
            samples: 'integer',
            venues: ['string'],
            updated_at: 'timestamp',
          },
        ],
      },
      opportunities: [
        {
          price_quote: 'string',
          quote_adjusted: 'boolean',
          max_leg: { venue: 'string', ...contractName, mark_price: 'number' },
          min_leg: { venue: 'string', ...contractName, mark_price: 'number' },
        },
      ],
    },
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
    decided: { spread: fundingLegs('short', 'long'), normalized: normalizedSpread },
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
];
