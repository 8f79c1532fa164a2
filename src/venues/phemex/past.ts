import { type PastCall, pastRequest } from '../past-call.ts';

/** https://phemex-docs.github.io: the rate has a symbol of its own. */
export const phemexPast: readonly PastCall[] = [
  {
    kind: 'funding',
    points: 100,
    request: (instrument, from, to) =>
      pastRequest(instrument, '/api-data/public/data/funding-rate-history', {
        symbol: `.${instrument.symbol}FR8H`,
        start: from,
        end: to - 1,
        limit: 100,
      }),
  },
];
