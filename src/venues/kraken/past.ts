import { HOUR_MS, type PastCall, pastRequest, seconds } from '../past-call.ts';

/** https://docs.kraken.com/api/docs/futures-api: the whole history of payments in one answer. */
export const krakenPast: readonly PastCall[] = [
  {
    kind: 'funding',
    points: 100_000,
    isLatestOnly: true,
    request: (instrument) =>
      pastRequest(instrument, '/derivatives/api/v3/historical-funding-rates', { symbol: instrument.symbol }),
  },
  {
    kind: 'mark',
    points: 2000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      pastRequest(instrument, `/api/charts/v1/mark/${instrument.symbol}/1h`, {
        from: seconds(from),
        to: seconds(to) - 1,
      }),
  },
];
