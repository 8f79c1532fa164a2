import {
  canonicalId,
  contract,
  markAge,
  rateAge,
  scanLimit,
  ticker,
} from '../../../test/conformance/contract-parameters.ts';
import type { Shape } from '../../../test/conformance/contract-shape.ts';
import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const CARRY = '/v1/perp/cash-carry';
const SCAN = '/v1/perp/arbitrage/cash-carry';

const query = {
  direction: { type: 'string', enum: ['both', 'long_spot', 'short_spot'], default: 'both' },
  holding_days: { type: 'number', default: 7, minimum: 0.25, maximum: 365 },
  fees: { type: 'string' },
  spot_fees: { type: 'string' },
  notional_usd: { type: 'integer', minimum: 100, maximum: 250_000 },
  venues: { type: 'string' },
  exclude: { type: 'string' },
  quote: { type: 'string' },
} as const;

const pair = {
  direction: 'string',
  spot_venue: 'string',
  spot_symbol: 'string',
  spot_quote: 'string',
  perp_venue: 'string',
  perp_symbol: 'string',
  perp_quote: 'string',
  same_venue: 'boolean',
  relation: 'string',
  index_difference_bps: 'number',
  price_warning: 'boolean',
  gap: {
    executable_bps: 'number',
    priced_at: 'string',
    spot_price: 'number',
    perp_price: 'number',
    price_quote: 'string',
    quote_rate: 'number',
    level_bps: 'number',
    cost_bps: 'number',
    cost_from: 'string',
  },
  funding_8h_bps: 'number',
  funding_apr_pct: 'number',
  income_8h_bps: 'number',
  income_apr_pct: 'number',
  spot_taker_fee_bps: 'number',
  perp_taker_fee_bps: 'number',
  round_trip_fee_bps: 'number',
  spot_slippage_bps: 'number',
  perp_slippage_bps: 'number',
  entry_slippage_bps: 'number',
  all_in_cost_bps: 'number',
  cost_8h_bps: 'number',
  days_to_breakeven: 'number',
  net_apr_pct: 'number',
  all_in_net_apr_pct: 'number',
  unknown: ['string'],
} as const satisfies Shape;

const coverage = {
  venues_listed: 'integer',
  venues_considered: 'integer',
  venues_not_live: ['string'],
} as const satisfies Shape;

export const promises: ModulePromises = {
  endpoints: [
    {
      path: CARRY,
      usd: '0.005',
      query: {
        ticker,
        canonical_id: canonicalId,
        ...query,
        limit: { type: 'integer', default: 20, maximum: 100 },
      },
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        holding_days: 'number',
        ...coverage,
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
        pairs_count: 'integer',
        pairs_total: 'integer',
        pairs_apart: 'integer',
        pairs: [
          {
            ...pair,
            usual_gap: [
              {
                days: 'integer',
                hours: 'integer',
                hours_apart: 'integer',
                mean_bps: 'number',
                lowest_bps: 'number',
                highest_bps: 'number',
              },
            ],
            max_notional_usd: 'integer',
            visible_usd: 'number',
            depth_class: 'string',
          },
        ],
        spot_markets: [
          {
            venue: 'string',
            venue_symbol: 'string',
            quote: 'string',
            relation: 'string',
            price: 'number',
            best_bid: 'number',
            best_ask: 'number',
            book: 'string',
            book_updated_at: 'timestamp',
            visible_usd: 'number',
            taker_fee_bps: 'number',
            volume_24h_usd: 'number',
            can_short: 'boolean',
            borrow_hourly: 'number',
            borrow_apr_pct: 'number',
            borrow_reason: 'string',
            borrow_limit: 'number',
            borrow_received_at: 'timestamp',
            received_at: 'timestamp',
          },
        ],
        perps: [
          {
            venue: 'string',
            ...contract,
            rate: 'number',
            funding_interval_hours: 'integer',
            rate_8h: 'number',
            mark_price: 'number',
            ...rateAge,
            ...markAge,
            index_price: 'number',
            open_interest_usd: 'number',
            taker_fee_bps: 'number',
            best_bid: 'number',
            best_ask: 'number',
            book_updated_at: 'timestamp',
            visible_usd: 'number',
            settled_means: {
              rate_8h_1d: 'number',
              rate_8h_7d: 'number',
              rate_8h_30d: 'number',
              last_payment_at: 'timestamp',
            },
            settled_hours: { d1: 'integer', d7: 'integer', d30: 'integer' },
          },
        ],
        methodology: 'string',
      },
    },
    {
      path: SCAN,
      usd: '0.005',
      query: {
        ...query,
        symbol: { type: 'string' },
        min_open_interest_usd: { type: 'number', default: 0, minimum: 0 },
        limit: scanLimit,
      },
      decided: {
        count: 'integer',
        ...coverage,
        holding_days: 'number',
        assessed: 'integer',
        unassessed: {
          no_spot: 'integer',
          too_small: 'integer',
          apart: 'integer',
          input_unknown: 'integer',
          beyond_borrow_limit: 'integer',
        },
        methodology: 'string',
        opportunities: [
          {
            ticker: 'string',
            canonical_id: 'string',
            ...pair,
            touch_usd: 'number',
            perp_open_interest_usd: 'number',
            perp_volume_24h_usd: 'number',
            spot_volume_24h_usd: 'number',
            updated_at: 'timestamp',
          },
        ],
      },
    },
  ],
  mistakes: [
    [`${CARRY}?ticker=BTC&hold_days=3`, 'unknown_parameter', `${CARRY}?ticker=BTC&holding_days=3`],
    [`${SCAN}?min_open_interest=5`, 'unknown_parameter', `${SCAN}?min_open_interest_usd=5`],
  ],
};
