import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fundingSignal } from '../../test/world/present-signal.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { expectPublic, made } from './asset-fixture.ts';
import type { LegBooks } from './books/leg-book.ts';
import { ALL, book, viewOf } from './signal-fixture.ts';

interface SizedLeg {
  readonly depth: number;
  readonly sell: number;
  readonly buy: number;
}

/** Size, costs and score follow from the books of the legs. */
function expectSized(opportunity: Opportunity, short: SizedLeg, long: SizedLeg): void {
  const both = Math.min(short.depth, long.depth);
  const known = short.depth > 0 && long.depth > 0;
  const filled = known ? ([10_000, 5000, 1000].find((size) => size <= both) ?? 0) : null;
  expect(opportunity.max_notional_usd).toBe(filled);
  expect(opportunity.entry_slippage_bps === null).toBe(!opportunity.max_notional_usd);
  if (!opportunity.max_notional_usd) return;
  const costs = opportunity.round_trip_fee_bps + 2 * (short.sell + long.buy);
  const periods = costs / opportunity.normalized_spread_8h_bps;
  const shown = opportunity.funding_periods_to_breakeven;
  if (!Number.isFinite(periods)) expect(shown).toBeNull();
  else expect((shown ?? Number.NaN) / (periods || 1)).toBeCloseTo(periods && 1, 6);
  const score =
    (3 * opportunity.normalized_spread_8h_bps - costs / 7) * Math.sqrt(opportunity.max_notional_usd / 1e4);
  expect(opportunity.signal_score).toBeCloseTo(score, 6);
}

type Signal = Extract<ReturnType<typeof fundingSignal>, { readonly ok: true }>['value'];
type Opportunity = Signal['body']['opportunities'][number];

describe('funding signal of any market', () => {
  const rate = fc.double({ min: -0.01, max: 0.01, noNaN: true });
  const interval = fc.option(fc.constantFrom(1, 2, 4, 8), { nil: undefined });
  const fee = fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined, freq: 5 });
  const depth = fc.constantFrom(0, 900, 1000, 4999, 5000, 9999, 10_000);
  const slip = fc.double({ min: 0, max: 80, noNaN: true });
  const venue = fc.record({ rate, interval, fee, depth, sell: slip, buy: slip });

  test('agrees with a brute-force search over every pair', () => {
    fc.assert(
      fc.property(fc.array(venue, { minLength: 2, maxLength: 6 }), fc.boolean(), (venues, includeBelow1k) => {
        const named = venues.map((fixture, i) => ({ ...fixture, id: `v${i}` }));
        const rows = named.map(({ id, fee, rate, interval }) => {
          return [id, [fee, { symbol: 'BTC', rate, ...(interval ? { interval } : {}) }]] as const;
        });
        const books: LegBooks = (row) => {
          const fixture = named.find(({ id }) => id === row.venue);
          return fixture === undefined || fixture.depth === 0
            ? undefined
            : book(fixture.depth, fixture.sell, fixture.buy);
        };
        const asked = { ...ALL, include_below_1k: includeBelow1k };
        const { body } = made(fundingSignal(viewOf(Object.fromEntries(rows)), books, asked, FIXTURE_NOW));
        const able = named.flatMap(({ interval, fee, ...leg }) =>
          interval === undefined || fee === undefined ? [] : [{ ...leg, fee, r8: (leg.rate * 8) / interval }],
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
    const [one] = made(fundingSignal(view, () => book(10_000, 1, 1), { ...ALL, min_diff: 0 }, FIXTURE_NOW))
      .body.opportunities;
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
        const every = made(fundingSignal(view, () => book(1e4, 1, 1), ALL, FIXTURE_NOW)).body.opportunities;
        const scores = every.map((fixture) => fixture.signal_score);
        expect(scores).toEqual([...scores].sort((a, b) => Number(b) - Number(a)));
        const first = made(fundingSignal(view, () => book(1e4, 1, 1), { ...ALL, limit: 1 }, FIXTURE_NOW)).body
          .opportunities;
        expect(first).toEqual(every.slice(0, 1));
      }),
      { numRuns: 50 },
    );
  });
});
