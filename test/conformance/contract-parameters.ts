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

/** Fees of the buyer, where they count. */
export const myFees = { fees: { type: 'string' }, maker: { type: 'string' } } as const;

/** Fields that name a row's contract. */
export const contract = { venue_symbol: 'string', quote: 'string', multiplier: 'number' } as const;
/** When the values of a row were last stated. */
export const rateAge = { rate_updated_at: 'timestamp' } as const;
export const markAge = { mark_updated_at: 'timestamp' } as const;
export const interestAge = { open_interest_updated_at: 'timestamp' } as const;

/** Decided: what taking costs with the fee. */
export const takingCost = { ...contract, taker_fee_bps: 'number', all_in_bps: 'number' } as const;

/** Decided: an end of a spread of rates. */
export const rateLeg = {
  venue: 'string',
  ...contract,
  rate: 'number',
  funding_interval_hours: 'integer',
  rate_8h: 'number',
  mark_price: 'number',
  ...rateAge,
  ...markAge,
} as const satisfies Shape;

export const fundingLegs = (short: string, long: string): Readonly<Record<string, Shape>> => ({
  [short]: rateLeg,
  [long]: rateLeg,
});

/** Decided: the best pair by eight-hour rates. */
export const normalizedSpread = {
  spread_8h_bps: 'number',
  apr_spread_pct: 'number',
  short: rateLeg,
  long: rateLeg,
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
  ...contract,
  ...rateAge,
  ...markAge,
  ...interestAge,
} as const satisfies Shape;
