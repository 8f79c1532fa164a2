import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FundingPast } from '../../web/data/asset.ts';
import {
  distribution,
  earned,
  earnedDays,
  type Leg,
  legPast,
  spreadSeries,
  storedSlippages,
} from '../../web/views/pair/pair-model.ts';

const NOW = Date.parse('2026-11-22T00:30:00Z');
const HOUR = 3_600_000;

/** Settled buckets of a venue every so many hours, the last one at the hour before now. */
function settled(
  venue: string,
  everyHours: number,
  count: number,
  rate: number,
  price: number,
): FundingPast['buckets'] {
  return Array.from({ length: count }, (_, back) => ({
    venue,
    bucket_start: new Date(Date.parse('2026-11-22T00:00:00Z') - back * everyHours * HOUR).toISOString(),
    avg_funding_rate: rate,
    avg_price: price,
    samples: 1,
    basis: 'settled' as const,
  }));
}

const historyOf = (...buckets: readonly FundingPast['buckets'][]): FundingPast => ({
  buckets: buckets.flat(),
});
const leg = (venue: string, intervalHours: number | null, more: Partial<Leg> = {}): Leg => ({
  ...{ venue, intervalHours, takerFeeBps: 5, slippageBps: 1 },
  ...more,
});
const both = (history: FundingPast, short: Leg, long: Leg) =>
  [
    { ...short, ...legPast(history, short.venue) },
    { ...long, ...legPast(history, long.venue) },
  ] as const;

describe('what a pair earned', () => {
  const history = historyOf(settled('a', 8, 22, 0.0003, 100), settled('b', 1, 169, -0.00001, 100));

  it('is what the short received less what the long paid, less fees and slippage in and out', () => {
    const week = earned(...both(history, leg('a', 8), leg('b', 1)), 7, NOW);
    expect(week.known).toEqual([21, 168]);
    expect(week.funding).toBeCloseTo((21 * 0.0003 + 168 * 0.00001) * 10_000, 9);
    expect([week.price, week.fees, week.slippage]).toEqual([0, 20, 4]);
    expect(week.net).toBeCloseTo((week.funding ?? 0) - 24, 9);
  });

  it('turns its sign when the legs are swapped', () => {
    const there = earned(...both(history, leg('a', 8), leg('b', 1)), 7, NOW);
    const back = earned(...both(history, leg('b', 1), leg('a', 8)), 7, NOW);
    expect(back.funding).toBeCloseTo(-(there.funding ?? 0), 9);
  });

  it('is not known where too few settlements are', () => {
    const month = earned(...both(history, leg('a', 8), leg('b', 1)), 30, NOW);
    expect(month).toMatchObject({ funding: null, net: null, known: [22, 169], expected: [90, 720] });
  });

  it('goes in by the books of that hour where both legs have them stored, and out by the present ones', () => {
    const stored = (
      venue: string,
      ts: string,
      slippage_1k_bps: number | null,
      reason: 'not_sampled' | null = null,
    ) =>
      storedSlippages(
        {
          venue,
          data: [{ ts, slippage_1k_bps, slippage_5k_bps: null, slippage_10k_bps: null, book_reason: reason }],
        },
        1000,
      );
    const day = (a: ReturnType<typeof stored>, b: ReturnType<typeof stored>) =>
      earned(
        { ...leg('a', 8), ...legPast(history, 'a', a) },
        { ...leg('b', 1), ...legPast(history, 'b', b) },
        ...([1, NOW] as const),
      );
    const [then, before] = ['2026-11-21T00:00:00Z', '2026-11-20T20:00:00Z'];
    expect(day(stored('a', then, 3), stored('b', then, 4))).toMatchObject({
      slippage: 9,
      entryBooks: 'stored',
    });
    expect(day(stored('a', then, 3), stored('b', before, 4))).toMatchObject({
      ...{ slippage: 4, entryBooks: 'present' },
    });
    expect(day(stored('a', then, 3), stored('b', then, null))).toMatchObject({ slippage: null, net: null });
    expect(stored('a', then, null, 'not_sampled')).toEqual([]);
  });

  it('adds up over the days, each by its own settlements', () => {
    const days = earnedDays(...both(history, leg('a', 8), leg('b', 1)), 3, NOW);
    expect(days.map(({ at }) => new Date(at).toISOString().slice(0, 10))).toEqual([
      ...['2026-11-22', '2026-11-21', '2026-11-20'],
    ]);
    expect(days[1]).toMatchObject({ known: [3, 24], expected: [3, 24] });
    // Half an hour of the day has gone, and the settlement at its start.
    expect(days[0]).toMatchObject({ known: [1, 1], expected: [1, 1] });
    expect(days[1]?.funding).toBeCloseTo((3 * 0.0003 + 24 * 0.00001) * 10_000, 9);
    expect((days[1]?.short ?? 0) + (days[1]?.long ?? 0)).toBeCloseTo(days[1]?.funding ?? 0, 9);
  });

  it.each([
    ['the interval', leg('a', null), 'funding'],
    ['the fee', leg('a', 8, { takerFeeBps: null }), 'fees'],
    ['the book', leg('a', 8, { slippageBps: null }), 'slippage'],
  ] as const)('is not known without %s', (_what, short, part) => {
    const day = earned(...both(history, short, leg('b', 1)), 1, NOW);
    expect(day[part]).toBeNull();
    expect(day.net).toBeNull();
  });

  it('counts the prices of the legs drifting apart', () => {
    const rising = [...settled('a', 8, 4, 0, 100)].map((one, back) => ({ ...one, avg_price: 100 - back }));
    const day = earned(
      ...both(historyOf(rising, settled('b', 8, 4, 0, 100)), leg('b', 8), leg('a', 8)),
      1,
      NOW,
    );
    expect(day.price).toBeCloseTo((100 / 98 - 1) * 10_000, 6);
  });

  it('knows no drift of prices where the hours of the legs differ', () => {
    const rising = settled('a', 1, 25, 0, 100).map((one, back) => ({ ...one, avg_price: 100 - back }));
    const early = settled('b', 1, 25, 0, 100).map((one, back) => ({ ...one, avg_price: 100 - back }));
    const day = (...buckets: readonly FundingPast['buckets'][]) =>
      earned(...both(historyOf(...buckets), leg('a', 1), leg('b', 1)), 1, NOW).price;
    expect(day(rising, early)).toBeCloseTo(0, 9);
    expect(day(rising, early.slice(12))).toBeNull();
    expect(day(rising.slice(0, 12), early)).toBeNull();
  });
});

describe('the spread over time', () => {
  it('holds the last settlement of the other leg', () => {
    const history = historyOf(settled('a', 8, 3, 0.0008, 1), settled('b', 4, 5, 0.0002, 1));
    const series = spreadSeries(...both(history, leg('a', 8), leg('b', 4)));
    expect(series.values).toHaveLength(5);
    for (const value of series.values) expect(value).toBeCloseTo(0.0008 - 0.0004, 12);
  });
});

describe('the distribution', () => {
  it('has every value in one bin, in order', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (values, bins) => {
          const made = distribution(values, bins);
          expect(made.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
          expect(made[0]?.from).toBeCloseTo(Math.min(...values), 12);
          for (const [at, bin] of made.slice(1).entries())
            expect(bin.from).toBeCloseTo(made[at]?.to ?? 0, 12);
        },
      ),
    );
  });
  it('of nothing is nothing', () => {
    expect(distribution([null], 10)).toEqual([]);
  });
});
