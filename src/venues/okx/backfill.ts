import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://www.okx.com/docs-v5: newest first; `after` is the younger end, `before` the older, both excluded. */
export const okxBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100,
    reachMs: 90 * DAY_MS,
    pool: 'funding-rate-history',
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v5/public/funding-rate-history', {
        instId: instrument.symbol,
        before: from - 1,
        after: to,
        limit: 100,
      }),
  },
  {
    kind: 'mark',
    points: 100,
    stepMs: HOUR_MS,
    pool: 'history-mark-price-candles',
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v5/market/history-mark-price-candles', {
        instId: instrument.symbol,
        bar: '1H',
        before: from - 1,
        after: to,
        limit: 100,
      }),
  },
  {
    kind: 'interest',
    points: 100,
    stepMs: HOUR_MS,
    pool: 'open-interest-history',
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v5/rubik/stat/contracts/open-interest-history', {
        instId: instrument.symbol,
        period: '1H',
        begin: from - 1,
        end: to,
        limit: 100,
      }),
  },
  {
    kind: 'volume',
    points: 100,
    stepMs: HOUR_MS,
    pool: 'history-candles',
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v5/market/history-candles', {
        instId: instrument.symbol,
        bar: '1H',
        before: from - 1,
        after: to,
        limit: 100,
      }),
  },
];
