import { describe, expect, it } from 'vitest';
import type { BookSample } from '../../../domain/series.ts';
import { asMs, asPrice } from '../../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import type { SpotHour } from '../store/spot-hour.ts';
import { alignedPrices, gapBps, type PerpHour } from './aligned-prices.ts';
import { usualGaps } from './usual-gap.ts';

const START = Date.UTC(2026, 10, 20, 12);
const at = (minute: number) => asMs(START + minute * MINUTE_MS);
const seen = (lastMinute: number, samples: number): SpotHour => ({
  origin: 'observed',
  start: asMs(START),
  lastAt: at(lastMinute),
  last: asPrice(200),
  samples,
  mean: 201,
  spreadBps: 1,
  bidUsd: undefined,
  askUsd: undefined,
});
const candle: SpotHour = { origin: 'candle', start: asMs(START), last: asPrice(200), open: asPrice(199) };
const book: BookSample = {
  bestBid: asPrice(202),
  bestAsk: asPrice(204),
  bidDepthUsd: undefined,
  askDepthUsd: undefined,
  slippage1kBps: undefined,
  slippage5kBps: undefined,
  slippage10kBps: undefined,
};
const perp = (more: Partial<PerpHour>): PerpHour => ({
  mark: 205,
  book: undefined,
  sampled: 60,
  lastAt: at(59),
  ...more,
});

describe('prices of one moment', () => {
  it.each([
    ['both seen to the end', seen(59, 60), perp({ book }), { spot: 200, perp: 203, moment: 'end' }],
    ['a candle and a book', candle, perp({ book }), { spot: 200, perp: 203, moment: 'end' }],
    ['spot not seen to the end', seen(40, 40), perp({ book }), { spot: 201, perp: 205, moment: 'mean' }],
    [
      'a book of before',
      seen(59, 60),
      perp({ book, lastAt: at(30) }),
      { spot: 201, perp: 205, moment: 'mean' },
    ],
    ['no book', seen(59, 60), perp({}), { spot: 201, perp: 205, moment: 'mean' }],
    ['few samples of spot', seen(20, 20), perp({ book }), undefined],
    ['few samples of the perpetual', seen(59, 60), perp({ sampled: 5 }), undefined],
    ['two candles', candle, perp({ sampled: 0, lastAt: at(0) }), { spot: 199, perp: 205, moment: 'start' }],
    ['a candle beside samples', candle, perp({}), undefined],
    ['samples beside a candle', seen(59, 60), perp({ sampled: 0 }), undefined],
    ['no mark', candle, perp({ mark: undefined, sampled: 0 }), undefined],
  ] as const)('%s: as the table says', (_, spot, other, expected) => {
    expect(alignedPrices(spot, other)).toEqual(expected);
  });

  it('nothing of one of them: none', () => {
    expect(alignedPrices(undefined, perp({}))).toBeUndefined();
    expect(alignedPrices(candle, undefined)).toBeUndefined();
  });

  it('the gap: the perpetual above spot, basis points', () => {
    expect(gapBps({ spot: 200, perp: 201 })).toBeCloseTo(50, 9);
  });
});

describe('the usual gap', () => {
  const gaps = (hours: number): Map<number, number> =>
    new Map(Array.from({ length: hours }, (_, i) => [START - (i + 1) * HOUR_MS, i % 2 === 0 ? 4 : 8]));

  it('every hour known: mean and range of each span', () => {
    const known = { mean: 6, lowest: 4, highest: 8 };
    expect(usualGaps(gaps(30 * 24), START)).toEqual([
      { days: 1, hours: 24, ...known },
      { days: 7, hours: 168, ...known },
      { days: 30, hours: 720, ...known },
    ]);
  });

  it('less than half of a span known: its hours, and no mean', () => {
    const [day, week] = usualGaps(gaps(83), START);
    expect(day).toMatchObject({ hours: 24, mean: 6 });
    expect(week).toEqual({ days: 7, hours: 83, mean: undefined, lowest: undefined, highest: undefined });
    expect(usualGaps(gaps(84), START)[1]).toMatchObject({ hours: 84, mean: 6 });
  });

  it('hours after the moment, and before the span: in no mean', () => {
    const far = new Map([
      [START, 900],
      [START - 31 * DAY_MS, 900],
      [START - HOUR_MS, 5],
    ]);
    expect(usualGaps(far, START).map(({ hours }) => hours)).toEqual([1, 1, 1]);
  });
});
