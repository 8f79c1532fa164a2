import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarketOptions } from '../market/live-table.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { FIXTURE_NOW, makeRow } from '../market/row-fixture.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { expectPublic, rowSketch } from './asset-fixture.ts';
import { fundingRow } from './funding/funding-row.ts';
import { pageOf, selectRows } from './funding-current.ts';
import { idleVenues } from './rows/scan.ts';

type Asked = Parameters<typeof pageOf>[1];
const ALL: Asked = { limit: 100, offset: 0, fresh: false, include_uncomparable: false, settled_means: false };

function fundingPage(view: MarketView, asked: Asked) {
  const selected = selectRows(view, asked);
  return selected.ok ? pageOf(selected.value, asked) : selected;
}

function market(options: Partial<MarketOptions> = {}) {
  const fixture = makeMarket(options);
  for (const venue of ['binance', 'bybit', 'gate']) {
    fixture.list(venue, ['BTC', 'ETH', { base: 'STX', assetClass: venue === 'gate' ? 'equity' : 'crypto' }]);
    const off = venue === 'gate' ? 1.2 : 1;
    fixture.quote(
      venue,
      { symbol: 'BTCUSDT', mark: 100 * off, rate: 0.0001, interval: 8, volumeUsd: 10 },
      { symbol: 'ETHUSDT', mark: 10, rate: 0.0001 },
      { symbol: 'STXUSDT', mark: venue === 'gate' ? 900 : 0.3, rate: 0.0001 },
    );
  }
  return fixture;
}

const { view } = market().market;

function ask(query: Partial<Asked>) {
  const result = fundingPage(view, { ...ALL, ...query });
  if (!result.ok) throw new Error(result.error.detail);
  return { ...result.value, rates: ratesOf(result.value.body) };
}

const ratesOf = ({ rows }: { readonly rows: readonly MarketRow[] }) =>
  rows.map((row) => fundingRow(row, FIXTURE_NOW));

describe('funding row', () => {
  test('has the fields in USD, and a reason only where a check failed', () => {
    const row = fundingRow(
      makeRow({ mark: 100, interestBase: 3, volumeUsd: 50, rate: 0.0002, interval: 4 }),
      FIXTURE_NOW,
    );
    expect(row).toStrictEqual({
      source_id: 1,
      venue: 'binance',
      symbol: 'BTC',
      rate: 0.0002,
      updated_at: '2026-11-20T21:29:59.000Z',
      funding_interval_hours: 4,
      rate_8h: 0.0004,
      canonical_id: 'crypto:BTC',
      asset_class: 'crypto',
      mark_price: 100,
      volume_24h: 50,
      open_interest: 300,
      venue_symbol: 'BTCUSDT',
      quote: 'USDT',
      multiplier: 1,
      index_price: 99_990,
      next_funding_time: '2026-11-20T22:30:00.000Z',
      annualized_pct: expect.closeTo(43.8, 9),
      funding_cap: null,
      funding_floor: null,
      null_reasons: { funding_cap: 'not_published', funding_floor: 'not_published' },
      rate_updated_at: '2026-11-20T21:29:59.000Z',
      mark_updated_at: '2026-11-20T21:29:59.000Z',
      open_interest_updated_at: '2026-11-20T21:29:59.000Z',
    });
    expect(fundingRow(makeRow({ reason: 'dead_market' }), FIXTURE_NOW).uncomparable_reason).toBe(
      'dead_market',
    );
  });

  test('is finite whatever is missing', () => {
    fc.assert(fc.property(rowSketch, (sketch) => expectPublic(fundingRow(makeRow(sketch), FIXTURE_NOW))));
  });
});

describe('current funding', () => {
  test('without a symbol gives every comparable row', () => {
    const { body, rates, sources, asOf } = ask({});
    expect(body).toMatchObject({
      symbol: 'ALL',
      comparable_only: true,
      total: 8,
      limit: 100,
      offset: 0,
      has_more: false,
    });
    expect(rates).toHaveLength(8);
    expect(rates.some((row) => 'uncomparable_reason' in row)).toBe(false);
    expect(sources).toEqual({ used: ['binance', 'bybit', 'gate'], missing: [] });
    expect(asOf).toBeDefined();
    expectPublic(rates);
  });

  test('adds rejected rows with their reason on request', () => {
    const { body, rates } = ask({ symbol: 'btc', include_uncomparable: true });
    expect(body).toMatchObject({ symbol: 'BTC', comparable_only: false, total: 3 });
    expect(rates[2]).toMatchObject({ venue: 'gate', uncomparable_reason: 'price_dispersion' });
    expect(ask({ symbol: 'BTC' }).body.total).toBe(2);
  });

  test('an ambiguous symbol gives the rows of all its assets', () => {
    expect(ask({ symbol: 'STX' }).rates.map((row) => row.canonical_id)).toEqual([
      'crypto:STX',
      'crypto:STX',
      'equity:STX',
    ]);
    expect(ask({ symbol: 'equity:STX' }).body.total).toBe(1);
  });

  test('pages cover every row once and in order', () => {
    const whole = ask({}).rates;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), (limit) => {
        const seen: unknown[] = [];
        for (let offset = 0, more = true; more; offset += limit) {
          const { body, rates } = ask({ limit, offset });
          expect(body.total).toBe(whole.length);
          seen.push(...rates);
          more = body.has_more;
        }
        expect(seen).toEqual(whole);
      }),
    );
    expect(ask({ offset: 500 }).body).toMatchObject({ rows: [], has_more: false, total: 8 });
  });

  test('a contract that is silent is not replaced by another one of its asset', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', { base: 'BTC', symbol: 'BTCUSDC', quote: 'USDC' }]);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100, rate: 0.0001 });
    const of = (symbol: string) => fundingPage(fixture.market.view, { ...ALL, symbol, venue: 'binance' });
    expect(of('BTCUSDC')).toMatchObject({ ok: false, error: { code: 'not_ready' } });
    expect(of('BTC')).toMatchObject({ ok: true });
  });

  test('unknown symbols are 404; an empty list is not sold', () => {
    const error = (fixture: ReturnType<typeof makeMarket>, symbol?: string) => {
      const result = fundingPage(fixture.market.view, { ...ALL, ...(symbol !== undefined && { symbol }) });
      return result.ok ? undefined : result.error.code;
    };
    const fixture = market();
    expect(error(fixture, 'NOPE')).toBe('unknown_ticker');
    const alone = makeMarket();
    alone.list('binance', ['BTC']);
    expect(error(alone)).toBe('not_ready');
    expect(error(alone, 'BTC')).toBe('not_ready');
    alone.quote('binance', { symbol: 'BTCUSDT', rate: 0.0001 });
    expect(error(alone, 'BTC')).toBe('no_data');
  });

  test('venues that are not live: missing by name, in no list over all', () => {
    const fixture = market();
    fixture.pass(20_000);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100, rate: 0.0001 });
    fixture.market.sweep();
    const btc = fundingPage(fixture.market.view, { ...ALL, symbol: 'BTC', include_uncomparable: true });
    expect(btc).toMatchObject({
      value: {
        body: { total: 1, venues_listed: 3, venues_considered: 1, venues_not_live: ['bybit', 'gate'] },
        sources: { used: ['binance'], missing: ['bybit', 'gate'] },
      },
    });
    const all = fundingPage(fixture.market.view, { ...ALL, include_uncomparable: true });
    expect(all.ok && new Set(ratesOf(all.value.body).map(({ venue }) => venue))).toEqual(
      new Set(['binance']),
    );
    const alone = fundingPage(fixture.market.view, { ...ALL, symbol: 'BTC', venue: 'bybit' });
    expect(alone).toMatchObject({
      value: { body: { total: 1, venues_listed: 1, venues_considered: 0, venues_not_live: ['bybit'] } },
    });
  });

  test('no row is fresh: 503, and the rows of a venue that is named', () => {
    const fixture = market();
    fixture.pass(120_000);
    fixture.market.sweep();
    for (const asked of [{}, { symbol: 'BTC' }, { include_uncomparable: true }]) {
      const page = fundingPage(fixture.market.view, { ...ALL, ...asked });
      expect(page).toMatchObject({ ok: false, error: { code: 'not_ready' } });
    }
    expect(fundingPage(fixture.market.view, { ...ALL, venue: 'binance' })).toMatchObject({ ok: true });
  });

  test('the rate is older than a rate may be: in no list over all venues', () => {
    const fixture = market();
    fixture.pass(120_000);
    for (const venue of ['binance', 'bybit']) fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100 });
    fixture.market.sweep();
    const over = fundingPage(fixture.market.view, { ...ALL, symbol: 'BTC' });
    expect(over).toMatchObject({ ok: false, error: { code: 'not_ready' } });
    expect(fundingPage(fixture.market.view, { ...ALL, symbol: 'BTC', venue: 'bybit' })).toMatchObject({
      value: { body: { rows: [{ rateFresh: false }] } },
    });
  });

  test.each([
    ['down is named as missing', undefined, ['gate']],
    ['collected no more is not', true, []],
  ] as const)('a venue without contracts that is %s', (_, retired, missing) => {
    const gate = { status: 'down', ...(retired && { retired }) } as const;
    const fixture = market({ health: (venue) => (venue === 'gate' ? gate : { status: 'live' }) });
    fixture.market.sink.instruments('gate', [], fixture.now());
    fixture.market.sweep();
    const { view } = fixture.market;
    const result = fundingPage(view, ALL);
    expect(result.ok && result.value.sources).toEqual({ used: ['binance', 'bybit'], missing });
    expect(idleVenues(view)).toEqual(missing);
    expect(view.venue('gate')?.isRetired).toBe(retired === true);
  });
});

describe('a choice of rows', () => {
  const fixture = makeMarket();
  fixture.list('binance', [
    'BTC',
    { base: 'ETH' },
    { base: 'ETH', symbol: 'ETHUSDC', quote: 'USDC', settle: 'USDC' },
  ]);
  fixture.list('bybit', ['BTC', { base: 'NVDA', assetClass: 'equity' }]);
  fixture.quote(
    'binance',
    { symbol: 'BTCUSDT', mark: 100, rate: 0.0003, interval: 8, volumeUsd: 50, interestUsd: 7 },
    { symbol: 'ETHUSDT', mark: 10, rate: -0.0001, interval: 1, volumeUsd: 90 },
    { symbol: 'ETHUSDC', mark: 10, rate: 0.0009, interval: 1, volumeUsd: 9 },
  );
  fixture.quote(
    'bybit',
    { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, volumeUsd: 20, interestUsd: 9 },
    { symbol: 'NVDAUSDT', mark: 180, volumeUsd: 60 },
  );
  const rowsOf = (query: Partial<Asked>) => {
    const result = fundingPage(fixture.market.view, { ...ALL, ...query });
    return result.ok
      ? ratesOf(result.value.body).map(({ venue, symbol }) => `${venue} ${symbol}`)
      : result.error.code;
  };

  test('is of one venue, in any case but of no look-alike', () => {
    expect(rowsOf({ venue: 'ByBit' })).toEqual(['bybit BTC', 'bybit NVDA']);
    expect(rowsOf({ venue: 'bınance' })).toBe('unknown_venue');
    expect(rowsOf({ venue: 'bybit', symbol: 'ETH' })).toBe('not_listed');
    const one = fundingPage(fixture.market.view, { ...ALL, venue: 'binance', symbol: 'ETHUSDC' });
    expect(one).toMatchObject({
      value: { body: { total: 1, rows: [{ symbol: 'ETHUSDC', fundingRate: 0.0009 }] } },
    });
  });

  test('is of one class of assets', () => {
    expect(rowsOf({ asset_class: 'equity' })).toEqual(['bybit NVDA']);
    expect(rowsOf({ asset_class: 'fx' })).toBe('no_data');
  });

  test('is in the order asked for, what is not known last', () => {
    const all = ['binance BTC', 'bybit BTC', 'binance ETH', 'bybit NVDA'];
    expect(rowsOf({})).toEqual(all);
    expect(rowsOf({ sort: '-volume_24h' })).toEqual([
      'binance ETH',
      'bybit NVDA',
      'binance BTC',
      'bybit BTC',
    ]);
    expect(rowsOf({ sort: 'rate' })).toEqual(['binance ETH', 'bybit BTC', 'binance BTC', 'bybit NVDA']);
    expect(rowsOf({ sort: 'rate_8h' })).toEqual(['binance ETH', 'binance BTC', 'bybit BTC', 'bybit NVDA']);
    expect(rowsOf({ sort: '-annualized_pct' })).toEqual([
      'binance BTC',
      'binance ETH',
      'bybit BTC',
      'bybit NVDA',
    ]);
    expect(rowsOf({ sort: '-open_interest' }).slice(0, 2)).toEqual(['bybit BTC', 'binance BTC']);
  });

  test('only fresh rows asked for: old and rateless ones are left out', () => {
    expect(rowsOf({ fresh: true })).toEqual(['binance BTC', 'bybit BTC', 'binance ETH']);
  });
});
