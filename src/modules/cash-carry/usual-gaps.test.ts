import { describe, expect, it } from 'vitest';
import type { SeriesBucket } from '../../domain/series.ts';
import { asMs, asPrice, type UnixMs } from '../../domain/units.ts';
import type { Scope } from '../../history/queries/scope.ts';
import { stored } from '../../history/store.ts';
import type { MarketRow } from '../../market/view.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { fill, readPorts } from '../../runtime/port.ts';
import type { SpotMarket } from '../spot/spot-rows.ts';
import { SPOT_PAST } from '../spot-history/port.ts';
import type { SpotHour } from '../spot-history/store/spot-hour.ts';
import { readPastGaps } from './usual-gaps.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const SPOT = { venue: 'binance', symbol: 'BTCUSDT' } as SpotMarket;
const PERP = { venue: 'bybit', symbol: 'BTCUSDT', listedAt: asMs(0) } as MarketRow;

const bucketAt = (start: number): SeriesBucket => ({
  venue: 'bybit',
  symbol: 'BTCUSDT',
  listedAt: asMs(0),
  start: asMs(start),
  lastAt: asMs(start + 59 * MINUTE_MS),
  sampled: 60,
  backfilled: 0,
  backfilledHours: 0,
  means: { mark: { samples: 60, mean: 101 } },
  book: undefined,
  lastRate: undefined,
  lastIntervalHours: undefined,
});

const spotHourAt = (start: number): SpotHour => ({
  origin: 'observed',
  start: asMs(start),
  lastAt: asMs(start + 59 * MINUTE_MS),
  last: asPrice(100),
  samples: 60,
  mean: 100,
  spreadBps: 2,
  bidUsd: 20_000,
  askUsd: 20_000,
});

/** A store of which spot hours become known later, and the number of times that it was read. */
function laterFilled() {
  const past = { days: 0, reads: 0 };
  const startsOf = (from: number, to: number): readonly number[] =>
    Array.from({ length: (to - from) / HOUR_MS }, (_, i) => from + i * HOUR_MS);
  const pastOf = (_: string, __: string, from: UnixMs, to: UnixMs) => {
    const known = startsOf(from, to).filter((start) => start >= NOW - past.days * DAY_MS);
    const hours = new Map(known.map((start) => [start, spotHourAt(start)]));
    return [{ symbol: 'BTCUSDT', quote: 'USDT', ticker: 'BTC', hours }];
  };
  const buckets = async ({ from, to }: Scope) => {
    past.reads += 1;
    return stored(startsOf(from, to).map(bucketAt));
  };
  const ports = { history: { reader: { buckets } }, readPort: readPorts(fill(SPOT_PAST, { pastOf })) };
  const hoursAt = async (now: number): Promise<readonly number[]> => {
    const pastGapOf = await readPastGaps('crypto:BTC', [SPOT], [PERP], asMs(now), ports as unknown as Ports);
    const found = pastGapOf(SPOT, PERP);
    return 'usual' in found ? found.usual.long_spot.map(({ hours }) => hours) : [];
  };
  return { past, hoursAt };
}

describe('the usual gaps of an asset', () => {
  it('hours filled after the first question: counted five minutes later', async () => {
    const { past, hoursAt } = laterFilled();
    expect(await hoursAt(NOW)).toEqual([0, 0, 0]);
    past.days = 7;
    expect(await hoursAt(NOW + 5 * MINUTE_MS - 1)).toEqual([0, 0, 0]);
    expect(await hoursAt(NOW + 5 * MINUTE_MS)).toEqual([24, 168, 168]);
    expect(past.reads).toBe(2);
  });

  it('every hour known: read once until the next hour', async () => {
    const { past, hoursAt } = laterFilled();
    past.days = 30;
    expect(await hoursAt(NOW)).toEqual([24, 168, 720]);
    await hoursAt(NOW + HOUR_MS - 1);
    expect(past.reads).toBe(1);
    await hoursAt(NOW + HOUR_MS);
    expect(past.reads).toBe(2);
  });
});
