import { HOUR_MS, type PastCall, pastRequest, seconds } from '../past-call.ts';

/** https://www.gate.com/docs/developers/apiv4: both ends in seconds. */
export const gatePast: readonly PastCall[] = [
  {
    kind: 'funding',
    points: 1000,
    request: (instrument, from, to) =>
      pastRequest(instrument, '/futures/usdt/funding_rate', {
        contract: instrument.symbol,
        from: seconds(from),
        to: seconds(to) - 1,
        limit: 1000,
      }),
  },
  {
    kind: 'mark',
    points: 1000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      pastRequest(instrument, '/futures/usdt/candlesticks', {
        contract: `mark_${instrument.symbol}`,
        interval: '1h',
        from: seconds(from),
        to: seconds(to) - 1,
      }),
  },
  {
    kind: 'interest',
    points: 100,
    stepMs: HOUR_MS,
    request: (instrument, from) =>
      pastRequest(instrument, '/futures/usdt/contract_stats', {
        contract: instrument.symbol,
        interval: '1h',
        from: seconds(from),
        limit: 100,
      }),
  },
];
