import {
  AGGREGATIONS,
  aggr,
  contract,
  date,
  fundingRow,
  markAge,
  rateAge,
  ticker,
  venue,
} from './contract-parameters.ts';
import type { ContractEndpoint } from './contract-shape.ts';

/** Backtest data and funding. */
export const FUNDING: readonly ContractEndpoint[] = [
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
      venue: { type: 'string' },
      asset_class: { type: 'string' },
      sort: { type: 'string' },
      fresh: { type: 'boolean', default: false },
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
      max_contract: { ...contract, ...rateAge, ...markAge },
      min_contract: { ...contract, ...rateAge, ...markAge },
    },
  },
];
