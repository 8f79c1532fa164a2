import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeMarket, type QuoteSketch } from '../market/market-fixture.ts';
import { makeRow } from '../market/row-fixture.ts';
import type { MarketView } from '../market/view.ts';
import { expectPublic, made } from './asset-fixture.ts';
import { arbitrageFunding } from './perp-arbitrage-funding.ts';
import { arbitragePrice } from './perp-arbitrage-price.ts';
import { askedIds, rwaCoverage } from './rwa-perp-coverage.ts';

type Quotes = Readonly<Record<string, readonly QuoteSketch[]>>;

function viewOf(quotes: Quotes) {
  const fixture = makeMarket();
  for (const [venue, list] of Object.entries(quotes)) {
    fixture.list(
      venue,
      list.map((quote) => quote.symbol).map((symbol) => ({ base: symbol, ticker: symbol, symbol })),
    );
    fixture.quote(venue, ...list.map((quote) => ({ volumeUsd: 1e6, ...quote })));
  }
  return fixture;
}

describe('funding scan', () => {
  const quotes: Quotes = {
    binance: [
      { symbol: 'BTC', mark: 100, rate: 0.0001, interval: 8 },
      { symbol: 'ETH', mark: 10, rate: 0.0001 },
      { symbol: 'DOGE', mark: 1, rate: 0.0003 },
      { symbol: 'ONLY', mark: 1, rate: 0.01 },
    ],
    bybit: [
      { symbol: 'BTC', mark: 100, rate: 0.0009, interval: 4 },
      { symbol: 'ETH', mark: 10, rate: 0.0002 },
      { symbol: 'DOGE', mark: 1, rate: -0.0006 },
    ],
    gate: [{ symbol: 'BTC', mark: 5000, rate: -0.4 }],
  };

  test('reports what exceeds the threshold, widest first, from comparable rows', () => {
    const { market } = viewOf(quotes);
    const { body } = made(arbitrageFunding(market.view, { min_diff: 0.0001, limit: 50, sort: 'raw' }));
    expect(body.opportunities.map((fixture) => fixture.ticker)).toEqual(['DOGE', 'BTC']);
    expect(body).toMatchObject({ min_diff: 0.0001, count: 2 });
    expect(body.opportunities[1]).toMatchObject({
      canonical_id: 'crypto:BTC',
      max_rate: 0.0009,
      min_rate: 0.0001,
      max_venue: 'bybit',
      min_venue: 'binance',
      venues_count: 2,
    });
    expect(body.opportunities[1]?.spread_bps).toBeCloseTo(8, 9);
    expect(body.opportunities[1]?.normalized_spread_8h_bps).toBeCloseTo(17, 9);
    expect(body.opportunities[0]?.normalized_spread_8h_bps).toBeNull();
    expectPublic(body);
  });

  test('names no venue as a source whose rate is too old to take part', () => {
    const rows = [
      makeRow({ venue: 'binance', mark: 100, rate: 0 }),
      makeRow({ venue: 'bybit', mark: 100, rate: 0.001 }),
      makeRow({ venue: 'gate', mark: 100, rate: 0.0005, rateFresh: false }),
    ];
    const view = { rows: () => rows, venues: () => [] } as unknown as MarketView;
    const { body, sources } = made(arbitrageFunding(view, { min_diff: 0.0001, limit: 50, sort: 'raw' }));
    expect(body.opportunities).toMatchObject([{ venues_count: 2 }]);
    expect(sources.used).toEqual(['binance', 'bybit']);
  });

  test('the best pair by eight-hour rate: reported beside the raw one', () => {
    const { market } = viewOf({
      binance: [
        { symbol: 'OMNI', mark: 10, rate: 0.004, interval: 8 },
        { symbol: 'SUSHI', mark: 1, rate: 0.00001, interval: 1 },
      ],
      bybit: [
        { symbol: 'OMNI', mark: 10, rate: -0.0005, interval: 1 },
        { symbol: 'SUSHI', mark: 1, rate: 0.00005, interval: 1 },
      ],
      gate: [
        { symbol: 'OMNI', mark: 10, rate: 0.0006, interval: 1 },
        { symbol: 'SUSHI', mark: 1, rate: 0.00005 },
      ],
    });
    const raw = made(arbitrageFunding(market.view, { min_diff: 0.0001, limit: 50, sort: 'raw' })).body;
    expect(raw.opportunities.map((fixture) => fixture.ticker)).toEqual(['OMNI']);
    const [omni] = raw.opportunities;
    expect(omni).toMatchObject({ max_venue: 'binance', min_venue: 'bybit' });
    expect(omni?.max_leg).toMatchObject({ venue: 'binance', venue_symbol: 'OMNI', quote: 'USDT' });
    expect(omni?.normalized?.short.venue).toBe('gate');
    expect(omni?.normalized?.long.venue).toBe('bybit');
    expect(omni?.normalized?.spread_8h_bps).toBeCloseTo(88, 9);
    expect(omni?.normalized?.apr_spread_pct).toBeCloseTo(88 * 10.95, 6);
    const best = made(
      arbitrageFunding(market.view, { min_diff: 0.0001, limit: 50, sort: 'normalized' }),
    ).body;
    expect(best.opportunities.map((fixture) => fixture.ticker)).toEqual(['OMNI', 'SUSHI']);
    expect(best.opportunities[1]?.normalized?.spread_8h_bps).toBeCloseTo(3.2, 9);
    expectPublic(best);
  });

  test('a spread without known intervals says why it has no normalized one', () => {
    const { market } = viewOf(quotes);
    const { body } = made(arbitrageFunding(market.view, { min_diff: 0.0005, limit: 50, sort: 'raw' }));
    const doge = body.opportunities.find((fixture) => fixture.ticker === 'DOGE');
    expect(doge?.normalized).toBeNull();
    expect(doge?.null_reasons).toEqual({
      normalized_spread_8h_bps: 'interval_unknown',
      normalized: 'interval_unknown',
    });
    expect(doge?.max_leg.null_reasons).toEqual({
      funding_interval_hours: 'interval_unknown',
      rate_8h: 'interval_unknown',
      funding_cap: 'not_published',
      funding_floor: 'not_published',
    });
  });

  test('limits after ordering; nothing found is an answer', () => {
    const { market } = viewOf(quotes);
    const limited = made(arbitrageFunding(market.view, { min_diff: 0, limit: 1, sort: 'raw' }));
    expect(limited.body.opportunities.map((fixture) => fixture.ticker)).toEqual(['DOGE']);
    const none = made(arbitrageFunding(market.view, { min_diff: 0.1, limit: 50, sort: 'raw' }));
    expect(none.body).toMatchObject({ count: 0, opportunities: [] });
    expect(none.asOf).toBe(market.view.rows()[0]?.fundingUpdatedAt);
  });

  test('fewer than two venues are fresh: 503, and no empty answer', () => {
    const fixture = viewOf(quotes);
    fixture.pass(30_000);
    const scan = () => arbitrageFunding(fixture.market.view, { min_diff: 0, limit: 50, sort: 'raw' });
    for (const fresh of [[], ['binance']]) {
      for (const venue of fresh) fixture.quote(venue, { symbol: 'BTC', mark: 100, rate: 0.0001 });
      fixture.market.sweep();
      expect(scan()).toMatchObject({ ok: false, error: { code: 'not_ready', retryAfterSeconds: 5 } });
    }
    fixture.quote('bybit', { symbol: 'BTC', mark: 100, rate: 0.0009 });
    fixture.market.sweep();
    const { body, sources } = made(scan());
    expect(body).toMatchObject({
      count: 3,
      venues_listed: 3,
      venues_considered: 2,
      venues_not_live: ['gate'],
    });
    expect(sources.missing).toEqual(['gate']);
  });

  test('one venue alone is collected: 404, since waiting brings no other', () => {
    const { market } = viewOf({ binance: quotes.binance ?? [] });
    const scan = arbitrageFunding(market.view, { min_diff: 0, limit: 50, sort: 'raw' });
    expect(scan).toMatchObject({ ok: false, error: { code: 'single_venue' } });
  });
});

describe('price scan', () => {
  test('measures marks against their middle, ties by ticker', () => {
    const { market } = viewOf({
      binance: [
        { symbol: 'B', mark: 100 },
        { symbol: 'A', mark: 200 },
        { symbol: 'C', mark: 5 },
      ],
      bybit: [
        { symbol: 'B', mark: 101 },
        { symbol: 'A', mark: 202 },
        { symbol: 'C', mark: 5.001 },
      ],
    });
    const { body } = made(arbitragePrice(market.view, { min_diff_bps: 10, limit: 50 }));
    expect(body.opportunities.map((fixture) => fixture.ticker)).toEqual(['A', 'B']);
    expect(body.opportunities[1]).toMatchObject({
      max_price: 101,
      min_price: 100,
      mid_price: 100.5,
      max_venue: 'bybit',
      min_venue: 'binance',
    });
    expect(body.opportunities[1]?.spread_bps).toBeCloseTo(99.50249, 4);
    expectPublic(body);
  });

  test('does not report the difference between two stable coins as a spread', () => {
    const fixture = makeMarket();
    const contract = (base: string, quote: string) => ({ base, ticker: base, symbol: base + quote, quote });
    const of = (base: string, quote: string, mark: number) => ({
      symbol: base + quote,
      mark,
      volumeUsd: 1e6,
    });
    fixture.list('binance', [contract('BTC', 'USDT'), contract('BTC', 'USDC'), contract('DOGE', 'USDT')]);
    fixture.list('bybit', [contract('DOGE', 'USDC'), contract('ETH', 'USDC')]);
    fixture.list('kraken', [contract('ETH', 'USD'), contract('XRP', 'USD')]);
    fixture.list('gate', [contract('XRP', 'USDT')]);
    // A USDC is worth 30 bps more than a USDT; DOGE costs the same in both.
    fixture.quote(
      'binance',
      of('BTC', 'USDT', 100_300),
      of('BTC', 'USDC', 100_000),
      of('DOGE', 'USDT', 1.003),
    );
    fixture.quote('bybit', of('DOGE', 'USDC', 1), of('ETH', 'USDC', 4000));
    fixture.quote('kraken', of('ETH', 'USD', 4020), of('XRP', 'USD', 2));
    fixture.quote('gate', of('XRP', 'USDT', 2.01));
    fixture.market.sweep();
    const { body } = made(arbitragePrice(fixture.market.view, { min_diff_bps: 10, limit: 50 }));
    expectPublic(body);
    expect(body.quote_rates).toMatchObject({
      unit: 'USDT',
      rates: [{ quote: 'USDC', samples: 1, venues: ['binance'] }],
    });
    expect(body.quote_rates.rates[0]?.rate).toBeCloseTo(1.003, 9);
    // No venue ties dollars to a coin: such legs are compared as they are, and say so.
    expect(
      body.opportunities.map((opportunity) => [
        opportunity.ticker,
        opportunity.quote_adjusted,
        opportunity.price_quote,
      ]),
    ).toEqual([
      ['ETH', false, null],
      ['XRP', false, null],
    ]);
    expect(body.opportunities[1]).toMatchObject({
      max_price: 2.01,
      max_leg: { quote: 'USDT', mark_price: 2.01 },
      min_leg: { quote: 'USD', venue_symbol: 'XRPUSD' },
      null_reasons: { price_quote: 'rate_unknown' },
    });
    const every = made(arbitragePrice(fixture.market.view, { min_diff_bps: 0, limit: 50 })).body
      .opportunities;
    expect(every.filter((opportunity) => opportunity.ticker === 'DOGE')).toEqual([]);
  });

  test('any marks: ordered, above the threshold and within the limit', () => {
    const marks = fc.array(fc.double({ min: 99, max: 101, noNaN: true }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(
        marks,
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 3 }),
        (list, minDiffBps, limit) => {
          const quote = (i: number) => ({ symbol: `T${i % 3}`, mark: list[i] ?? 100 });
          const { market } = viewOf({ binance: [0, 1, 2].map(quote), bybit: [3, 4, 5].map(quote) });
          const { opportunities } = made(
            arbitragePrice(market.view, { min_diff_bps: minDiffBps, limit }),
          ).body;
          expect(opportunities.length).toBeLessThanOrEqual(limit);
          for (const [i, found] of opportunities.entries()) {
            expect(found.spread_bps).toBeGreaterThan(minDiffBps);
            expect(found.mid_price).toBeCloseTo((found.max_price + found.min_price) / 2, 9);
            expect(opportunities[i - 1]?.spread_bps ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
              found.spread_bps,
            );
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('coverage of assets from outside crypto', () => {
  const fixture = viewOf({
    'hyperliquid-xyz': [
      { symbol: 'NVDA', mark: 220, rate: 0.00001, interval: 1 },
      { symbol: 'GOLD', mark: 4000 },
      { symbol: 'STX', mark: 900 },
    ],
    binance: [
      { symbol: 'BTC', mark: 100_000 },
      { symbol: 'XAU', mark: 4001 },
      { symbol: 'STX', mark: 0.3 },
    ],
  });

  test('says of a row why other products do not compare it', () => {
    const dead = makeRow({ canonicalId: 'equity:NVDA', assetClass: 'equity', reason: 'dead_market' });
    const alive = makeRow({ canonicalId: 'equity:TSLA', assetClass: 'equity' });
    const view = { rows: () => [dead, alive], venues: () => [] } as unknown as MarketView;
    const { assets } = made(rwaCoverage(view, undefined, undefined)).body;
    expect(assets.map(({ venues }) => venues[0]?.uncomparable_reason)).toEqual(['dead_market', undefined]);
  });

  test('groups venues by asset and leaves coins out', () => {
    const { body } = made(rwaCoverage(fixture.market.view, undefined, undefined));
    expect(body.assets.map((asset) => [asset.canonical_id, asset.venues_count])).toEqual([
      ['commodity:XAU', 2],
      ['equity:NVDA', 1],
      ['equity:STX', 1],
    ]);
    expect(body.assets[1]?.venues[0]).toMatchObject({
      venue: 'hyperliquid-xyz',
      symbol: 'NVDA',
      funding_rate: 0.00001,
      funding_interval_hours: 1,
      oracle_family: 'own-cex-basket',
    });
    expectPublic(body);
  });

  test('filters by class and by ticker', () => {
    const { view } = fixture.market;
    const ids = ({ ticker }: { ticker: string }) => {
      const asked = askedIds(view, ticker);
      if (!asked.ok) return asked.error.code;
      const found = rwaCoverage(view, asked.value, undefined);
      return found.ok ? found.value.body.assets.map((asset) => asset.canonical_id) : found.error.code;
    };
    const { assets } = made(rwaCoverage(view, undefined, 'commodity')).body;
    expect(assets.map((asset) => asset.canonical_id)).toEqual(['commodity:XAU']);
    expect(ids({ ticker: 'gold' })).toEqual(['commodity:XAU']);
    expect(ids({ ticker: 'STX' })).toBe('ambiguous_ticker');
    expect(ids({ ticker: 'equity:STX' })).toEqual(['equity:STX']);
    expect(ids({ ticker: 'NOPE' })).toBe('unknown_ticker');
  });

  test('a named asset that can be in no list: 404, nothing is charged', () => {
    const { view } = fixture.market;
    expect(rwaCoverage(view, new Set(['crypto:BTC']), undefined)).toMatchObject({
      error: {
        code: 'no_data',
        detail: expect.stringContaining('crypto:BTC has no fresh row of the class equity, '),
      },
    });
    expect(rwaCoverage(view, new Set(['commodity:XAU']), 'fx')).toMatchObject({
      error: { code: 'no_data', detail: expect.stringContaining('of the class fx') },
    });
    expect(made(rwaCoverage(view, undefined, 'fx')).body.count).toBe(0);
  });
});
