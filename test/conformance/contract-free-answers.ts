import type { ContractEndpoint } from './contract-shape.ts';

/** Free answers about the whole market: its assets, and its rates of some time ago. */
export const FREE_ANSWERS: readonly ContractEndpoint[] = [
  {
    path: '/v1/assets',
    query: { q: { type: 'string' } },
    decided: {
      assets: [
        {
          canonical_id: 'string',
          ticker: 'string',
          asset_class: 'string',
          names: ['string'],
          aliases: ['string'],
          venues: ['string'],
        },
      ],
      total: 'integer',
    },
  },
  {
    path: '/v1/free/matrix',
    query: { limit: { type: 'integer', default: 5000 } },
    decided: {
      assets: [
        {
          canonical_id: 'string',
          ticker: 'string',
          asset_class: 'string',
          open_interest: 'number',
          cells: [
            {
              venue: 'string',
              rate: 'number',
              rate_8h: 'number',
              funding_interval_hours: 'integer',
              open_interest: 'number',
              volume_24h: 'number',
            },
          ],
        },
      ],
      total: 'integer',
      as_of: 'timestamp',
      delay_seconds: 'integer',
      paid_full_endpoint: 'string',
      note: 'string',
    },
  },
  {
    path: '/v1/free/pair',
    query: {},
    decided: {
      pair: {
        ticker: 'string',
        canonical_id: 'string',
        short: { venue: 'string', venue_symbol: 'string', rate_8h: 'number' },
        long: { venue: 'string', venue_symbol: 'string', rate_8h: 'number' },
        spread_8h_bps: 'number',
        round_trip_fee_bps: 'number',
      },
      as_of: 'timestamp',
      delay_seconds: 'integer',
      min_open_interest_usd: 'number',
      paid_full_endpoint: 'string',
      note: 'string',
    },
  },
];
