import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://phemex-docs.github.io: the rate has a symbol of its own. */
export const phemexBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api-data/public/data/funding-rate-history', {
        symbol: `.${instrument.symbol}FR8H`,
        start: from,
        end: to - 1,
        limit: 100,
      }),
  },
];
