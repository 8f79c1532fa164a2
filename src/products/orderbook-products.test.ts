import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asBps, asMs } from '../domain/units.ts';
import { type BookSketch, ladder, makeBooks } from '../market/books/book-fixture.ts';
import type { MarketRow } from '../market/view.ts';
import { expectPublic, makeAsset, makePair, withoutFee } from './asset-fixture.ts';
import { pairBook } from './books/book-source.ts';
import type { RouteLeg } from './books/route.ts';
import type { ExecutionTerms, QuoteSize } from './books/terms.ts';
import { bestOfVenues } from './orderbook-aggregate.ts';
import { bestExecution } from './orderbook-best-execution.ts';
import { sizedQuote } from './orderbook-depth.ts';
import { multiVenueExecution } from './orderbook-multi-venue-execution.ts';
import { multiVenueSlippage } from './orderbook-multi-venue-slippage.ts';
import { topOfBook } from './orderbook-top.ts';

const NOW = asMs(1_800_000_000_000);

/** A book around 100 with so many USD a level, levels 10 bps apart. */
function sketch(venue: string, usd: number, count = 5, more: Partial<BookSketch> = {}): BookSketch {
  const size = usd / 100;
  return {
    venue,
    symbol: 'BTCUSDT',
    bids: ladder(99.95, -0.1, size, count),
    asks: ladder(100.05, 0.1, size, count),
    ...more,
  };
}

const at = (size: QuoteSize, more: Partial<ExecutionTerms> = {}): ExecutionTerms => ({
  size,
  side: 'worse',
  rankBy: 'slippage',
  ...more,
});

const symbol = 'BTCUSDT';
const rows = (count: number) => Array.from({ length: count }, () => ({ symbol }));

describe('order book of one venue', () => {
  const pair = makePair({ venue: 'v1', symbol });

  test('returns the best bid and ask with sizes and their source', () => {
    const books = makeBooks(NOW, [sketch('v1', 1000, 5, { source: 'rest', ageMs: 70_000 })]).view;
    const top = topOfBook(pair, books);
    expect(top).toMatchObject({
      ok: true,
      value: {
        body: { bid_price: 99.95, bid_size: 10, ask_price: 100.05, ask_size: 10, source: 'rest' },
        asOf: NOW - 70_000,
        sources: { used: ['v1'], missing: [] },
      },
    });
  });

  test('a venue without one: 404 without a time to try again', () => {
    const { view } = makeBooks(NOW, []);
    const unread = makePair({ venue: 'v1', symbol }, { source: 'ccxt' });
    const indicative = { ...pair, row: { ...pair.row, hasBook: false } };
    for (const one of [unread, indicative]) {
      expect(topOfBook(one, view)).toEqual({
        ok: false,
        error: { code: 'no_data', detail: expect.stringContaining('no order book') },
      });
    }
    const asset = { ...makeAsset(rows(2)), rows: [indicative.row] };
    expect(bestOfVenues(asset, view)).toMatchObject({ error: { code: 'no_data' } });
  });

  test('returns null with a reason for an empty side', () => {
    const books = makeBooks(NOW, [sketch('v1', 1000, 1, { bids: [] })]).view;
    expect(topOfBook(pair, books)).toMatchObject({
      value: { body: { bid_price: null, null_reasons: { bid_price: 'one_sided', bid_size: 'one_sided' } } },
    });
  });

  test('returns slippage at a quoted size, and null above the fillable cap', () => {
    const books = makeBooks(NOW, [sketch('v1', 1000, 3)]).view;
    const small = sizedQuote(pair, books, at(1000));
    const large = sizedQuote(pair, books, at(5000));
    if (!small.ok || !large.ok) throw new Error('no quote');
    expect(small.value.body.quote.est_slippage_for_size_usd_bps).toBeCloseTo(5, 1);
    expect(large.value.body.quote.est_slippage_for_size_usd_bps).toBeNull();
    expect(large.value.body.quote.max_fillable_usd).toBeLessThan(5000);
    expectPublic(small.value.body);
  });

  test('a stale, broken or missing book: 503; an empty one: empty', () => {
    const store = makeBooks(NOW, [sketch('v1', 1000, 3, { ageMs: 901_000 })]);
    const waiting = { ok: false, error: { code: 'not_ready', retryAfterSeconds: 2 } };
    expect(topOfBook(pair, store.view)).toMatchObject(waiting);
    expect(sizedQuote(pair, store.view, at(1000))).toMatchObject(waiting);
    store.write(sketch('v1', 1000)).invalidate();
    expect(topOfBook(pair, store.view)).toMatchObject(waiting);
    store.write(sketch('v1', 1000, 0));
    expect(topOfBook(pair, store.view)).toMatchObject({ ok: false, error: { code: 'no_data' } });
    expect(sizedQuote(pair, store.view, at(1000))).toMatchObject(waiting);
  });
});

describe('order books of all venues', () => {
  test('aggregates the best bid and ask of fresh books', () => {
    const asset = makeAsset([{ symbol }, { symbol }, { symbol }, { symbol, reason: 'price_dispersion' }]);
    const books = makeBooks(NOW, [
      sketch('v1', 1000),
      { ...sketch('v2', 1000), bids: [[99.97, 3]], asks: [[100.06, 4]] },
      { ...sketch('v3', 1000, 5, { ageMs: 60_001 }), bids: [[99.99, 3]] },
      { ...sketch('v4', 1000), bids: [[500, 3]], asks: [[501, 1]] },
    ]).view;
    expect(bestOfVenues(asset, books)).toMatchObject({
      value: {
        body: {
          best_bid: { price: 99.97, size: 3, venue: 'v2' },
          best_ask: { price: 100.05, size: 10, venue: 'v1' },
          venues_count: 2,
        },
        sources: { used: ['v1', 'v2'], missing: ['v3', 'v4'] },
      },
    });
  });

  test('ranks by slippage, venues that cannot fill last; the best one fills', () => {
    const books = makeBooks(NOW, [sketch('v1', 900), sketch('v2', 20_000), sketch('v3', 2000)]).view;
    const asset = makeAsset(rows(3));
    const all = multiVenueSlippage(asset, books, at(10_000));
    const best = bestExecution(asset, books, at(10_000));
    if (!all.ok || !best.ok) throw new Error('no quotes');
    expect(all.value.body.venues.map(({ venue }) => venue)).toEqual(['v2', 'v3', 'v1']);
    expect(all.value.body.venues[2]?.slippage_bps).toBeNull();
    expect(best.value.body.best).toEqual(all.value.body.venues[0]);
    expect(best.value.body.venues_considered).toBe(3);
    const thin = ['v1', 'v2', 'v3'].map((venue) => sketch(venue, 900));
    const none = bestExecution(asset, makeBooks(NOW, thin).view, at(10_000));
    expect(none).toMatchObject({ ok: false, error: { code: 'no_data' } });
  });

  test('on request: the size of each side within distances of the mid', () => {
    const book = {
      ...sketch('v1', 1000),
      bids: [
        [99.99, 10],
        [99, 10],
      ],
      asks: [
        [100.01, 5],
        [103, 9],
      ],
    };
    const found = multiVenueSlippage(makeAsset(rows(1)), makeBooks(NOW, [book as never]).view, {
      ...at(1000),
      ladder: true,
    });
    if (!found.ok) throw new Error(found.error.detail);
    const [venue] = found.value.body.venues;
    const steps = venue?.ladder ?? [];
    expect(steps.map(({ within_bps }) => within_bps)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(steps.at(1)).toEqual({ within_bps: 2, bid_usd: 999.9, ask_usd: 500.05 });
    expect(steps.at(-1)).toEqual({ within_bps: 100, bid_usd: 1989.9, ask_usd: 500.05 });
    expect([steps.at(-1)?.bid_usd, steps.at(-1)?.ask_usd]).toEqual([
      venue?.bid_depth_usd,
      venue?.ask_depth_usd,
    ]);
  });

  test('no fresh book: 503; no usable row: its reason', () => {
    const asset = makeAsset(rows(1));
    const empty = makeBooks(NOW, []).view;
    for (const product of [multiVenueSlippage, bestExecution, multiVenueExecution]) {
      expect(product(asset, empty, at(1000))).toMatchObject({ error: { code: 'not_ready' } });
    }
    const foreign = makeAsset([{ symbol, reason: 'placeholder' }]);
    expect(bestOfVenues(foreign, empty)).toMatchObject({ error: { code: 'no_data' } });
  });
});

describe('costs with fees', () => {
  // One venue is cheap and dear to trade on, one the reverse, one says nothing of its fee.
  const fees = {
    v1: { takerFeeBps: asBps(9) },
    v2: { takerFeeBps: asBps(2) },
  };
  const asset = withoutFee(makeAsset(rows(3), fees), 'v3');
  const books = makeBooks(NOW, [sketch('v1', 20_000), sketch('v2', 2000), sketch('v3', 3000)]).view;
  const venuesOf = (terms: ExecutionTerms) => {
    const found = multiVenueSlippage(asset, books, terms);
    if (!found.ok) throw new Error(found.error.detail);
    expectPublic(found.value.body);
    return found.value.body.venues;
  };

  test('all_in: slippage plus the public fee, null without one', () => {
    for (const one of venuesOf(at(5000))) {
      const fee = { v1: 9, v2: 2 }[one.venue] ?? null;
      expect(one.taker_fee_bps).toBe(fee);
      if (fee === null) {
        expect(one.null_reasons).toEqual({ taker_fee_bps: 'not_published', all_in_bps: 'not_published' });
      } else {
        expect(one.all_in_bps).toBeCloseTo((one.slippage_bps ?? Number.NaN) + fee, 9);
        expect(one.null_reasons).toBeUndefined();
      }
    }
  });

  test('the default order: by slippage; all_in: unknown fees last', () => {
    expect(venuesOf(at(1000)).map(({ venue }) => venue)).toEqual(['v1', 'v3', 'v2']);
    const ranked = venuesOf(at(1000, { rankBy: 'all_in' }));
    expect(ranked.map(({ venue }) => venue)).toEqual(['v2', 'v1', 'v3']);
    const best = bestExecution(asset, books, at(1000, { rankBy: 'all_in' }));
    expect(best).toMatchObject({ value: { body: { best: { venue: 'v2' }, rank_by: 'all_in' } } });
  });

  test('fees of the request: counted, ranked by, repeated, with maker fees', () => {
    const mine = { taker: new Map([['v3', 0.1]]), maker: new Map([['v1', -0.5]]) };
    const terms = at(1000, { rankBy: 'all_in', fees: mine });
    const found = multiVenueSlippage(asset, books, terms);
    if (!found.ok) throw new Error(found.error.detail);
    const { venues, fees, naive_note: note } = found.value.body;
    expect(venues.map(({ venue }) => venue)).toEqual(['v3', 'v2', 'v1']);
    expect(venues[0]).toMatchObject({ taker_fee_bps: 0.1 });
    expect(venues[0]?.all_in_bps).toBeCloseTo((venues[0]?.slippage_bps ?? Number.NaN) + 0.1, 9);
    expect(venues.map(({ maker_fee_bps: bps }) => bps)).toEqual([undefined, undefined, -0.5]);
    expect(fees).toEqual([
      { venue: 'v3', taker_fee_bps: 0.1 },
      { venue: 'v1', maker_fee_bps: -0.5 },
    ]);
    expect(note).toContain('Of the venues that fees names');
    expect(multiVenueExecution(asset, books, terms)).toMatchObject({
      value: { body: { fees, route: [{ venue: 'v3', taker_fee_bps: 0.1 }] } },
    });
  });

  test('a contract’s own fee counts before its venue’s', () => {
    const own = makeAsset(rows(1), fees);
    const row = { ...own.rows[0], takerFeeBps: asBps(1) } as MarketRow;
    const found = multiVenueSlippage({ ...own, rows: [row] }, books, at(1000));
    expect(found).toMatchObject({ value: { body: { venues: [{ taker_fee_bps: 1 }] } } });
  });

  test('fills one side to its own depth, both to the smaller one', () => {
    const lean = makeBooks(NOW, [{ ...sketch('v1', 2000, 5), bids: ladder(99.95, -0.1, 5, 1) }]).view;
    const pair = makePair({ venue: 'v1', symbol });
    const quoteOf = (side: ExecutionTerms['side']) => {
      const found = sizedQuote(pair, lean, at(5000, { side }));
      if (!found.ok) throw new Error(found.error.detail);
      return found.value.body.quote;
    };
    expect(quoteOf('buy').est_slippage_for_size_usd_bps).toBeGreaterThan(5);
    expect(quoteOf('buy').max_fillable_usd).toBeGreaterThan(5000);
    expect(quoteOf('sell')).toMatchObject({ est_slippage_for_size_usd_bps: null, all_in_bps: null });
    expect(quoteOf('worse')).toMatchObject({
      est_slippage_for_size_usd_bps: null,
      null_reasons: { est_slippage_for_size_usd_bps: 'too_thin', all_in_bps: 'too_thin' },
    });
    expect(quoteOf('worse').max_fillable_usd).toBeCloseTo(499.75, 6);
  });

  test('a greedy route orders by all_in where asked, and its blend adds up', () => {
    const thin = makeBooks(NOW, [sketch('v1', 1500, 2), sketch('v2', 800, 3)]).view;
    const found = multiVenueExecution(makeAsset(rows(2), fees), thin, at(5000, { rankBy: 'all_in' }));
    if (!found.ok) throw new Error(found.error.detail);
    const { body } = found.value;
    expect(body.route.map(({ venue }) => venue)).toEqual(['v2', 'v1']);
    const parts = body.route.map((leg) => leg.allocated_usd * (leg.all_in_bps ?? Number.NaN));
    const total = parts.reduce((sum, part) => sum + part, 0);
    expect(body.blended_all_in_bps).toBeCloseTo(total / body.total_filled_usd, 9);
    const fee = (body.blended_all_in_bps ?? Number.NaN) - body.blended_slippage_bps;
    expect(body.blended_taker_fee_bps).toBeCloseTo(fee, 9);
  });
});

describe('the book of a venue that does not answer', () => {
  test.each(['stale', 'down'] as const)('%s: answers 503 that names the venue and a retry time', (status) => {
    const pair = makePair({ venue: 'v1', symbol });
    const dead = { ...pair, venue: { ...pair.venue, status, refreshMs: 30_000 } };
    const books = makeBooks(NOW, []).view;
    for (const found of [topOfBook(dead, books), sizedQuote(dead, books, at(1000))]) {
      if (found.ok) throw new Error('answered');
      expect(found.error).toMatchObject({ code: 'not_ready', retryAfterSeconds: 30 });
      expect(found.error.detail).toContain(`the venue is ${status}`);
    }
  });
});

/** In the order that venues are walked, each takes what is left, up to its cap. */
function expectGreedy(route: readonly RouteLeg[], size: number): void {
  let left = size;
  for (const leg of [...route].sort(
    (a, b) => Number(a.rank_bps) - Number(b.rank_bps) || b.max_fillable_usd - a.max_fillable_usd,
  )) {
    expect(leg.slippage_bps).toBeLessThanOrEqual(Number(leg.rank_bps) + 1e-9);
    expect(leg.allocated_usd).toBeCloseTo(Math.min(left, leg.max_fillable_usd), 6);
    left -= leg.allocated_usd;
  }
}

describe('the book that a question about one venue waits for', () => {
  const pair = makePair({ venue: 'v1', symbol });

  test('a live venue whose books are read: its book', () => {
    expect(pairBook(pair)).toMatchObject([{ venue: 'v1', symbol }]);
  });

  test('a venue that is down, or has no book that is read: none', () => {
    const down = { ...pair, venue: { ...pair.venue, status: 'down' as const } };
    const indicative = { ...pair, row: { ...pair.row, hasBook: false } };
    const byCcxt = makePair({ venue: 'v1', symbol }, { source: 'ccxt' });
    for (const without of [down, indicative, byCcxt]) expect(pairBook(without)).toEqual([]);
  });
});

describe('a route over venues, by property', () => {
  const venues = fc.array(
    fc.record({ usd: fc.integer({ min: 0, max: 6000 }), count: fc.integer({ min: 1, max: 12 }) }),
    { minLength: 1, maxLength: 6 },
  );

  test('all caps together: filled, each leg inside its own', () => {
    fc.assert(
      fc.property(venues, fc.constantFrom(1000, 5000, 10_000), (shapes, size) => {
        const sketches = shapes.map(({ usd, count }, i) => sketch(`v${i + 1}`, Math.max(usd, 1), count));
        const books = makeBooks(NOW, sketches).view;
        const caps = sketches.map(({ venue }) => books.quote(venue, symbol)?.maxFillableUsd ?? 0);
        const found = multiVenueExecution(makeAsset(rows(shapes.length)), books, at(size as 1000));
        if (!found.ok) throw new Error(found.error.detail);
        const { body } = found.value;
        const wanted = Math.min(
          size,
          caps.reduce((sum, cap) => sum + cap, 0),
        );
        expect(body.total_filled_usd).toBeCloseTo(wanted, 6);
        expect(body.total_filled_usd + body.unfilled_usd).toBeCloseTo(size, 6);
        expect(body.venues_used).toBe(body.route.length);
        let weighted = 0;
        for (const leg of body.route) {
          expect(leg.allocated_usd).toBeGreaterThan(0);
          expect(leg.allocated_usd).toBeLessThanOrEqual(leg.max_fillable_usd);
          weighted += leg.allocated_usd * leg.slippage_bps;
        }
        expect(body.blended_slippage_bps).toBeCloseTo(weighted / body.total_filled_usd, 9);
        const shown = body.route.map((leg) => leg.slippage_bps);
        expect(shown).toEqual([...shown].sort((a, b) => a - b));
        expectGreedy(body.route, size);
        expectPublic(body);
      }),
    );
  });

  test('leg that takes the rest at less than its rank: listed first', () => {
    // v1 has two levels of 4,500 USD; v2 has levels of 3,000 USD with a narrower spread: dearer for 10,000, cheaper for 1,000.
    const books = makeBooks(NOW, [
      sketch('v1', 4500, 2),
      {
        venue: 'v2',
        symbol: 'BTCUSDT',
        bids: ladder(99.99, -0.2, 30, 5),
        asks: ladder(100.01, 0.2, 30, 5),
      },
    ]).view;
    const found = multiVenueExecution(makeAsset(rows(2)), books, at(10_000));
    if (!found.ok) throw new Error(found.error.detail);
    const [first, second] = found.value.body.route;
    expect([first?.venue, second?.venue]).toEqual(['v2', 'v1']);
    expect(Number(first?.rank_bps)).toBeGreaterThan(Number(second?.rank_bps));
    expect(first?.allocated_usd).toBeCloseTo(10_000 - Number(second?.max_fillable_usd), 6);
  });

  test('the order is by slippage at the smaller of size and cap', () => {
    const books = makeBooks(NOW, [sketch('v1', 500, 2), sketch('v2', 400, 2), sketch('v3', 30_000)]).view;
    const found = multiVenueExecution(makeAsset(rows(3)), books, at(10_000));
    if (!found.ok) throw new Error(found.error.detail);
    expect(found.value.body.route.map(({ venue }) => venue)).toEqual(['v3']);
    const thin = makeBooks(NOW, [sketch('v1', 5000, 2), sketch('v2', 400, 1)]).view;
    const two = multiVenueExecution(makeAsset(rows(2)), thin, at(10_000));
    if (!two.ok) throw new Error(two.error.detail);
    expect(two.value.body.route.map(({ venue }) => venue)).toEqual(['v2', 'v1']);
  });
});
