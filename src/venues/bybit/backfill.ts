import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://bybit-exchange.github.io/docs/v5/market: newest first, both ends stated. */
export const bybitBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 200,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/v5/market/funding/history', {
        category: 'linear',
        symbol: instrument.symbol,
        startTime: from,
        endTime: to - 1,
        limit: 200,
      }),
  },
  {
    kind: 'mark',
    points: 1000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/v5/market/mark-price-kline', {
        category: 'linear',
        symbol: instrument.symbol,
        interval: '60',
        start: from,
        end: to - 1,
        limit: 1000,
      }),
  },
  {
    kind: 'interest',
    points: 200,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/v5/market/open-interest', {
        category: 'linear',
        symbol: instrument.symbol,
        intervalTime: '1h',
        startTime: from,
        endTime: to - 1,
        limit: 200,
      }),
  },
  {
    kind: 'volume',
    points: 1000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/v5/market/kline', {
        category: 'linear',
        symbol: instrument.symbol,
        interval: '60',
        start: from,
        end: to - 1,
        limit: 1000,
      }),
  },
];
