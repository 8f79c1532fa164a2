import { describe, expect, test } from 'vitest';
import type { VenueHealth } from '../collect/ports.ts';
import { publishedFixture } from '../domain/amount-fixture.ts';
import { asBps, asMs } from '../domain/units.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { expectPublic, makeTracked } from './asset-fixture.ts';
import { oracleFamilies } from './perp-oracle-families.ts';
import { previewRates } from './preview-funding-current.ts';
import { PREVIEW_ASSETS } from './rows/preview-assets.ts';
import { judgeVenues } from './venues-health.ts';
import { listVenues } from './venues-list.ts';

describe('venue list', () => {
  test('says what is known, and null for the rest', () => {
    const list = listVenues([
      makeTracked({ takerFeeBps: asBps(5) }),
      makeTracked({
        id: 'hyperliquid-xyz',
        sourceId: 1000,
        kind: 'dex',
        parent: 'hyperliquid',
        hasIndex: false,
      }),
      makeTracked({ id: 'bitfinex', sourceId: 1001, source: 'ccxt' }),
    ]);
    expect(list).toStrictEqual([
      {
        source_id: 1,
        name: 'binance',
        display_name: 'Binance',
        type: 'cex',
        tracked_symbols: 10,
        funding_intervals: [4, 8],
        taker_fee_bps: 5,
        parent: null,
        has_index: true,
        source: 'native',
        open_interest: publishedFixture.openInterest,
        historical_open_interest: null,
        volume_24h: publishedFixture.volume,
        verified: publishedFixture.verified,
      },
      expect.objectContaining({
        source_id: 1000,
        parent: 'hyperliquid',
        taker_fee_bps: null,
        has_index: false,
        source: 'native',
      }),
      expect.objectContaining({ source_id: 1001, name: 'bitfinex', source: 'ccxt' }),
    ]);
  });
});

describe('venue health', () => {
  const known: VenueHealth = {
    venue: 'binance',
    status: 'stale',
    lastUpdateAt: asMs(FIXTURE_NOW - 90_500),
    since: asMs(FIXTURE_NOW - 75_500),
    rejects5m: 3,
    rejectsByReason: { malformed: 3 },
    errorRate5m: 0.25,
    lastError: 'HTTP 503',
  };

  test('joins the health board with the table', () => {
    const entries = judgeVenues([makeTracked(), makeTracked({ id: 'gate', sourceId: 2 })], {
      now: FIXTURE_NOW,
      health: (venue) => (venue === 'binance' ? known : undefined),
      books: () => 7,
      payments: [27, 26].map((statedDays) => ({
        canonicalId: 'crypto:BTC',
        venue: 'binance',
        symbol: String(statedDays),
        lastAt: FIXTURE_NOW,
        spans: [{ days: 30, payments: 1, rateSum: 0, hours: statedDays * 24, unknown: 0 }],
      })),
    });
    expect(entries[0]).toStrictEqual({
      source_id: 1,
      venue: 'binance',
      type: 'cex',
      status: 'stale',
      last_update_at: '2026-11-20T21:28:29.500Z',
      age_seconds: 90.5,
      tracked_symbols: 10,
      fresh_symbols: 9,
      books: 7,
      rejects_5m: 3,
      rejects_by_reason: { malformed: 3 },
      settled_contracts: 2,
      settled_contracts_30d: 1,
      error_rate_5m: 0.25,
      last_error: 'HTTP 503',
      since: '2026-11-20T21:28:44.500Z',
    });
    expect(entries[1]).toMatchObject({
      status: 'live',
      settled_contracts: 0,
      last_update_at: null,
      age_seconds: null,
      since: null,
    });
    expectPublic(entries);
  });
});

describe('oracle families', () => {
  const venues = [
    makeTracked({ id: 'binance' }),
    makeTracked({
      id: 'extended',
      index: { family: 'stork', description: 'Stork nodes', evidence: 'documented' },
    }),
    makeTracked({ id: 'gate' }),
    makeTracked({ id: 'aster', hasIndex: false }),
    makeTracked({
      id: 'odd',
      index: { family: 'odd-feed', description: 'Says nothing', evidence: 'unknown' },
    }),
  ];

  test('group venues by the upstream of their index', () => {
    const result = oracleFamilies(venues);
    if (!result.ok) throw new Error(result.error.detail);
    const { body } = result.value;
    expect(
      body.families.map((fixture) => [
        fixture.family,
        fixture.upstream,
        fixture.venues.map((venue) => venue.venue),
      ]),
    ).toEqual([
      ['odd-feed', null, ['odd']],
      ['own-cex-basket', null, ['binance', 'gate']],
      ['stork', 'Stork', ['extended']],
    ]);
    expect(body.venues_without_index).toEqual(['aster']);
    expect(body.families[2]?.venues[0]).toEqual({
      venue: 'extended',
      evidence: 'documented',
      source: 'Stork nodes',
      correlation: null,
      lead_lag_ms: null,
      resolution_ms: null,
    });
    expectPublic(body);
  });

  test('no venue is 404', () => {
    expect(oracleFamilies([])).toMatchObject({ error: { code: 'no_data' } });
  });
});

describe('preview of current funding', () => {
  const fixture = makeMarket({ snapshotAssets: PREVIEW_ASSETS });
  for (const [i, venue] of ['binance', 'bybit', 'gate', 'okx'].entries()) {
    fixture.list(venue, ['BTC', 'XRP']);
    fixture.quote(
      venue,
      { symbol: 'BTCUSDT', mark: 98_765.4321, rate: 0.000123456, interval: 8, volumeUsd: 1000 * (i + 1) },
      { symbol: 'XRPUSDT', mark: 2.123456, rate: -0.0000987654, volumeUsd: 1000 },
    );
  }
  fixture.market.sweep();

  test('is empty until values are a minute old', () => {
    fixture.pass(59_000);
    expect(previewRates(fixture.market.view, fixture.now()).body).toMatchObject({ rates: [], as_of: null });
  });

  test('then shows three venues an asset, coarse and with true times', () => {
    fixture.quote('okx', { symbol: 'BTCUSDT', mark: 50_000, rate: 0.01 });
    fixture.pass(1000);
    const { body, asOf } = previewRates(fixture.market.view, fixture.now());
    expect(body.rates.map((row) => [row.symbol, row.venue])).toEqual([
      ['BTC', 'okx'],
      ['BTC', 'gate'],
      ['BTC', 'bybit'],
      ['XRP', 'binance'],
      ['XRP', 'bybit'],
      ['XRP', 'gate'],
    ]);
    expect(body.rates[0]).toMatchObject({ rate: 0.0001235, rate_8h: 0.0001235, mark_price: 98_770 });
    expect(body.rates[3]).toMatchObject({ rate: -0.00009877, rate_8h: null, mark_price: 2.123 });
    expect(body.as_of).toBe(body.rates[0]?.updated_at);
    expect(asOf).toBe(FIXTURE_NOW);
    expect(body).toMatchObject({
      preview: true,
      delay_seconds: 60,
      paid_full_endpoint: '/v1/funding/current',
    });
    expectPublic(body);
  });

  test('has no number of the market with more than four digits', () => {
    const own = makeMarket({ snapshotAssets: PREVIEW_ASSETS });
    own.list('binance', ['BTC']);
    own.quote('binance', {
      symbol: 'BTCUSDT',
      mark: 98_765.4321,
      index: 98_761.2345,
      rate: 0.000123456,
      interval: 8,
      volumeUsd: 1_234_567.89,
      interestUsd: 123_456.789,
    });
    own.market.sweep();
    own.pass(60_000);
    const { rates } = previewRates(own.market.view, own.now()).body;
    expect(rates).toMatchObject([{ index_price: 98_760, annualized_pct: 13.52 }]);
    const exact = new Set(['source_id', 'funding_interval_hours', 'multiplier']);
    const numbers = rates.flatMap((row) =>
      Object.entries(row).flatMap(([name, x]) =>
        typeof x === 'number' && !exact.has(name) ? [[name, x]] : [],
      ),
    );
    expect(new Set(numbers.map(([name]) => name)).size).toBe(7);
    for (const [name, x] of numbers) expect([name, Number(Number(x).toPrecision(4))]).toEqual([name, x]);
  });
});
