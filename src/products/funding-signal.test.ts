import { describe, expect, test } from 'vitest';
import { fundingSignal } from '../../test/world/present-signal.ts';
import { asBps } from '../domain/units.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { expectPublic, made } from './asset-fixture.ts';
import { type LegBooks, pairDepth } from './books/leg-book.ts';
import { previewSignal } from './preview-funding-signal.ts';
import { ALL, book, viewOf } from './signal-fixture.ts';

const TWO = {
  binance: [5, { symbol: 'BTC', rate: 0.0001, interval: 8 }],
  bybit: [5.5, { symbol: 'BTC', rate: 0.002, interval: 4 }],
} as const;

describe('funding signal, computed by hand', () => {
  test('sells the short leg into bids, buys the long one from asks', () => {
    const books: LegBooks = (row) => (row.venue === 'bybit' ? book(10_000, 2, 900) : book(10_000, 900, 1));
    const { body } = made(fundingSignal(viewOf(TWO), books, ALL, FIXTURE_NOW));
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
    const fixture = makeMarket();
    const btc = { base: 'BTC', ticker: 'BTC', symbol: 'BTC' };
    fixture.list('binance', [btc], { takerFeeBps: asBps(5) });
    fixture.list('bybit', [{ ...btc, takerFeeBps: asBps(1.5) }], { takerFeeBps: asBps(5.5) });
    fixture.list('okx', [{ ...btc, takerFeeBps: asBps(2) }]);
    fixture.quote('binance', { symbol: 'BTC', mark: 100, rate: 0.0001, interval: 8, volumeUsd: 1e6 });
    fixture.quote('bybit', { symbol: 'BTC', mark: 100, rate: 0.002, interval: 4, volumeUsd: 1e6 });
    fixture.quote('okx', { symbol: 'BTC', mark: 100, rate: -0.0001, interval: 8, volumeUsd: 1e6 });
    const [one] = made(fundingSignal(fixture.market.view, undefined, ALL, FIXTURE_NOW)).body.opportunities;
    expect(one).toMatchObject({ short_venue: 'bybit', long_venue: 'okx', round_trip_fee_bps: 7 });
  });

  test('fees of the request: counted in costs, score and verdicts, repeated', () => {
    const mine = { taker: new Map([['bybit', 0.5]]), maker: new Map([['binance', -1]]) };
    const books: LegBooks = () => book(10_000, 2, 1);
    const { body } = made(fundingSignal(viewOf(TWO), books, ALL, FIXTURE_NOW, mine));
    const [one] = body.opportunities;
    // Fees 2 x (5 + 0.5) = 11, costs 11 + 2 x 3 = 17.
    expect(one).toMatchObject({
      round_trip_fee_bps: 11,
      net_of_fees_positive: true,
      short: { taker_fee_bps: 0.5 },
      long: { taker_fee_bps: 5, maker_fee_bps: -1 },
    });
    expect(one?.signal_score).toBeCloseTo(3 * 39 - 17 / 7, 9);
    expect(body.fees).toEqual([
      { venue: 'bybit', taker_fee_bps: 0.5 },
      { venue: 'binance', maker_fee_bps: -1 },
    ]);
    // A fee that nobody publishes is known where the request names it.
    const unpublished = { ...TWO, bybit: [undefined, TWO.bybit[1]] } as const;
    expect(made(fundingSignal(viewOf(unpublished), books, ALL, FIXTURE_NOW)).body.count).toBe(0);
    expect(made(fundingSignal(viewOf(unpublished), books, ALL, FIXTURE_NOW, mine)).body.count).toBe(1);
  });

  test('verdicts that disagree: a note says why, else none', () => {
    const noteWith = (books: LegBooks, fee: number, rate = 0.002) => {
      const view = viewOf({
        binance: [0, { symbol: 'BTC', rate: 0, interval: 8 }],
        bybit: [fee, { symbol: 'BTC', rate, interval: 8 }],
      });
      const [one] = made(fundingSignal(view, books, ALL, FIXTURE_NOW)).body.opportunities;
      return [one?.net_of_fees_positive, one?.clears_costs, one?.verdict_note];
    };
    expect(noteWith(() => book(1e4, 1, 1), 5)).toEqual([true, true, undefined]);
    expect(noteWith(() => book(1e4, 1, 1), 50)).toEqual([
      false,
      true,
      'One payment of 20.00 bps does not pay the fees of 100.00 bps; seven days at the present spread (420.00 bps) pay fees and slippage together (104.00 bps).',
    ]);
    expect(noteWith(() => book(1e4, 200, 200), 5)).toEqual([
      true,
      false,
      'One payment of 20.00 bps pays the fees of 10.00 bps, but seven days at the present spread (420.00 bps) do not pay fees and slippage together (810.00 bps).',
    ]);
    expect(noteWith(() => book(10, 1, 1), 5)).toEqual([
      true,
      false,
      'One payment of 20.00 bps pays the fees of 10.00 bps, but a book does not fill 1,000 USD, so nothing is cleared.',
    ]);
    expect(noteWith(() => undefined, 5)).toEqual([true, null, undefined]);
  });

  test('sizes the trade by the smaller book and weighs the score by that size', () => {
    const books: LegBooks = (row) => (row.venue === 'bybit' ? book(9999, 4, 4) : book(10_000, 4, 4));
    const [one] = made(fundingSignal(viewOf(TWO), books, ALL, FIXTURE_NOW)).body.opportunities;
    expect(one).toMatchObject({ max_notional_usd: 5000, entry_slippage_bps: 8, depth_class: 'thin' });
    expect(one?.signal_score).toBeCloseTo((117 - 37 / 7) * Math.sqrt(0.5), 9);
  });

  test('reports depth, cost and score as unknown, not 0, without a book', () => {
    for (const books of [
      undefined,
      () => undefined,
      (row) => (row.venue === 'bybit' ? book(1e4, 1, 1) : undefined),
    ] as (LegBooks | undefined)[]) {
      const { body } = made(fundingSignal(viewOf(TWO), books, ALL, FIXTURE_NOW));
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
      expect(
        made(fundingSignal(viewOf(TWO), books, { ...ALL, include_below_1k: false }, FIXTURE_NOW)).body,
      ).toMatchObject({
        count: 0,
        assessed: 0,
        unassessed: { depth_unknown: 1 },
        opportunities: [],
      });
    }
  });

  test('reports a notional of 0 where the books do not fill the smallest size', () => {
    const [one] = made(fundingSignal(viewOf(TWO), () => book(999, 1, 1), ALL, FIXTURE_NOW)).body
      .opportunities;
    expect(one).toMatchObject({
      max_notional_usd: 0,
      entry_slippage_bps: null,
      depth_class: 'none',
      signal_score: 0,
      clears_costs: false,
    });
  });

  test('ranks pairs that clear their costs first, unknown ones last', () => {
    const quote = (symbol: string, rate: number) => ({ symbol, rate, interval: 8 });
    const view = viewOf({
      binance: [5, quote('DEEP', 0), quote('DEAR', 0), quote('DARK', 0), quote('THIN', 0)],
      bybit: [5, quote('DEEP', 0.001), quote('DEAR', 0.0002), quote('DARK', 0.05), quote('THIN', 0.05)],
    });
    const books: LegBooks = ({ ticker }) => {
      if (ticker === 'DARK') return undefined;
      return ticker === 'THIN' ? book(10, 1, 1) : book(10_000, 1, ticker === 'DEAR' ? 40 : 1);
    };
    const { body } = made(fundingSignal(view, books, ALL, FIXTURE_NOW));
    expect(body.opportunities.map((fixture) => [fixture.ticker, fixture.clears_costs])).toEqual([
      ['DEEP', true],
      ['THIN', false],
      ['DEAR', false],
      ['DARK', null],
    ]);
    expect(body).toMatchObject({ count: 4, assessed: 3, unassessed: { depth_unknown: 1 } });
  });

  test('reports both legs in full and the yearly return after costs', () => {
    const books: LegBooks = (row) => (row.venue === 'bybit' ? book(5000, 2, 900) : book(10_000, 900, 1));
    const [one] = made(fundingSignal(viewOf(TWO), books, { ...ALL, holding_days: 30 }, FIXTURE_NOW)).body
      .opportunities;
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
    expect(
      made(fundingSignal(view, undefined, { ...ALL, min_diff: 0.0001 }, FIXTURE_NOW)).body,
    ).toMatchObject({
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

  test.each([0, 0.0001])('all venues state the same rate: counts below a min_diff of %s', (min_diff) => {
    const view = viewOf({
      binance: [5, { symbol: 'SAME', rate: 0.0001, interval: 8 }],
      bybit: [5, { symbol: 'SAME', rate: 0.00005, interval: 4 }],
      okx: [5, { symbol: 'SAME', rate: 0.0001, interval: 8 }],
    });
    expect(made(fundingSignal(view, undefined, { ...ALL, min_diff }, FIXTURE_NOW)).body).toMatchObject({
      count: 0,
      assessed: 0,
      unassessed: { depth_unknown: 0, below_min_diff: 1 },
    });
  });

  test('leaves out pairs whose rates cannot be normalised or netted', () => {
    const rate = (interval?: number, r = 0.001) => ({
      symbol: 'BTC',
      rate: r,
      ...(interval ? { interval } : {}),
    });
    expect(
      made(fundingSignal(viewOf({ binance: [5, rate(8)], bybit: [5, rate()] }), undefined, ALL, FIXTURE_NOW))
        .body.count,
    ).toBe(0);
    expect(
      made(
        fundingSignal(
          viewOf({ binance: [5, rate(8)], bybit: [undefined, rate(1)] }),
          undefined,
          ALL,
          FIXTURE_NOW,
        ),
      ).body.count,
    ).toBe(0);
    expect(
      made(fundingSignal(viewOf({ binance: [5, rate(8)], bybit: [5, rate(8)] }), undefined, ALL, FIXTURE_NOW))
        .body.count,
    ).toBe(0);
  });

  test('applies the threshold to the spread of eight-hour rates', () => {
    const view = viewOf(TWO);
    expect(made(fundingSignal(view, undefined, { ...ALL, min_diff: 0.00389 }, FIXTURE_NOW)).body.count).toBe(
      1,
    );
    expect(made(fundingSignal(view, undefined, { ...ALL, min_diff: 0.00391 }, FIXTURE_NOW)).body.count).toBe(
      0,
    );
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
