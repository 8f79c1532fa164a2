import { type PastCall, pastRequest } from '../past-call.ts';

/** https://www.kucoin.com/docs-new: `from` and `to` are both needed. */
export const kucoinPast: readonly PastCall[] = [
  {
    kind: 'funding',
    points: 100,
    weight: 5,
    request: (instrument, from, to) =>
      pastRequest(instrument, '/api/v1/contract/funding-rates', {
        symbol: instrument.symbol,
        from,
        to: to - 1,
      }),
  },
];
