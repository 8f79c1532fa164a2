import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asBps } from '../domain/units.ts';
import { makeMarket, type QuoteSketch } from '../market/market-fixture.ts';
import { expectPublic } from './asset-fixture.ts';
import { type LegBook, type LegBooks, pairDepth } from './books/leg-book.ts';
import { fundingSignal } from './perp-arbitrage-funding-signal.ts';
import { previewSignal } from './preview-funding-signal.ts';

const ALL = { min_diff: 0, limit: 100, include_below_1k: true, holding_days: 7 };

/** Venues with a taker fee in bps each, and what they quote. */
function viewOf(venues: Readonly<Record<string, readonly [fee: number | undefined, ...QuoteSketch[]]>>) {
  const it = makeMarket();
  for (const [venue, [fee, ...quotes]] of Object.entries(venues)) {
    const bases = quotes.map(({ symbol }) => ({ base: symbol, ticker: symbol, symbol }));
    it.list(venue, bases, fee === undefined ? {} : { takerFeeBps: asBps(fee) });
    it.quote(venue, ...quotes.map((quote) => ({ mark: 100, volumeUsd: 1e6, ...quote })));
  }
  return it.market.view;
}

/** A book that fills up to a size, at so many bps when sold into and bought from. */
const book = (most: number, sell: number, buy: number): LegBook => ({
  maxFillableUsd: most,
  slippageBps: (side, size) => (size > most ? undefined : side === 'sell' ? sell : buy),
});

const TWO = {
  binance: [5, { symbol: 'BTC', rate: 0.0001, interval: 8 }],
  bybit: [5.5, { symbol: 'BTC', rate: 0.002, interval: 4 }],
} as const;

describe('funding signal, computed by hand', () => {
  test('sells the short leg into bids, buys the long leg from asks, and charges fees and slippage for entry and exit', () => {
    const books: LegBooks = (row) => (row.venue === 'bybit' ? book(10_000, 2, 900) : book(10_000, 900, 1));
    const { body } = fundingSignal(viewOf(TWO), books, ALL);
    expect(body.count).toBe(1);
    const [one] = body.opportunities;
    // gross 20 - 1; eight-hour 40 - 1; fees 2 x (5 + 5.5); costs 21 + 2 x 3 = 27.
    expect(one).toMatchObject({
      short_venue: 'bybit',
      long_venue: 'binance',
      round_trip_fee_bps: 21,
      max_notional_usd: 10_000,
      entry_slippage_bps: 3,
      depth_class: 'deep',
      net_of_fees_positive: false,
      venues_count: 2,
    });
    expect(one?.gross_funding_spread_bps).toBeCloseTo(19, 9);
    expect(one?.normalized_spread_8h_bps).toBeCloseTo(39, 9);
    expect(one?.funding_periods_to_breakeven).toBeCloseTo(27 / 39, 9);
    expect(one?.signal_score).toBeCloseTo(3 * 39 - 27 / 7, 9);
    expectPublic(body);
  });

  test('uses the contract’s own taker fee before its venue’s', () => {
    const it = makeMarket();
    const btc = { base: 'BTC', ticker: 'BTC', symbol: 'BTC' };
    it.list('binance', [btc], { takerFeeBps: asBps(5) });
    it.list('bybit', [{ ...btc, takerFeeBps: asBps(1.5) }], { takerFeeBps: asBps(5.5) });
    it.list('okx', [{ ...btc, takerFeeBps: asBps(2) }]);
    it.quote('binance', { symbol: 'BTC', mark: 100, rate: 0.0001, interval: 8, volumeUsd: 1e6 });
    it.quote('bybit', { symbol: 'BTC', mark: 100, rate: 0.002, interval: 4, volumeUsd: 1e6 });
    it.quote('okx', { symbol: 'BTC', mark: 100, rate: -0.0001, interval: 8, volumeUsd: 1e6 });
    const [one] = fundingSignal(it.market.view, undefined, ALL).body.opportunities;
    expect(one).toMatchObject({ short_venue: 'bybit', long_venue: 'okx', round_trip_fee_bps: 7 });
  });

  test('sizes the trade by the smaller book and weighs the score by that size', () => {
    const books: LegBooks = (row) => (row.venue === 'bybit' ? book(9999, 4, 4) : book(10_000, 4, 4));
    const [one] = fundingSignal(viewOf(TWO), books, ALL).body.opportunities;
    expect(one).toMatchObject({ max_notional_usd: 5000, entry_slippage_bps: 8, depth_class: 'thin' });
    expect(one?.signal_score).toBeCloseTo((117 - 37 / 7) * Math.sqrt(0.5), 9);
  });

  test('reports depth, cost and score as unknown, not 0, without a book', () => {
    for (const books of [
      undefined,
      () => undefined,
      (row) => (row.venue === 'bybit' ? book(1e4, 1, 1) : undefined),
    ] as (LegBooks | undefined)[]) {
      const { body } = fundingSignal(viewOf(TWO), books, ALL);
      expect(body.opportunities).toMatchObject([
        {
          max_notional_usd: null,
          entry_slippage_bps: null,
          funding_periods_to_breakeven: null,
          net_apr_pct: null,
          depth_class: 'unknown',
          signal_score: null,
          clears_costs: null,
        },
      ]);
      expect(body.opportunities[0]?.apr_spread_pct).toBeCloseTo(39 * 10.95, 9);
      expect(fundingSignal(viewOf(TWO), books, { ...ALL, include_below_1k: false }).body).toMatchObject({
        count: 0,
        assessed: 0,
        unassessed: { depth_unknown: 1 },
        opportunities: [],
      });
    }
  });

  test('reports a notional of 0 where the books do not fill the smallest size', () => {
    const [one] = fundingSignal(viewOf(TWO), () => book(999, 1, 1), ALL).body.opportunities;
    expect(one).toMatchObject({
      max_notional_usd: 0,
      entry_slippage_bps: null,
      depth_class: 'none',
      signal_score: 0,
      clears_costs: false,
    });
  });

  test('ranks pairs that clear their costs first, then known pairs, then unknown ones', () => {
    const quote = (symbol: string, rate: number) => ({ symbol, rate, interval: 8 });
    const view = viewOf({
      binance: [5, quote('DEEP', 0), quote('DEAR', 0), quote('DARK', 0), quote('THIN', 0)],
      bybit: [5, quote('DEEP', 0.001), quote('DEAR', 0.0002), quote('DARK', 0.05), quote('THIN', 0.05)],
    });
    const books: LegBooks = ({ ticker }) => {
      if (ticker === 'DARK') return undefined;
      return ticker === 'THIN' ? book(10, 1, 1) : book(10_000, 1, ticker === 'DEAR' ? 40 : 1);
    };
    const { body } = fundingSignal(view, books, ALL);
    expect(body.opportunities.map((it) => [it.ticker, it.clears_costs])).toEqual([
      ['DEEP', true],
      ['THIN', false],
      ['DEAR', false],
      ['DARK', null],
    ]);
    expect(body).toMatchObject({ count: 4, assessed: 3, unassessed: { depth_unknown: 1 } });
  });

  test('reports both legs in full and the yearly return after the costs of the holding time', () => {
    const books: LegBooks = (row) => (row.venue === 'bybit' ? book(5000, 2, 900) : book(10_000, 900, 1));
    const [one] = fundingSignal(viewOf(TWO), books, { ...ALL, holding_days: 30 }).body.opportunities;
    expect(one?.short).toMatchObject({
      venue: 'bybit',
      venue_symbol: 'BTC',
      quote: 'USDT',
      multiplier: 1,
      rate: 0.002,
      funding_interval_hours: 4,
      mark_price: 100,
      taker_fee_bps: 5.5,
      slippage_1k_bps: 2,
      slippage_5k_bps: 2,
      slippage_10k_bps: null,
    });
    expect(one?.long).toMatchObject({ venue: 'binance', taker_fee_bps: 5, slippage_10k_bps: 1 });
    expect(one?.net_apr_pct).toBeCloseTo(39 * 10.95 - ((27 / 100) * 365) / 30, 9);
  });

  test('counts assets that were not assessed by reason', () => {
    const view = viewOf({
      binance: [5, { symbol: 'ONE', rate: 0.001, interval: 8 }, { symbol: 'BTC', rate: 0, interval: 8 }],
      bybit: [5, { symbol: 'NOI', rate: 0.001 }, { symbol: 'BTC', rate: 0.00005, interval: 8 }],
      okx: [undefined, { symbol: 'FEE', rate: 0.001, interval: 8 }, { symbol: 'NOI', rate: 0, interval: 8 }],
      gate: [5, { symbol: 'FEE', rate: 0, interval: 8 }],
    });
    expect(fundingSignal(view, undefined, { ...ALL, min_diff: 0.0001 }).body).toMatchObject({
      assessed: 0,
      unassessed: {
        single_venue: 1,
        interval_unknown: 1,
        fee_unknown: 1,
        depth_unknown: 0,
        below_min_diff: 1,
      },
    });
  });

  test('leaves out pairs whose rates cannot be normalised or netted', () => {
    const rate = (interval?: number, r = 0.001) => ({
      symbol: 'BTC',
      rate: r,
      ...(interval ? { interval } : {}),
    });
    expect(
      fundingSignal(viewOf({ binance: [5, rate(8)], bybit: [5, rate()] }), undefined, ALL).body.count,
    ).toBe(0);
    expect(
      fundingSignal(viewOf({ binance: [5, rate(8)], bybit: [undefined, rate(1)] }), undefined, ALL).body
        .count,
    ).toBe(0);
    expect(
      fundingSignal(viewOf({ binance: [5, rate(8)], bybit: [5, rate(8)] }), undefined, ALL).body.count,
    ).toBe(0);
  });

  test('applies the threshold to the spread of eight-hour rates', () => {
    const view = viewOf(TWO);
    expect(fundingSignal(view, undefined, { ...ALL, min_diff: 0.00389 }).body.count).toBe(1);
    expect(fundingSignal(view, undefined, { ...ALL, min_diff: 0.00391 }).body.count).toBe(0);
  });
});

describe('preview', () => {
  const view = viewOf({
    binance: [
      5,
      { symbol: 'BTC', rate: 0, interval: 8 },
      { symbol: 'ETH', rate: 0, interval: 8 },
      { symbol: 'SOL', rate: 0, interval: 8 },
    ],
    bybit: [
      5,
      { symbol: 'BTC', rate: 0.003, interval: 8 },
      { symbol: 'ETH', rate: 0.005, interval: 8 },
      { symbol: 'SOL', rate: 0.0019, interval: 8 },
    ],
  });

  test('shows the one pair with the largest gross spread that clears its fees', () => {
    const { body } = previewSignal(view);
    expect(body.signal).toMatchObject({
      ticker: 'ETH',
      canonical_id: 'crypto:ETH',
      short_venue: 'bybit',
      long_venue: 'binance',
      round_trip_fee_bps: 20,
      net_of_fees_positive: true,
      short_interval_hours: 8,
      long_interval_hours: 8,
      venues_count: 2,
    });
    expect(body.signal?.gross_funding_spread_bps).toBeCloseTo(50, 9);
    expect(body.signal?.apr_spread_pct).toBeCloseTo(547.5, 9);
    expectPublic(body);
  });

  test('contains none of the fields that it lists as withheld', () => {
    const text = JSON.stringify(previewSignal(view).body.signal);
    for (const name of ['max_notional', 'depth_class', 'slippage', 'breakeven', 'score', 'BTC', 'SOL']) {
      expect(text).not.toContain(name);
    }
  });

  test('is null where no pair clears its fees', () => {
    expect(previewSignal(viewOf(TWO)).body.signal).toBeNull();
  });
});

describe('depth class', () => {
  test('class by size and slippage', () => {
    expect(pairDepth(book(1e4, 5, 9), book(1e4, 9, 5)).depthClass).toBe('deep');
    expect(pairDepth(book(1e4, 5.1, 0), book(1e4, 0, 5)).depthClass).toBe('medium');
    expect(pairDepth(book(1e4, 1, 1), book(1000, 1, 1)).depthClass).toBe('thin');
    expect(pairDepth(book(999, 1, 1), book(1e4, 1, 1)).depthClass).toBe('none');
  });
});

interface SizedLeg {
  readonly depth: number;
  readonly sell: number;
  readonly buy: number;
}

/** Size, costs and score follow from the books of the legs. */
function expectSized(one: Opportunity, short: SizedLeg, long: SizedLeg): void {
  const both = Math.min(short.depth, long.depth);
  const known = short.depth > 0 && long.depth > 0;
  const filled = known ? ([10_000, 5000, 1000].find((size) => size <= both) ?? 0) : null;
  expect(one.max_notional_usd).toBe(filled);
  expect(one.entry_slippage_bps === null).toBe(!one.max_notional_usd);
  if (!one.max_notional_usd) return;
  const costs = one.round_trip_fee_bps + 2 * (short.sell + long.buy);
  const periods = costs / one.normalized_spread_8h_bps;
  const shown = one.funding_periods_to_breakeven;
  if (!Number.isFinite(periods)) expect(shown).toBeNull();
  else expect((shown ?? Number.NaN) / (periods || 1)).toBeCloseTo(periods && 1, 6);
  const score = (3 * one.normalized_spread_8h_bps - costs / 7) * Math.sqrt(one.max_notional_usd / 1e4);
  expect(one.signal_score).toBeCloseTo(score, 6);
}

type Opportunity = ReturnType<typeof fundingSignal>['body']['opportunities'][number];

describe('funding signal of any market', () => {
  const rate = fc.double({ min: -0.01, max: 0.01, noNaN: true });
  const interval = fc.option(fc.constantFrom(1, 2, 4, 8), { nil: undefined });
  const fee = fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined, freq: 5 });
  const depth = fc.constantFrom(0, 900, 1000, 4999, 5000, 9999, 10_000);
  const slip = fc.double({ min: 0, max: 80, noNaN: true });
  const venue = fc.record({ rate, interval, fee, depth, sell: slip, buy: slip });

  test('agrees with a brute-force search over every pair', () => {
    fc.assert(
      fc.property(fc.array(venue, { minLength: 1, maxLength: 6 }), fc.boolean(), (venues, includeBelow1k) => {
        const named = venues.map((it, i) => ({ ...it, id: `v${i}` }));
        const rows = named.map(({ id, fee, rate, interval }) => {
          return [id, [fee, { symbol: 'BTC', rate, ...(interval ? { interval } : {}) }]] as const;
        });
        const books: LegBooks = (row) => {
          const it = named.find(({ id }) => id === row.venue);
          return it === undefined || it.depth === 0 ? undefined : book(it.depth, it.sell, it.buy);
        };
        const asked = { ...ALL, include_below_1k: includeBelow1k };
        const { body } = fundingSignal(viewOf(Object.fromEntries(rows)), books, asked);
        const able = named.flatMap(({ interval, fee, ...it }) =>
          interval === undefined || fee === undefined ? [] : [{ ...it, fee, r8: (it.rate * 8) / interval }],
        );
        const widest = Math.max(0, ...able.flatMap((a) => able.map((b) => (a.r8 - b.r8) * 10_000)));
        expectPublic(body);
        const [one] = body.opportunities;
        if (one === undefined) return;
        const short = able.find(({ id }) => id === one.short_venue);
        const long = able.find(({ id }) => id === one.long_venue);
        if (short === undefined || long === undefined) throw new Error('a venue without interval or fee');
        expect(one.normalized_spread_8h_bps).toBeCloseTo(widest, 6);
        expect(one.round_trip_fee_bps).toBeCloseTo(2 * (short.fee + long.fee), 9);
        if (!includeBelow1k) expect(one.max_notional_usd).toBeGreaterThanOrEqual(1000);
        expectSized(one, short, long);
      }),
      { numRuns: 200 },
    );
  });

  test('reports no break-even, not an infinite one, for a spread near zero', () => {
    const view = viewOf({
      a: [5, { symbol: 'BTC', rate: 0, interval: 8 }],
      b: [5, { symbol: 'BTC', rate: 1e-320, interval: 8 }],
    });
    const [one] = fundingSignal(view, () => book(10_000, 1, 1), { ...ALL, min_diff: 0 }).body.opportunities;
    expectPublic(one ?? {});
    expect(one?.funding_periods_to_breakeven ?? null).toBeNull();
  });

  test('sorts by score, then by ticker, before the limit', () => {
    fc.assert(
      fc.property(fc.array(rate, { minLength: 2, maxLength: 12 }), (rates) => {
        const quotes = rates.map((r, i) => ({ symbol: `T${i}`, rate: r, interval: 8 }));
        const view = viewOf({
          binance: [1, ...quotes.map((quote) => ({ ...quote, rate: 0 }))],
          bybit: [1, ...quotes],
        });
        const every = fundingSignal(view, () => book(1e4, 1, 1), ALL).body.opportunities;
        const scores = every.map((it) => it.signal_score);
        expect(scores).toEqual([...scores].sort((a, b) => Number(b) - Number(a)));
        const first = fundingSignal(view, () => book(1e4, 1, 1), { ...ALL, limit: 1 }).body.opportunities;
        expect(first).toEqual(every.slice(0, 1));
      }),
      { numRuns: 50 },
    );
  });
});
