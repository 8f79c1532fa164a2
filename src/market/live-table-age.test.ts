import { describe, expect, test } from 'vitest';
import { asMs, asPrice } from '../domain/units.ts';
import type { VenueStatus } from '../domain/venue.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

describe('a clock that was set back', () => {
  test('ages what was received before from then on', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    fixture.pass(1000);
    fixture.pass(-HOUR_MS);
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toMatchObject({
      updatedAt: fixture.now(),
      fresh: true,
    });
    fixture.pass(MINUTE_MS + 1);
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
    fixture.pass(15 * MINUTE_MS);
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toBeUndefined();
  });

  test('does not keep the table from being judged, in parts or by a reader', () => {
    let now = asMs(Date.UTC(2026, 9, 20, 12));
    let status = 'live' as VenueStatus;
    const fixture = makeMarket({ clock: { now: () => now }, health: () => ({ status }) });
    fixture.list('binance', ['BTC']);
    fixture.market.sink.quotes('binance', [{ symbol: 'BTCUSDT', markPrice: asPrice(1) }], now);
    fixture.market.sweepPart(1);
    now = asMs(now - HOUR_MS);
    status = 'stale';
    fixture.market.sweepPart(1);
    expect(fixture.market.view.venue('binance')?.status).toBe('stale');
    now = asMs(now - HOUR_MS);
    status = 'down';
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
    expect(fixture.market.view.venue('binance')?.status).toBe('down');
  });

  test('leaves no snapshot of rows of a time that is still to come', () => {
    const fixture = makeMarket({ snapshotAssets: ['crypto:BTC'] });
    fixture.list('binance', ['BTC']);
    const marksAsOf = (age: number) =>
      fixture.market.view
        .rowsAsOf('crypto:BTC', asMs(fixture.now() - age))
        ?.map(({ markPrice }) => markPrice);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    fixture.pass(10_000);
    expect(marksAsOf(0)).toEqual([1]);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 2 });
    fixture.pass(-HOUR_MS);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 3 });
    fixture.pass(10_000);
    expect([marksAsOf(0), marksAsOf(10_000), marksAsOf(20_000)]).toEqual([[3], [2], undefined]);
  });
});

describe('what is restated', () => {
  const restate = (fixture: ReturnType<typeof makeMarket>, mark: number) =>
    fixture.market.sink.quotes(
      'binance',
      [{ symbol: 'BTCUSDT', markPrice: asPrice(mark), restated: true }],
      fixture.now(),
    );

  test('is as young as the restatement where it still is what it was', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    fixture.pass(MINUTE_MS);
    restate(fixture, 1);
    fixture.pass(MINUTE_MS);
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect(row?.markPrice).toBe(1);
    expect(fixture.now() - (row?.updatedAt ?? 0)).toBe(MINUTE_MS);
  });

  test('changes nothing where another value has come since, or none was known', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    restate(fixture, 1);
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toBeUndefined();
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 2 });
    fixture.pass(1000);
    restate(fixture, 1);
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect([row?.markPrice, fixture.now() - (row?.updatedAt ?? 0)]).toEqual([2, 1000]);
  });

  test('makes no late message of what the venue stamped before the restatement', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, venueTime: fixture.now() });
    fixture.pass(20_000);
    restate(fixture, 1);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 2, venueTime: fixture.now() - 300 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.markPrice).toBe(2);
  });
});

describe('age in the live table', () => {
  test('a settlement stated as next has passed: the row changes', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    const next = fixture.now() + 8000;
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, next, interval: 8 });
    const before = fixture.market.view.rows()[0];
    fixture.pass(7000);
    expect(fixture.market.view.rows()[0]).toBe(before);
    fixture.pass(1001);
    expect(fixture.market.view.rows()[0]?.version).toBeGreaterThan(before?.version ?? 0);
  });

  test('fresh for a minute while the venue is live', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', 'ETH']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 }, { symbol: 'ETHUSDT', mark: 1 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(true);
    fixture.pass(MINUTE_MS);
    fixture.quote('binance', { symbol: 'ETHUSDT', mark: 1 });
    fixture.pass(1);
    expect(fixture.market.view.row('binance', 'crypto:ETH')?.fresh).toBe(true);
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
  });

  test('not fresh when the venue is not live, however young the mark', () => {
    const fixture = makeMarket({ health: () => ({ status: 'stale' }) });
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
    expect(fixture.market.view.venue('binance')?.status).toBe('stale');
  });

  test('a row leaves every list after 15 minutes and stays listed', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, rate: 0.0001 });
    fixture.pass(15 * MINUTE_MS);
    expect(fixture.market.view.rows()).toHaveLength(1);
    fixture.pass(1);
    expect(fixture.market.view.rows()).toHaveLength(0);
    expect(fixture.market.view.rowsOf('crypto:BTC')).toHaveLength(0);
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toBeUndefined();
    expect(fixture.market.view.lists('binance', 'crypto:BTC')).toBe(true);
  });

  test('a field that is not restated expires, the rest of the row stays', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, rate: 0.0001, interval: 8 });
    fixture.pass(10 * MINUTE_MS);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 2 });
    fixture.pass(6 * MINUTE_MS);
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect(row?.markPrice).toBe(2);
    expect(row?.fundingRate).toBeUndefined();
    expect(row?.fundingIntervalHours).toBe(8);
  });

  test('a read sweeps when the last sweep is well over a second old', () => {
    let time = asMs(1_790_000_000_000);
    const fixture = makeMarket({ clock: { now: () => time } });
    fixture.list('binance', ['BTC']);
    fixture.market.sink.quotes('binance', [{ symbol: 'BTCUSDT', markPrice: asPrice(1) }], time);
    expect(fixture.market.view.rows()).toHaveLength(1);
    time = asMs(time + 16 * MINUTE_MS);
    expect(fixture.market.view.rows()).toHaveLength(0);
  });

  test('status is judged by the age of quotes: live, stale, down', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.market.sweep();
    expect(fixture.market.view.venue('binance')?.status).toBe('down');
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    fixture.pass(15_000);
    expect(fixture.market.view.venue('binance')?.status).toBe('live');
    fixture.pass(1);
    expect(fixture.market.view.venue('binance')?.status).toBe('stale');
    fixture.pass(15 * MINUTE_MS);
    expect(fixture.market.view.venue('binance')?.status).toBe('down');
  });
});

describe('a sweep in parts', () => {
  /** Two venues of three assets, of which one stands alone. */
  function listed() {
    let time = asMs(1_790_000_000_000);
    const fixture = makeMarket({ clock: { now: () => time } });
    fixture.list('binance', ['BTC', 'ETH', 'SOL'], { sourceId: 1 });
    fixture.list('okx', ['BTC', 'ETH'], { sourceId: 2 });
    const mark = (venue: string, base: string) => ({
      symbol: `${base}USDT`,
      markPrice: asPrice(base === 'ETH' && venue === 'okx' ? 900 : 100),
    });
    for (const venue of ['binance', 'okx']) {
      fixture.market.sink.quotes(venue, [mark(venue, 'BTC'), mark(venue, 'ETH'), mark(venue, 'SOL')], time);
    }
    fixture.market.view.rows();
    return { ...fixture, pass: (ms: number) => (time = asMs(time + ms)) };
  }

  test('has the result of a complete sweep', () => {
    const parts = listed();
    const whole = listed();
    for (const fixture of [parts, whole]) fixture.pass(90_000);
    for (let i = 0; i < 4; i++) parts.market.sweepPart(0.3);
    whole.market.sweep();
    expect(parts.market.view.rows()).toEqual(whole.market.view.rows());
    expect(parts.market.view.rows().every(({ fresh }) => !fresh)).toBe(true);
    expect(parts.market.view.venues()).toEqual(whole.market.view.venues());
  });

  test('the last part of a list: venue counts change, and the sweep follows', () => {
    const { market, pass } = listed();
    market.sweep();
    expect(market.view.venue('binance')?.freshSymbols).toBe(3);
    pass(999);
    for (let i = 0; i < 9; i++) market.sweepPart(1);
    pass(89_001);
    market.sweepPart(0.3);
    market.sweepPart(0.3);
    expect(market.view.venue('binance')?.freshSymbols).toBe(3);
    market.sweepPart(0.4);
    market.sweepPart(0.4);
    expect(market.view.venue('binance')?.freshSymbols).toBe(0);
  });
});
