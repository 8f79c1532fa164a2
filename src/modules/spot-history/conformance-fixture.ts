import { canonicalId, date, ticker, venue } from '../../../test/conformance/contract-parameters.ts';
import type { ModulePromises } from '../../../test/conformance/module-promises.ts';

const HISTORY = '/v1/spot/history';

export const promises: ModulePromises = {
  endpoints: [
    {
      path: HISTORY,
      usd: '0.005',
      query: {
        ticker,
        venue,
        canonical_id: canonicalId,
        perp_venue: { type: 'string' },
        quote: { type: 'string', enum: ['USD', 'USDT', 'USDC'] },
        from: date,
        to: date,
      },
      decided: {
        ticker: 'string',
        canonical_id: 'string',
        venue: 'string',
        venue_symbol: 'string',
        quote: 'string',
        relation: 'string',
        perp_venue: 'string',
        perp_symbol: 'string',
        window_start: 'timestamp',
        window_end: 'timestamp',
        hours_known: 'integer',
        hours_missing: 'integer',
        hours_apart: 'integer',
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
        hours: [
          {
            hour_start: 'timestamp',
            origin: 'string',
            price: 'number',
            mean_price: 'number',
            open_price: 'number',
            samples: 'integer',
            spread_bps: 'number',
            bid_usd: 'number',
            ask_usd: 'number',
            borrow_hourly: 'number',
            perp_price: 'number',
            gap_bps: 'number',
            gap_of: 'string',
          },
        ],
        note: 'string',
      },
    },
  ],
  mistakes: [
    [`${HISTORY}?symbol=BTC&venue=binance`, 'unknown_parameter', `${HISTORY}?venue=binance&ticker=BTC`],
    [`${HISTORY}?ticker=BTC&venue=binanc`, 'unknown_venue', `${HISTORY}?ticker=BTC&venue=binance`],
  ],
};
