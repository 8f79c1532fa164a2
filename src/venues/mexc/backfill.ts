import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest, seconds } from '../backfill-endpoint.ts';

/** https://mexcdevelop.github.io/apidocs/contract_v1_en: payments by page, candles by time. */
export const mexcBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 100,
    isLatestOnly: true,
    request: (instrument) =>
      backfillRequest(instrument, '/api/v1/contract/funding_rate/history', {
        symbol: instrument.symbol,
        page_num: 1,
        page_size: 100,
      }),
  },
  {
    kind: 'mark',
    points: 2000,
    stepMs: HOUR_MS,
    request: (instrument, from, to) =>
      backfillRequest(instrument, `/api/v1/contract/kline/fair_price/${instrument.symbol}`, {
        interval: 'Min60',
        start: seconds(from),
        end: seconds(to) - 1,
      }),
  },
];
