import { myFees, ticker, venue } from '../../../test/conformance/contract-parameters.ts';
import type { Shape } from '../../../test/conformance/contract-shape.ts';
import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const money = {
  short_funding_usd: 'number',
  long_funding_usd: 'number',
  fees_usd: 'number',
  slippage_usd: 'number',
  price_usd: 'number',
  net_usd: 'number',
} as const satisfies Shape;

const leg = {
  venue: 'string',
  venue_symbol: 'string',
  taker_fee_bps: 'number',
  fee_is_asked: 'boolean',
  payments: 'integer',
  hours_with_book: 'integer',
} as const satisfies Shape;

const PAIR = '/v1/backtest/pair?ticker=BTC&long=binance&short=okx&from=2026-11-19&to=2026-11-20';

export const promises: ModulePromises = {
  endpoints: [
    {
      path: '/v1/backtest/pair',
      usd: '0.05',
      query: {
        ticker,
        short: venue,
        long: venue,
        from: { type: 'date-time', required: true },
        to: { type: 'date-time', required: true },
        enter_bps: { type: 'number', default: 5 },
        exit_bps: { type: 'number', default: 0 },
        max_hold_hours: { type: 'integer', default: 168 },
        size_usd: { type: 'integer', default: 10_000 },
        leverage: { type: 'number', default: 1 },
        fee_bps: { type: 'number' },
        ...myFees,
        assumed_slippage_bps: { type: 'number' },
        as_of: { type: 'date-time' },
      },
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        from_ts: 'timestamp',
        to_ts: 'timestamp',
        short: leg,
        long: leg,
        size_usd: 'integer',
        capital_usd: 'number',
        trades_count: 'integer',
        won: 'integer',
        unknown: 'integer',
        hit_rate_pct: 'number',
        hours_held: 'integer',
        left_while_paying: 'integer',
        ...money,
        return_pct: 'number',
        max_drawdown_usd: 'number',
        trades: [
          {
            opened_at: 'timestamp',
            closed_at: 'timestamp',
            left: 'string',
            entry_spread_8h_bps: 'number',
            exit_spread_8h_bps: 'number',
            left_while_paying: 'boolean',
            ...money,
            assumed_fills: 'integer',
          },
        ],
        days: [{ date: 'string', ...money, cumulative_usd: 'number' }],
        methodology: 'string',
      },
    },
  ],
  mistakes: [
    [
      '/v1/backtest/pair?ticker=BTC&long_venue=binance&short_venue=okx&size_usd=50000&from=2026-11-19&to=2026-11-20',
      'unknown_parameter',
      '/v1/backtest/pair?ticker=BTC&size_usd=10000&from=2026-11-19&to=2026-11-20&long=binance&short=okx',
    ],
    [`${PAIR}&size_usd=50000`, 'invalid_parameter', `${PAIR}&size_usd=10000`],
  ],
};
