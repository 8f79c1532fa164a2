import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest, seconds } from '../backfill-endpoint.ts';

/** https://docs.kraken.com/api/docs/futures-api: the whole history of payments in one answer. */
export const krakenBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100_000,
    isLatestOnly: true,
    request: (instrument) =>
      backfillRequest(instrument, '/derivatives/api/v3/historical-funding-rates', {
        symbol: instrument.symbol,
      }),
  },
  {
    kind: 'mark',
    points: 2000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, `/api/charts/v1/mark/${instrument.symbol}/1h`, {
        from: seconds(from),
        to: seconds(to) - 1,
      }),
  },
];
