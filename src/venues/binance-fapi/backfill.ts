import { HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';

/** Version part of the family's paths: `/fapi/v1` at Binance. */
export interface FapiBackfillOptions {
  readonly prefix: string;
  readonly fundingPool?: string;
}

/** `fundingRate` (1,000 rows), `markPriceKlines` and `klines` (1,500 rows; weight 10 above 1,000). */
export function fapiBackfill({ prefix, fundingPool }: FapiBackfillOptions): readonly BackfillEndpoint[] {
  const candles = (call: string, kind: BackfillEndpoint['kind']): BackfillEndpoint => ({
    kind,
    points: 1000,
    stepMs: HOUR_MS,
    weight: 5,
    request: (instrument, from, to) =>
      backfillRequest(instrument, `${prefix}/${call}`, {
        symbol: instrument.symbol,
        interval: '1h',
        startTime: from,
        endTime: to - 1,
        limit: 1000,
      }),
  });
  return [
    {
      kind: 'funding',
      points: 1000,
      ...(fundingPool !== undefined && { pool: fundingPool }),
      request: (instrument, from, to) =>
        backfillRequest(instrument, `${prefix}/fundingRate`, {
          symbol: instrument.symbol,
          startTime: from,
          endTime: to - 1,
          limit: 1000,
        }),
    },
    candles('markPriceKlines', 'mark'),
    candles('klines', 'volume'),
  ];
}
