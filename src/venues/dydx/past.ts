import { type PastCall, pastRequest } from '../past-call.ts';

/** https://docs.dydx.xyz/indexer-client: newest first, up to a time. */
export const dydxPast: readonly PastCall[] = [
  {
    kind: 'funding',
    points: 100,
    request: (instrument, _from, to) =>
      pastRequest(instrument, `/v4/historicalFunding/${instrument.symbol}`, {
        limit: 100,
        effectiveBeforeOrAt: new Date(to - 1).toISOString(),
      }),
  },
];
