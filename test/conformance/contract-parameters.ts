/** Parameters and rows that several endpoints of the published interface share. */

import type { Shape } from './contract-shape.ts';

export const AGGREGATIONS = ['1h', '4h', '1d'] as const;
export const SIZES = [1000, 5000, 10_000] as const;

export const ticker = { type: 'string', required: true } as const;
export const venue = { type: 'string', required: true } as const;
export const canonicalId = { type: 'string' } as const;
export const aggr = { type: 'string', enum: AGGREGATIONS, default: '1h' } as const;
export const date = { type: 'date-time' } as const;
export const size = { type: 'integer', enum: SIZES, default: 10_000 } as const;
export const scanLimit = { type: 'integer', default: 50, maximum: 100 } as const;
export const hours = { type: 'integer', default: 24, maximum: 168 } as const;

export const side = { type: 'string', enum: ['buy', 'sell', 'worse'], default: 'worse' } as const;
export const rankBy = { type: 'string', enum: ['slippage', 'all_in'], default: 'slippage' } as const;

/** Decided: every row that comes from one contract names it. */
export const contractName = {
  venue_symbol: 'string',
  quote: 'string',
  multiplier: 'number',
} as const satisfies Shape;

/** Decided: what taking costs with the fee. */
export const takingCost = {
  ...contractName,
  taker_fee_bps: 'number',
  all_in_bps: 'number',
} as const satisfies Shape;

/** Decided: an end of a funding spread. */
const fundingLeg = {
  venue: 'string',
  ...contractName,
  rate: 'number',
  funding_interval_hours: 'integer',
  rate_8h: 'number',
} as const satisfies Shape;

export const fundingLegs = (short: string, long: string): Readonly<Record<string, Shape>> => ({
  [short]: fundingLeg,
  [long]: fundingLeg,
});

/** Decided: the best pair by eight-hour rates. */
export const normalizedSpread = {
  spread_8h_bps: 'number',
  apr_spread_pct: 'number',
  short: fundingLeg,
  long: fundingLeg,
  updated_at: 'timestamp',
} as const satisfies Shape;

export const fundingRow = {
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
