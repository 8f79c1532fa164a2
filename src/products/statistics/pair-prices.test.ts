import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeriesBucket } from '../../domain/series.ts';
import { asMs, asPrice } from '../../domain/units.ts';
import { notStored, stored } from '../../history/store.ts';
import { makeRow } from '../../market/row-fixture.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { PRICE_HOURS, pairPrices, readPairPrices } from './pair-prices.ts';

const T0 = asMs(Date.UTC(2026, 9, 1));

interface Hour {
  readonly mark: number | undefined;
  readonly mid: number | undefined;
}

/** Hours of a contract from the start on. */
function bucketsOf(venue: string, hours: readonly Hour[]): readonly SeriesBucket[] {
  return hours.map(({ mark, mid }, at) => {
    const start = asMs(T0 + at * HOUR_MS);
    const depth = { bidDepthUsd: undefined, askDepthUsd: undefined };
    const slippage = { slippage1kBps: undefined, slippage5kBps: undefined, slippage10kBps: undefined };
    return {
      venue,
      symbol: 'BTCUSDT',
      listedAt: asMs(0),
      start,
      lastAt: start,
      sampled: 60,
      backfilled: 0,
      backfilledHours: 0,
      means: mark === undefined ? {} : { mark: { samples: 60, mean: mark } },
      book:
        mid === undefined
          ? undefined
          : { bestBid: asPrice(mid * 0.999), bestAsk: asPrice(mid * 1.001), ...depth, ...slippage },
      lastRate: undefined,
      lastIntervalHours: undefined,
    };
  });
}

describe('past prices of a pair', () => {
  const price = fc.option(fc.double({ min: 90, max: 110, noNaN: true }), { nil: undefined, freq: 4 });
  const hours = fc.array(fc.record({ mark: price, mid: price }), { minLength: 1, maxLength: 40 });

  it('ratios hour by hour: as sorting and counting says', () => {
    fc.assert(
      fc.property(hours, hours, (short, long) => {
        const { mid, mark } = pairPrices(bucketsOf('a', short), bucketsOf('b', long));
        for (const [range, name] of [
          [mid, 'mid'],
          [mark, 'mark'],
        ] as const) {
          const ratios = short
            .flatMap((hour, at) => {
              const sold = hour[name];
              const bought = long[at]?.[name];
              return sold === undefined || bought === undefined ? [] : [sold / bought];
            })
            .sort((a, b) => a - b);
          expect(range?.hours ?? 0).toBe(ratios.length);
          if (range === undefined) continue;
          const half = (ratios.length - 1) / 2;
          const middle = ((ratios[Math.floor(half)] ?? 0) + (ratios[Math.ceil(half)] ?? 0)) / 2;
          expect(range.median).toBeCloseTo(middle, 9);
          const below = ratios.filter((ratio) => ratio < range.low).length;
          expect(below).toBeLessThanOrEqual(Math.ceil(ratios.length / 10));
          expect(range.low).toBeLessThanOrEqual(range.median);
          expect(range.high).toBeGreaterThanOrEqual(range.median);
        }
      }),
    );
  });
});

describe('reading past prices', () => {
  const pair = { short: makeRow({ venue: 'a' }), long: makeRow({ venue: 'b' }) };
  const { symbol } = pair.short;
  const hour = { mark: 100, mid: 100 };
  const both = [...bucketsOf('a', [hour, hour]), ...bucketsOf('b', [hour, hour])].map((bucket) => ({
    ...bucket,
    symbol,
  }));

  /** A store of the hours until now, and the spans that it was asked for. */
  function asked(hours: number) {
    const spans: number[] = [];
    const kept = { hours };
    const reader = {
      buckets: async ({ from, to }: { readonly from: number; readonly to: number }) => {
        spans.push(from, to);
        const all = Array.from({ length: kept.hours }, () => hour);
        return stored([...bucketsOf('a', all), ...bucketsOf('b', all)].map((part) => ({ ...part, symbol })));
      },
    };
    return { spans, kept, reader };
  }
  const week = PRICE_HOURS * HOUR_MS;

  it('the same pair again: asked once an hour, of whole hours', async () => {
    const { spans, reader } = asked(PRICE_HOURS);
    const at = T0 + week;
    for (const now of [at, at + HOUR_MS - 1, at + HOUR_MS]) {
      const found = await readPairPrices(reader, [pair, pair], asMs(now));
      expect(found(pair)?.mid).toEqual({ hours: PRICE_HOURS, low: 1, median: 1, high: 1 });
    }
    expect(spans).toEqual([at - week, at, at + HOUR_MS - week, at + HOUR_MS]);
  });

  it('hours filled after the first question: counted minutes later', async () => {
    const { spans, kept, reader } = asked(2);
    const at = T0 + week;
    const hoursAt = async (now: number) =>
      (await readPairPrices(reader, [pair, pair], asMs(now)))(pair)?.mark?.hours;
    expect(await hoursAt(at)).toBe(2);
    kept.hours = PRICE_HOURS;
    expect(await hoursAt(at + 5 * MINUTE_MS - 1)).toBe(2);
    expect(await hoursAt(at + 5 * MINUTE_MS)).toBe(PRICE_HOURS);
    expect(spans).toHaveLength(4);
  });

  it('a store that does not answer: unknown, and asked again', async () => {
    let asked = 0;
    const reader = {
      buckets: async () => {
        asked += 1;
        return asked === 1 ? notStored('unavailable', 'gone') : stored(both);
      },
    };
    expect((await readPairPrices(reader, [pair], T0))(pair)).toBeUndefined();
    expect((await readPairPrices(reader, [pair], T0))(pair)?.mark?.hours).toBe(2);
  });
});
