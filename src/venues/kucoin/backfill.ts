import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** https://www.kucoin.com/docs-new: `from` and `to` are both needed. */
export const kucoinBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100,
    weight: 5,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/api/v1/contract/funding-rates', {
        symbol: instrument.symbol,
        from,
        to: to - 1,
      }),
  },
];
