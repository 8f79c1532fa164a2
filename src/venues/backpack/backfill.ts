import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest, seconds } from '../backfill-endpoint.ts';

/** https://docs.backpack.exchange: payments newest first, by offset. */
export const backpackBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 1000,
    isLatestOnly: true,
    request: (instrument) =>
      backfillRequest(instrument, '/api/v1/fundingRates', { symbol: instrument.symbol, limit: 1000 }),
  },
  {
    kind: 'mark',
    points: 1000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v1/klines', {
        symbol: instrument.symbol,
        interval: '1h',
        startTime: seconds(from),
        endTime: seconds(to) - 1,
        priceType: 'MarkPrice',
      }),
  },
];
