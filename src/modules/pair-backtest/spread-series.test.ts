import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FundingHistory } from '../../../web/data/asset.ts';
import { distribution, spreadSeries, whyNoSpread } from './view/spread-series.ts';

const HOUR = 3_600_000;

/** Settled buckets of a venue every so many hours, the latest first. */
const settled = (
  venue: string,
  everyHours: number,
  count: number,
  rate: number | null,
): FundingHistory['buckets'] =>
  Array.from({ length: count }, (_, back) => ({
    venue,
    avg_funding_rate: rate as number,
    avg_price: 1,
    samples: 1,
    basis: 'settled' as const,
    funding_interval_hours: everyHours,
    bucket_start: new Date(Date.parse('2026-11-22T00:00:00Z') - back * everyHours * HOUR).toISOString(),
  }));

const leg = (venue: string) => ({ venue });

describe('the spread over time', () => {
  it('holds the last settlement of the other leg, sign by order', () => {
    const history = { buckets: [...settled('a', 8, 3, 0.0008), ...settled('b', 4, 5, 0.0002)] };
    const there = spreadSeries(history, leg('a'), leg('b'));
    expect(there.values).toHaveLength(5);
    for (const value of there.values) expect(value).toBeCloseTo(0.0008 - 0.0004, 12);
    const back = spreadSeries(history, leg('b'), leg('a'));
    expect(back.times).toEqual(there.times);
    expect(back.values).toEqual(there.values.map((value) => -(value ?? 0)));
  });

  it('no interval of a leg, or only samples: nothing', () => {
    const history = { buckets: [...settled('a', 8, 3, 0.0008), ...settled('b', 4, 5, 0.0002)] };
    const unknown = history.buckets.map((bucket) =>
      bucket.venue === 'a' ? { ...bucket, funding_interval_hours: null } : bucket,
    );
    expect(spreadSeries({ buckets: unknown }, leg('a'), leg('b')).values).toEqual([]);
    const sampled = history.buckets.map((bucket) => ({ ...bucket, basis: 'sampled' as const }));
    expect(spreadSeries({ buckets: sampled }, leg('a'), leg('b')).values).toEqual([]);
  });
});

describe('the reason of no spread', () => {
  const a = settled('a', 8, 3, 0.0008);
  const b = settled('b', 4, 5, 0.0002);
  const noInterval = a.map((bucket) => ({ ...bucket, funding_interval_hours: null }));

  it.each([
    ['nothing of either leg', [], 'Nothing is kept of this time.'],
    ['nothing of one leg', b, 'No payment of a is kept of this time'],
    ['no interval of a leg', [...noInterval, ...b], 'the interval of a is not'],
  ])('%s: says so, and not more', (_, buckets, said) => {
    expect(whyNoSpread({ buckets }, leg('a'), leg('b'))).toContain(said);
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
