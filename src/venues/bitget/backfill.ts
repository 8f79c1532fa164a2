import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://www.bitget.com/api-doc/contract/market: payments by page, without a time filter. */
export const bitgetBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100,
    isLatestOnly: true,
    request: (instrument) =>
      backfillRequest(instrument, '/api/v2/mix/market/history-fund-rate', {
        symbol: instrument.symbol,
        productType: `${instrument.quote}-FUTURES`,
        pageSize: 100,
        pageNo: 1,
      }),
  },
  {
    kind: 'mark',
    points: 200,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v2/mix/market/history-mark-candles', {
        symbol: instrument.symbol,
        productType: `${instrument.quote}-FUTURES`,
        granularity: '1H',
        startTime: from,
        endTime: to - 1,
        limit: 200,
      }),
  },
];
