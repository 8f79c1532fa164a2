import type { SeriesBucket, SettledBucket } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';

export const T0 = asMs(Date.UTC(2026, 10, 20));
export const at = (hour: number) => asMs(T0 + hour * HOUR_MS);
export const window = { aggregation: '1h', from: T0, to: at(4), knownTo: at(9) } as const;
export const question = {
  ticker: 'BTC',
  canonicalId: 'crypto:BTC',
  window,
  listedBy: ['binance', 'okx', 'bybit'],
};

/** An hour that was sampled without a gap. */
export function bucket(over: Partial<SeriesBucket> = {}): SeriesBucket {
  const start = over.start ?? T0;
  return {
    venue: 'binance',
    symbol: 'BTCUSDT',
    listedAt: asMs(0),
    start,
    lastAt: asMs(start + 59 * 60_000),
    sampled: 60,
    backfilled: 0,
    backfilledHours: 0,
    means: { rate: { samples: 60, mean: 0.0001 }, mark: { samples: 60, mean: 100 } },
    book: undefined,
    lastRate: undefined,
    lastIntervalHours: 8,
    ...over,
  };
}

/** A payment at the start of an hour. */
export function payment(over: Partial<SettledBucket> = {}): SettledBucket {
  const { venue, symbol, listedAt, start } = bucket();
  const time = over.start ?? start;
  const meanRate = over.meanRate ?? asRate(-0.0002);
  return {
    venue,
    symbol,
    listedAt,
    start: time,
    lastAt: time,
    payments: 1,
    backfilled: 0,
    meanRate,
    rateSum: meanRate * (over.payments ?? 1),
    meanMark: undefined,
    ...over,
  };
}
