import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const CURRENT = '/v1/spot/current';
const BORROW = '/v1/spot/borrow';
const DEPTH = '/v1/spot/depth';

const QUERY = {
  ticker: { type: 'string', required: true },
  canonical_id: { type: 'string' },
} as const;

export const promises: ModulePromises = {
  endpoints: [
    {
      path: CURRENT,
      usd: '0.001',
      query: QUERY,
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        index_price: 'number',
        markets_count: 'integer',
        markets_apart: 'integer',
        markets: [
          {
            venue: 'string',
            venue_symbol: 'string',
            base: 'string',
            quote: 'string',
            relation: 'string',
            best_bid: 'number',
            best_bid_size: 'number',
            best_ask: 'number',
            best_ask_size: 'number',
            touch_reason: 'string',
            mid_price: 'number',
            last_price: 'number',
            spread_bps: 'number',
            index_difference_bps: 'number',
            volume_24h_base: 'number',
            volume_24h_usd: 'number',
            taker_fee_bps: 'number',
            tick: 'number',
            lot: 'number',
            min_size: 'number',
            min_notional_usd: 'number',
            can_short: 'boolean',
            venue_time: 'timestamp',
            received_at: 'timestamp',
          },
        ],
        note: 'string',
      },
    },
    {
      path: BORROW,
      usd: '0.002',
      query: QUERY,
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        rates_count: 'integer',
        venues: [
          {
            venue: 'string',
            borrow_hourly: 'number',
            borrow_apr_pct: 'number',
            reason: 'string',
            venue_rate: 'number',
            venue_rate_period: 'string',
            tier: 'string',
            limit: 'number',
            limit_usd: 'number',
            available: 'number',
            mean_24h_hourly: 'number',
            samples_24h: 'integer',
            mean_7d_hourly: 'number',
            samples_7d: 'integer',
            received_at: 'timestamp',
          },
        ],
        note: 'string',
      },
    },
    {
      path: DEPTH,
      usd: '0.003',
      query: {
        ...QUERY,
        notional_usd: { type: 'integer', minimum: 100, maximum: 250_000 },
        venues: { type: 'string' },
        exclude: { type: 'string' },
        quote: { type: 'string' },
      },
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        markets_count: 'integer',
        books_count: 'integer',
        markets: [
          {
            venue: 'string',
            venue_symbol: 'string',
            quote: 'string',
            relation: 'string',
            book: 'string',
            best_bid: 'number',
            best_ask: 'number',
            mid_price: 'number',
            spread_bps: 'number',
            bid_depth_usd: 'number',
            ask_depth_usd: 'number',
            max_notional_usd: 'number',
            fills: [
              {
                usd: 'integer',
                buy_price: 'number',
                sell_price: 'number',
                buy_slippage_bps: 'number',
                sell_slippage_bps: 'number',
              },
            ],
            updated_at: 'timestamp',
          },
        ],
        note: 'string',
      },
    },
  ],
  mistakes: [
    [`${CURRENT}?coin=BTC`, 'unknown_parameter', `${CURRENT}?ticker=BTC`],
    [`${BORROW}?symbol=BTC`, 'unknown_parameter', `${BORROW}?ticker=BTC`],
    [`${DEPTH}?symbol=BTC`, 'unknown_parameter', `${DEPTH}?ticker=BTC`],
  ],
};
