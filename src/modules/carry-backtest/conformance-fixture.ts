import { ticker, venue } from '../../../test/conformance/contract-parameters.ts';
import type { Shape } from '../../../test/conformance/contract-shape.ts';
import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const money = {
  funding_usd: 'number',
  borrow_usd: 'number',
  fees_usd: 'number',
  slippage_usd: 'number',
  price_usd: 'number',
  net_usd: 'number',
} as const satisfies Shape;

const fills = {
  book_fills: 'integer',
  touch_fills: 'integer',
  thin_touch_fills: 'integer',
  assumed_fills: 'integer',
} as const satisfies Shape;

const CARRY = '/v1/backtest/carry?ticker=BTC&spot=binance&perp=okx&from=2026-11-19&to=2026-11-20';

export const promises: ModulePromises = {
  endpoints: [
    {
      path: '/v1/backtest/carry',
      usd: '0.05',
      query: {
        ticker,
        spot: venue,
        perp: venue,
        from: { type: 'date-time', required: true },
        to: { type: 'date-time', required: true },
        direction: { type: 'string', enum: ['long_spot', 'short_spot'], default: 'long_spot' },
        enter_bps: { type: 'number', default: 5 },
        exit_bps: { type: 'number', default: 0 },
        max_hold_hours: { type: 'integer', default: 168 },
        size_usd: { type: 'integer', default: 10_000 },
        leverage: { type: 'number', default: 1 },
        spot_fee_bps: { type: 'number' },
        fees: { type: 'string' },
        assumed_slippage_bps: { type: 'number' },
        assumed_borrow_apr_pct: { type: 'number' },
      },
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        from_ts: 'timestamp',
        to_ts: 'timestamp',
        direction: 'string',
        spot: {
          venue: 'string',
          venue_symbol: 'string',
          quote: 'string',
          relation: 'string',
          taker_fee_bps: 'number',
          fee_is_asked: 'boolean',
          hours_known: 'integer',
          hours_missing: 'integer',
          hours_apart: 'integer',
          hours_of_candles: 'integer',
          hours_with_touch: 'integer',
          hours_with_borrow: 'integer',
        },
        perp: {
          venue: 'string',
          venue_symbol: 'string',
          taker_fee_bps: 'number',
          fee_is_asked: 'boolean',
          payments: 'integer',
          missing_payments: 'integer',
          hours_known: 'integer',
          hours_with_book: 'integer',
        },
        size_usd: 'integer',
        capital_usd: 'number',
        trades_count: 'integer',
        won: 'integer',
        unknown: 'integer',
        hit_rate_pct: 'number',
        hours_held: 'integer',
        skipped_entries: 'integer',
        postponed_exits: 'integer',
        ...money,
        ...fills,
        return_pct: 'number',
        max_drawdown_usd: 'number',
        trades: [
          {
            opened_at: 'timestamp',
            closed_at: 'timestamp',
            left: 'string',
            postponed_hours: 'integer',
            entry_carry_8h_bps: 'number',
            exit_carry_8h_bps: 'number',
            entry_price_of: 'string',
            exit_price_of: 'string',
            ...money,
            ...fills,
            missing_payments: 'integer',
            missing_borrow_hours: 'integer',
          },
        ],
        days: [{ date: 'string', ...money, cumulative_usd: 'number' }],
        methodology: 'string',
      },
    },
  ],
  mistakes: [[`${CARRY}&size_usd=50000`, 'invalid_parameter', `${CARRY}&size_usd=10000`]],
};
