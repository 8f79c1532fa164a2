import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookSample } from '../../../domain/series.ts';
import { asMs, asPrice } from '../../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import type { CandleHour, ObservedHour, SpotHour } from '../store/spot-hour.ts';
import { alignedPrices, arePrices, gapBps, type PerpHour } from './aligned-prices.ts';
import { usualGaps } from './usual-gap.ts';

const START = Date.UTC(2026, 10, 20, 12);
const at = (minute: number) => asMs(START + minute * MINUTE_MS);
const seen = (lastMinute: number, samples: number): ObservedHour => ({
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
const candle: CandleHour = { origin: 'candle', start: asMs(START), last: asPrice(200), open: asPrice(199) };
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
  index: undefined,
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
    ['few samples of spot', seen(20, 20), perp({ book }), 'not_stored_then'],
    ['few samples of the perpetual', seen(59, 60), perp({ sampled: 5 }), 'not_stored_then'],
    ['two candles', candle, perp({ sampled: 0, lastAt: at(0) }), { spot: 199, perp: 205, moment: 'start' }],
    ['a candle beside samples', candle, perp({}), 'not_stored_then'],
    ['samples beside a candle', seen(59, 60), perp({ sampled: 0 }), 'not_stored_then'],
    ['no mark', candle, perp({ mark: undefined, sampled: 0 }), 'not_stored_then'],
  ] as const)('%s: as the table says', (_, spot, other, expected) => {
    expect(alignedPrices(spot, other)).toEqual(expected);
  });

  it('nothing of one of them: none', () => {
    expect(alignedPrices(undefined, perp({}))).toBe('not_stored_then');
    expect(alignedPrices(candle, undefined)).toBe('not_stored_then');
  });

  it('the gap: the perpetual above spot, basis points', () => {
    expect(gapBps({ spot: 200, perp: 201 })).toBeCloseTo(50, 9);
  });
});

/** Widest distance of spot from the index of the perpetual, as the documentation states it. */
const LIMIT = 0.03;
const level = fc.double({ min: 0.96, max: 1.04, noNaN: true });
const drawnHour = fc.record({
  isCandle: fc.boolean(),
  lastMinute: fc.constantFrom(29, 49, 50, 59),
  sampled: fc.constantFrom(0, 29, 30, 60),
  hasBook: fc.boolean(),
  index: fc.option(level, { nil: undefined }),
  /** The middle of the last book, the last price of spot, and its mean or its open, all beside a mark of 1. */
  end: level,
  last: level,
  other: level,
});

type DrawnHour = typeof drawnHour extends fc.Arbitrary<infer Hour> ? Hour : never;

describe('prices of one asset', () => {
  it('any hour: joined where spot is at the index of its moment', () => {
    const seenOf = new Map<string, number>();
    const check = ({ isCandle, lastMinute, sampled, hasBook, index, end, last, other }: DrawnHour): void => {
      const sides = { bestBid: asPrice(205 * end * 0.999), bestAsk: asPrice(205 * end * 1.001) };
      const spot: SpotHour = isCandle
        ? { ...candle, last: asPrice(205 * last), open: asPrice(205 * other) }
        : { ...seen(lastMinute, lastMinute + 1), last: asPrice(205 * last), mean: 205 * other };
      const held = index === undefined ? undefined : 205 * index;
      const past = perp({ index: held, sampled, lastAt: at(sampled - 1) });
      const found = alignedPrices(spot, hasBook ? { ...past, book: { ...book, ...sides } } : past);
      if (found === 'not_stored_then') return;
      const isEnd = hasBook && sampled === 60 && (isCandle || lastMinute >= 50);
      const beside = (isEnd ? last / end : other) / (index ?? 1);
      fc.pre(Math.abs(Math.abs(beside - 1) - LIMIT) > 1e-9);
      expect(arePrices(found)).toBe(Math.abs(beside - 1) < LIMIT);
      const key = `${isEnd} ${arePrices(found)}`;
      seenOf.set(key, (seenOf.get(key) ?? 0) + 1);
    };
    fc.assert(fc.property(drawnHour, check), { numRuns: 2000, seed: 5 });
    expect([...seenOf.values()].filter((count) => count > 20)).toHaveLength(4);
  });

  it('a token of the name at a tenth more: no hour of it is joined', () => {
    const other: SpotHour = { ...candle, last: asPrice(205 * 1.1), open: asPrice(205 * 1.1) };
    for (const sampled of [0, 60])
      for (const index of [undefined, 204])
        expect(alignedPrices(other, perp({ sampled, index, book: sampled > 0 ? book : undefined }))).toBe(
          'price_differs',
        );
  });

  it('a market that moves a tenth in the hour: joined at its end', () => {
    const risen: SpotHour = { ...candle, last: asPrice(220) };
    const sides = { bestBid: asPrice(221), bestAsk: asPrice(222) };
    const hour = perp({ index: 204, book: { ...book, ...sides } });
    expect(alignedPrices(risen, hour)).toEqual({ spot: 220, perp: 221.5, moment: 'end' });
  });

  it('a perpetual far above its index: spot is held against the index', () => {
    const dear = perp({ mark: 220, index: 201 });
    expect(alignedPrices(seen(59, 60), dear)).toEqual({ spot: 201, perp: 220, moment: 'mean' });
    expect(alignedPrices(seen(59, 60), perp({ mark: 220 }))).toBe('price_differs');
  });
});

describe('the usual gap', () => {
  const gaps = (hours: number): Map<number, number> =>
    new Map(Array.from({ length: hours }, (_, i) => [START - (i + 1) * HOUR_MS, i % 2 === 0 ? 4 : 8]));

  it('every hour known: mean and range of each span', () => {
    const known = { mean: 6, lowest: 4, highest: 8 };
    expect(usualGaps({ known: gaps(30 * 24), apart: [] }, START)).toEqual([
      { days: 1, hours: 24, apart: 0, ...known },
      { days: 7, hours: 168, apart: 0, ...known },
      { days: 30, hours: 720, apart: 0, ...known },
    ]);
  });

  it('less than half of a span known: its hours, and no mean', () => {
    const [day, week] = usualGaps({ known: gaps(83), apart: [] }, START);
    expect(day).toMatchObject({ hours: 24, mean: 6 });
    expect(week).toEqual({
      days: 7,
      hours: 83,
      apart: 0,
      mean: undefined,
      lowest: undefined,
      highest: undefined,
    });
    expect(usualGaps({ known: gaps(84), apart: [] }, START)[1]).toMatchObject({ hours: 84, mean: 6 });
  });

  it('hours that stand apart: counted in their spans, and in no mean', () => {
    const apart = [START - HOUR_MS, START - 2 * DAY_MS, START - 40 * DAY_MS, START];
    const spans = usualGaps({ known: gaps(84), apart }, START);
    expect(spans.map((span) => span.apart)).toEqual([1, 2, 2]);
    expect(spans[1]).toMatchObject({ hours: 84, mean: 6 });
  });

  it('hours after the moment, and before the span: in no mean', () => {
    const far = new Map([
      [START, 900],
      [START - 31 * DAY_MS, 900],
      [START - HOUR_MS, 5],
    ]);
    expect(usualGaps({ known: far, apart: [] }, START).map(({ hours }) => hours)).toEqual([1, 1, 1]);
  });
});
