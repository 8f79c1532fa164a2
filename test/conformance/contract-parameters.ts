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

/** Which contract a row is of. */
export const contract = { venue_symbol: 'string', quote: 'string', multiplier: 'number' } as const;
/** When the values of a row were last stated. */
export const rateAge = { rate_updated_at: 'timestamp' } as const;
export const markAge = { mark_updated_at: 'timestamp' } as const;
export const interestAge = { open_interest_updated_at: 'timestamp' } as const;

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
