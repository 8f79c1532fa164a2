import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://bingx-api.github.io/docs */
export const bingxBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 1000,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/openApi/swap/v2/quote/fundingRate', {
        symbol: instrument.symbol,
        startTime: from,
        endTime: to - 1,
        limit: 1000,
      }),
  },
  {
    kind: 'mark',
    points: 1000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/openApi/swap/v1/market/markPriceKlines', {
        symbol: instrument.symbol,
        interval: '1h',
        startTime: from,
        endTime: to - 1,
        limit: 1000,
      }),
  },
];
