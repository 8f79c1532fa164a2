import { canonicalId, ticker } from '../../../test/conformance/contract-parameters.ts';
import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

export const promises: ModulePromises = {
  endpoints: [
    {
      path: '/v1/perp/funding-forecast',
      usd: '0.003',
      query: {
        ticker,
        canonical_id: canonicalId,
        venue: { type: 'string' },
        days: { type: 'integer', minimum: 1, maximum: 30, default: 7 },
        latest: { type: 'integer', default: 3, maximum: 168 },
        as_of: { type: 'date-time' },
      },
      disambiguates: true,
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        window_start: 'timestamp',
        window_end: 'timestamp',
        venues_count: 'integer',
        venues_without_settlement: ['string'],
        venues: [
          {
            venue: 'string',
            venue_symbol: 'string',
            settlements: 'integer',
            first_settled_at: 'timestamp',
            last_settled_at: 'timestamp',
            forecasts: [
              {
                minutes_before: 'integer',
                compared: 'integer',
                coverage_pct: 'number',
                mean_error_bps: 'number',
                mean_absolute_error_bps: 'number',
                mean_error_8h_bps: 'number',
                mean_absolute_error_8h_bps: 'number',
              },
            ],
            latest: [
              {
                settled_at: 'timestamp',
                paid_rate: 'number',
                funding_interval_hours: 'number',
                shown: [
                  {
                    minutes_before: 'integer',
                    at: 'timestamp',
                    rate: 'number',
                    error_bps: 'number',
                    reason: 'string',
                  },
                ],
              },
            ],
          },
        ],
        methodology: 'string',
      },
    },
  ],
};
