import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest, seconds } from '../backfill-endpoint.ts';

/** What is older than 180 days is refused; a day less, since the span begins before the request arrives. */
const REACH_MS = 179 * DAY_MS;

/** https://www.gate.com/docs/developers/apiv4: both ends in seconds. */
export const gateBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 1000,
    reachMs: REACH_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/futures/usdt/funding_rate', {
        contract: instrument.symbol,
        from: seconds(from),
        to: seconds(to) - 1,
        limit: 1000,
      }),
  },
  {
    kind: 'mark',
    points: 1000,
    reachMs: REACH_MS,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, '/futures/usdt/candlesticks', {
        contract: `mark_${instrument.symbol}`,
        interval: '1h',
        from: seconds(from),
        to: seconds(to) - 1,
      }),
  },
  {
    kind: 'interest',
    points: 100,
    reachMs: REACH_MS,
    stepMs: HOUR_MS,
    request: (instrument, from) =>
      backfillRequest(instrument, '/futures/usdt/contract_stats', {
        contract: instrument.symbol,
        interval: '1h',
        from: seconds(from),
        limit: 100,
      }),
  },
];
