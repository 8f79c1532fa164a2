import type { VenueId } from '../../../domain/venue.ts';
import { HOUR_MS, SECOND_MS } from '../../../runtime/duration.ts';
import type { PlannedCall } from '../../spot-market/plan/spot-plan.ts';

/** A venue's call for candles of one hour. */
export interface CandlePlan {
  readonly venue: VenueId;
  /** Candles that one answer has at most. */
  readonly candles: number;
  /** The call for a market's candles from one moment to another, ms, both on the hour; the end not included. */
  readonly of: (symbol: string, from: number, to: number) => PlannedCall;
}

type Query = Readonly<Record<string, string | number>>;

const at = (path: string, query: Query, weight?: number): PlannedCall => ({
  path: `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
  ...(weight !== undefined && { weight }),
});

/** Hyperliquid counts one more of weight for so many candles of an answer. */
const CANDLES_A_WEIGHT = 60;

/** The documented public calls; the formats and limits are those that docs/spot.md names. */
export const CANDLE_PLANS: readonly CandlePlan[] = [
  {
    venue: 'binance',
    candles: 1000,
    of: (symbol, from, to) =>
      at('/api/v3/klines', { symbol, interval: '1h', startTime: from, endTime: to - 1, limit: 1000 }, 2),
  },
  {
    venue: 'bitget',
    candles: 200,
    // The end alone is taken: the candles before it.
    of: (symbol, _, to) =>
      at('/api/v2/spot/market/history-candles', { symbol, granularity: '1h', endTime: to, limit: 200 }),
  },
  {
    venue: 'bybit',
    candles: 1000,
    of: (symbol, from, to) =>
      at('/v5/market/kline', {
        category: 'spot',
        symbol,
        interval: 60,
        start: from,
        end: to - 1,
        limit: 1000,
      }),
  },
  {
    venue: 'gate',
    candles: 999,
    of: (symbol, from, to) =>
      at('/api/v4/spot/candlesticks', {
        currency_pair: symbol,
        interval: '1h',
        from: from / SECOND_MS,
        to: to / SECOND_MS - 1,
      }),
  },
  {
    venue: 'hyperliquid',
    candles: 5000,
    of: (coin, from, to) => ({
      path: '/info',
      body: JSON.stringify({
        type: 'candleSnapshot',
        req: { coin, interval: '1h', startTime: from, endTime: to - 1 },
      }),
      weight: 20 + Math.ceil((to - from) / HOUR_MS / CANDLES_A_WEIGHT),
    }),
  },
  {
    venue: 'okx',
    candles: 100,
    // Both ends are left out: `after` is the younger one.
    of: (symbol, from, to) =>
      at('/api/v5/market/history-candles', {
        instId: symbol,
        bar: '1H',
        before: from - 1,
        after: to,
        limit: 100,
      }),
  },
];
