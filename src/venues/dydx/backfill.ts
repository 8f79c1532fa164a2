import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://docs.dydx.xyz/indexer-client: newest first, up to a time. */
export const dydxBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100,
    request: (instrument, _from, to) =>
      backfillRequest(instrument, `/v4/historicalFunding/${instrument.symbol}`, {
        limit: 100,
        effectiveBeforeOrAt: new Date(to - 1).toISOString(),
      }),
  },
];
