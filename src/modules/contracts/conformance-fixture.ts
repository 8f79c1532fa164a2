import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const CONTRACTS = '/v1/contracts';

export const promises: ModulePromises = {
  endpoints: [
    {
      path: CONTRACTS,
      usd: '0.002',
      query: { venue: { type: 'string' }, ticker: { type: 'string' }, as_of: { type: 'date-time' } },
      decided: {
        as_of: 'timestamp',
        count: 'integer',
        contracts: [
          {
            venue: 'string',
            venue_symbol: 'string',
            ticker: 'string',
            canonical_id: 'string',
            asset_class: 'string',
            aliases: ['string'],
            base: 'string',
            quote: 'string',
            settle: 'string',
            multiplier: 'number',
            taker_fee_bps: 'number',
            funding_interval_hours: 'integer',
            contract_size: 'number',
            tick: 'number',
            price_significant_digits: 'integer',
            lot: 'number',
            min_size: 'number',
            min_notional_usd: 'number',
            min_order_base: 'number',
            min_order_usd: 'number',
            max_leverage: 'number',
            initial_margin_fraction: 'number',
            maintenance_margin_fraction: 'number',
            funding_cap: 'number',
            funding_floor: 'number',
            position_limit_base: 'number',
            position_limit_usd: 'number',
            open_interest_limit_base: 'number',
            open_interest_limit_usd: 'number',
            trading_hours: 'string',
            listed_at: 'timestamp',
            delists_at: 'timestamp',
            first_seen_at: 'timestamp',
            last_seen_at: 'timestamp',
          },
        ],
        note: 'string',
      },
    },
  ],
  mistakes: [
    [`${CONTRACTS}?exchange=binance`, 'unknown_parameter', `${CONTRACTS}?venue=binance`],
    [`${CONTRACTS}?venue=binanec`, 'unknown_venue', `${CONTRACTS}?venue=binance`],
  ],
};
