import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const CALENDAR = '/v1/perp/calendar';

const VALUES = {
  'state?': 'string',
  'venue_symbol?': 'string',
  'ticker?': 'string',
  'listed_at?': 'timestamp',
  'delists_at?': 'timestamp',
  'funding_interval_hours?': 'number',
  'taker_fee_bps?': 'number',
  'funding_cap?': 'number',
  'funding_floor?': 'number',
} as const;

export const promises: ModulePromises = {
  endpoints: [
    {
      path: CALENDAR,
      usd: '0.002',
      query: {
        venue: { type: 'string' },
        ticker: { type: 'string' },
        kind: { type: 'string' },
        from: { type: 'date-time' },
        to: { type: 'date-time' },
        limit: { type: 'integer', minimum: 1, default: 100, maximum: 1000 },
        cursor: { type: 'string' },
      },
      decided: {
        from: 'timestamp',
        to: 'timestamp',
        count: 'integer',
        has_more: 'boolean',
        next_cursor: 'string',
        events: [
          {
            id: 'integer',
            venue: 'string',
            venue_symbol: 'string',
            ticker: 'string',
            canonical_id: 'string',
            kind: 'string',
            source: 'string',
            time: 'timestamp',
            seen_at: 'timestamp',
            unseen_at: 'timestamp',
            announced_for: 'timestamp',
            announced_reason: 'string',
            before: VALUES,
            after: VALUES,
          },
        ],
        watched: [{ venue: 'string', watched_since: 'timestamp', last_list_at: 'timestamp' }],
        note: 'string',
      },
    },
  ],
  mistakes: [
    [`${CALENDAR}?exchange=binance`, 'unknown_parameter', `${CALENDAR}?venue=binance`],
    [`${CALENDAR}?venue=binanec`, 'unknown_venue', `${CALENDAR}?venue=binance`],
  ],
};
