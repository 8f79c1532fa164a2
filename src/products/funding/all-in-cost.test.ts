import { describe, expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { FIXTURE_NOW, makeRow } from '../../market/row-fixture.ts';
import { entrySlippage, pairDepth } from '../books/leg-book.ts';
import { PUBLIC_FEES } from '../rows/asked-fees.ts';
import type { QuoteRates } from '../rows/quote-rates.ts';
import { book } from '../signal-fixture.ts';
import type { HourlyRates } from '../statistics/hourly-rates.ts';
import type { PairPrices } from '../statistics/pair-prices.ts';
import { allInCost, costReasons } from './all-in-cost.ts';
import type { JudgedPair } from './chosen-signals.ts';
import { pairGap } from './pair-gap.ts';

const RATES: QuoteRates = { unit: 'USDT', of: (quote) => ({ USDT: 1, USDC: 1.001 })[quote], list: [] };

interface Sketch {
  readonly quote?: string;
  readonly hasBooks?: boolean;
  readonly fills?: number;
  readonly normalizedBps?: number;
}

/** Two contracts whose marks are 100 and 100.1, books about 100 that slip by 2 and 3 bps, and fees of 20 bps. */
function judged({
  quote = 'USDT',
  hasBooks = true,
  fills = 10_000,
  normalizedBps = 10,
}: Sketch = {}): JudgedPair {
  const short = { ...makeRow({ venue: 'a', mark: 100 }), quote, bestBid: undefined };
  const long = makeRow({ venue: 'b', mark: 100.1 });
  const [ofShort, ofLong] = hasBooks ? [book(fills, 2, 2), book(fills, 3, 3)] : [undefined, undefined];
  const depth = pairDepth(ofShort, ofLong);
  const slippage = entrySlippage(depth);
  const fees = { shortFeeBps: 5, longFeeBps: 5, feeBps: 20 };
  const pair = {
    short,
    long,
    normalizedBps,
    grossBps: 1,
    ...fees,
    rows: [short, long],
    updatedAt: FIXTURE_NOW,
  };
  const costs = slippage === undefined ? undefined : 20 + 2 * slippage;
  return {
    ticker: 'BTC',
    canonical_id: 'crypto:BTC',
    pair,
    short: ofShort,
    long: ofLong,
    depth,
    costs,
    score: 1,
  };
}

const range = (hours: number, median: number) => ({
  hours,
  low: median - 0.001,
  median,
  high: median + 0.002,
});
const past = (mid: PairPrices['mid'], mark: PairPrices['mark']) => ({ prices: { mid, mark } });

describe('the gap between the legs', () => {
  it('books that fill: fill prices, mids beside their past', () => {
    const gap = pairGap(judged(), past(range(100, 1.0005), range(168, 0.999)), RATES);
    expect(gap).toMatchObject({ priced_at: 'size', price_quote: 'USDT', basis: 'mid', hours_known: 100 });
    expect(gap.short_price).toBeCloseTo(100 * (1 - 2e-4), 9);
    expect(gap.long_price).toBeCloseTo(100 * (1 + 3e-4), 9);
    expect(gap.executable_bps).toBeCloseTo(((1 - 2e-4) / (1 + 3e-4) - 1) * 1e4, 9);
    expect([gap.level_bps, gap.low_bps, gap.high_bps]).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(-5, 9),
      expect.closeTo(25, 9),
    ]);
    expect(gap.cost_bps).toBeCloseTo(5, 9);
    expect(gap.null_reasons).toBeUndefined();
  });

  it('few hours of books: marks, now and then', () => {
    const gap = pairGap(judged(), past(range(83, 1.0005), range(168, 0.999)), RATES);
    expect(gap).toMatchObject({ basis: 'mark', hours_known: 168 });
    expect(gap.level_bps).toBeCloseTo((100 / 100.1 - 1) * 1e4, 9);
    expect(gap.usual_bps).toBeCloseTo(-10, 9);
  });

  it('books that do not fill, or none: the touch, else nothing', () => {
    const thin = pairGap(judged({ fills: 10 }), past(undefined, undefined), RATES);
    expect(thin).toMatchObject({ priced_at: 'touch', short_price: 99.9, long_price: 100.1 });
    const none = pairGap(judged({ hasBooks: false }), past(undefined, undefined), RATES);
    expect(none).toMatchObject({
      executable_bps: null,
      basis: 'mark',
      hours_known: 0,
      cost_bps: null,
      null_reasons: {
        executable_bps: 'not_followed',
        usual_bps: 'past_too_short',
        cost_bps: 'past_too_short',
      },
    });
  });

  it('unlike quote currencies: in one by their rates, else nothing', () => {
    const usdc = pairGap(judged({ quote: 'USDC' }), past(range(168, 1), range(168, 1)), RATES);
    expect(usdc).toMatchObject({ price_quote: 'USDT' });
    expect(usdc.short_price).toBeCloseTo(100 * (1 - 2e-4) * 1.001, 9);
    expect(usdc.usual_bps).toBeCloseTo(10, 9);
    const untied = pairGap(judged({ quote: 'XYZ' }), past(range(168, 1), range(168, 1)), RATES);
    expect(untied).toMatchObject({
      executable_bps: null,
      level_bps: null,
      usual_bps: null,
      null_reasons: { executable_bps: 'rate_unknown', price_quote: 'rate_unknown', cost_bps: 'rate_unknown' },
    });
  });
});

/** The last hours at so many bps per eight hours each. */
function hourly(...bps8h: readonly number[]): { readonly hourly: HourlyRates } {
  const rates = new Float64Array(720).fill(Number.NaN);
  bps8h.forEach((bps, at) => {
    rates[720 - bps8h.length + at] = bps / 80_000;
  });
  const known = bps8h.filter((bps) => !Number.isNaN(bps)).length;
  return { hourly: { from: asMs(0), rates, paidAt: new Int32Array(720), known } };
}

describe('all costs of a pair', () => {
  const wide = past(range(168, 1.0005), undefined);
  const favourable = past(range(168, 0.999), undefined);

  it('fees, slippage both ways, and a gap that costs', () => {
    const pair = judged();
    // 20 + 2 x (2 + 3) + 5 = 35; over 7 days 35 / 21 per eight hours; 35 / (3 x 10) days.
    const made = allInCost(
      pair,
      pairGap(pair, wide, RATES),
      hourly(1.6, 1.7, Number.NaN, 35 / 21, 9),
      7,
      PUBLIC_FEES,
    );
    expect(made.all_in_cost_bps).toBeCloseTo(35, 9);
    expect(made.cost_8h_bps).toBeCloseTo(35 / 21, 9);
    expect(made.days_to_breakeven).toBeCloseTo(35 / 30, 9);
    const share = { share_pct: 50, hours_known: 4 };
    expect(made.above_costs).toEqual([
      { days: 7, hours_asked: 168, ...share },
      { days: 30, hours_asked: 720, ...share },
    ]);
  });

  it('a gap in favour: not counted', () => {
    const pair = judged();
    const gap = pairGap(pair, favourable, RATES);
    expect(gap.cost_bps).toBeCloseTo(-10, 9);
    expect(allInCost(pair, gap, hourly(1), 7, PUBLIC_FEES).all_in_cost_bps).toBeCloseTo(30, 9);
  });

  it('orders that rest: maker fees without slippage, where both are named', () => {
    const pair = judged();
    const gap = pairGap(pair, wide, RATES);
    const fees = { taker: new Map(), maker: new Map([['a', -6]]) };
    expect(allInCost(pair, gap, hourly(1), 7, fees)).not.toHaveProperty('maker_all_in_cost_bps');
    const both = allInCost(pair, gap, hourly(1), 7, {
      ...fees,
      maker: new Map([
        ['a', -6],
        ['b', 1],
      ]),
    });
    // 2 x (-6 + 1) + 5 = -5: nothing has to be earned back.
    expect(both.maker_all_in_cost_bps).toBeCloseTo(-5, 9);
    expect(both.maker_days_to_breakeven).toBe(0);
  });

  it('a part that is not known: null, with its reason', () => {
    const reasonsWith = (pair: JudgedPair, prices: Parameters<typeof pairGap>[1]) => {
      const gap = pairGap(pair, prices, RATES);
      const made = allInCost(pair, gap, { why: 'unknown' }, 7, PUBLIC_FEES);
      expect(made).toMatchObject({ all_in_cost_bps: null, cost_8h_bps: null, days_to_breakeven: null });
      expect(made.above_costs[0]).toMatchObject({
        share_pct: null,
        hours_known: null,
        null_reasons: { share_pct: 'unknown', hours_known: 'unknown' },
      });
      return costReasons('too_thin', pair, gap).all_in_cost_bps;
    };
    expect(reasonsWith(judged({ fills: 10 }), wide)).toBe('too_thin');
    expect(reasonsWith(judged(), past(undefined, undefined))).toBe('past_too_short');
    expect(reasonsWith(judged(), { why: 'unknown' })).toBe('unknown');
    expect(reasonsWith(judged({ quote: 'XYZ' }), wide)).toBe('rate_unknown');
  });

  it('a spread next to nothing: never earned back', () => {
    const pair = judged({ normalizedBps: 1e-320 });
    const gap = pairGap(pair, wide, RATES);
    expect(allInCost(pair, gap, hourly(1), 7, PUBLIC_FEES).days_to_breakeven).toBeNull();
    expect(costReasons('too_thin', pair, gap).days_to_breakeven).toBe('not_positive');
  });
});
