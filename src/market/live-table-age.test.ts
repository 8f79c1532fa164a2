import { describe, expect, test } from 'vitest';
import { asMs, asPrice } from '../domain/units.ts';
import type { VenueStatus } from '../domain/venue.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

describe('a clock that was set back', () => {
  const HOUR_MS = 3_600_000;

  test('ages what was received before from then on', () => {
    const it = makeMarket();
    it.list('binance', ['BTC']);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    it.pass(1000);
    it.pass(-HOUR_MS);
    expect(it.market.view.row('binance', 'crypto:BTC')).toMatchObject({ updatedAt: it.now(), fresh: true });
    it.pass(MINUTE_MS + 1);
    expect(it.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
    it.pass(15 * MINUTE_MS);
    expect(it.market.view.row('binance', 'crypto:BTC')).toBeUndefined();
  });

  test('does not keep the table from being judged, in parts or by who reads it', () => {
    let [now, status] = [asMs(Date.UTC(2026, 9, 20, 12)), 'live' as VenueStatus];
    const it = makeMarket({ clock: { now: () => now }, health: () => status });
    it.list('binance', ['BTC']);
    it.market.sink.quotes('binance', [{ symbol: 'BTCUSDT', markPrice: asPrice(1) }], now);
    it.market.sweepPart(1);
    now = asMs(now - HOUR_MS);
    status = 'stale';
    it.market.sweepPart(1);
    expect(it.market.view.venue('binance')?.status).toBe('stale');
    now = asMs(now - HOUR_MS);
    status = 'down';
    expect(it.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
    expect(it.market.view.venue('binance')?.status).toBe('down');
  });

  test('leaves no snapshot of rows of a time that is still to come', () => {
    const it = makeMarket({ snapshotAssets: ['crypto:BTC'] });
    it.list('binance', ['BTC']);
    const marksAsOf = (age: number) =>
      it.market.view.rowsAsOf('crypto:BTC', asMs(it.now() - age))?.map(({ markPrice }) => markPrice);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    it.pass(10_000);
    expect(marksAsOf(0)).toEqual([1]);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 2 });
    it.pass(-HOUR_MS);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 3 });
    it.pass(10_000);
    expect([marksAsOf(0), marksAsOf(10_000), marksAsOf(20_000)]).toEqual([[3], [2], undefined]);
  });
});

describe('age', () => {
  test('fresh for a minute while the venue is live', () => {
    const it = makeMarket();
    it.list('binance', ['BTC', 'ETH']);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1 }, { symbol: 'ETHUSDT', mark: 1 });
    expect(it.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(true);
    it.pass(MINUTE_MS);
    it.quote('binance', { symbol: 'ETHUSDT', mark: 1 });
    it.pass(1);
    expect(it.market.view.row('binance', 'crypto:ETH')?.fresh).toBe(true);
    expect(it.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
  });

  test('not fresh when the venue is not live, however young the mark', () => {
    const it = makeMarket({ health: () => 'stale' });
    it.list('binance', ['BTC']);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    expect(it.market.view.row('binance', 'crypto:BTC')?.fresh).toBe(false);
    expect(it.market.view.venue('binance')?.status).toBe('stale');
  });

  test('a row leaves every list after 15 minutes and stays listed', () => {
    const it = makeMarket();
    it.list('binance', ['BTC']);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1, rate: 0.0001 });
    it.pass(15 * MINUTE_MS);
    expect(it.market.view.rows()).toHaveLength(1);
    it.pass(1);
    expect(it.market.view.rows()).toHaveLength(0);
    expect(it.market.view.rowsOf('crypto:BTC')).toHaveLength(0);
    expect(it.market.view.row('binance', 'crypto:BTC')).toBeUndefined();
    expect(it.market.view.lists('binance', 'crypto:BTC')).toBe(true);
  });

  test('a field that is not restated expires, the rest of the row stays', () => {
    const it = makeMarket();
    it.list('binance', ['BTC']);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1, rate: 0.0001, interval: 8 });
    it.pass(10 * MINUTE_MS);
    it.quote('binance', { symbol: 'BTCUSDT', mark: 2 });
    it.pass(6 * MINUTE_MS);
    const row = it.market.view.row('binance', 'crypto:BTC');
    expect(row?.markPrice).toBe(2);
    expect(row?.fundingRate).toBeUndefined();
    expect(row?.fundingIntervalHours).toBe(8);
  });

  test('a read sweeps when the last sweep is well over a second old', () => {
    let time = asMs(1_790_000_000_000);
    const it = makeMarket({ clock: { now: () => time } });
    it.list('binance', ['BTC']);
    it.market.sink.quotes('binance', [{ symbol: 'BTCUSDT', markPrice: asPrice(1) }], time);
    expect(it.market.view.rows()).toHaveLength(1);
    time = asMs(time + 16 * MINUTE_MS);
    expect(it.market.view.rows()).toHaveLength(0);
  });

  test('status is judged by the age of quotes: live, stale, down', () => {
    const it = makeMarket();
    it.list('binance', ['BTC']);
    it.market.sweep();
    expect(it.market.view.venue('binance')?.status).toBe('down');
    it.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    it.pass(15_000);
    expect(it.market.view.venue('binance')?.status).toBe('live');
    it.pass(1);
    expect(it.market.view.venue('binance')?.status).toBe('stale');
    it.pass(15 * MINUTE_MS);
    expect(it.market.view.venue('binance')?.status).toBe('down');
  });
});

describe('a sweep in parts', () => {
  /** Two venues of three assets, of which one stands alone. */
  function listed() {
    let time = asMs(1_790_000_000_000);
    const it = makeMarket({ clock: { now: () => time } });
    it.list('binance', ['BTC', 'ETH', 'SOL'], { sourceId: 1 });
    it.list('okx', ['BTC', 'ETH'], { sourceId: 2 });
    const mark = (venue: string, base: string) => ({
      symbol: `${base}USDT`,
      markPrice: asPrice(base === 'ETH' && venue === 'okx' ? 900 : 100),
    });
    for (const venue of ['binance', 'okx']) {
      it.market.sink.quotes(venue, [mark(venue, 'BTC'), mark(venue, 'ETH'), mark(venue, 'SOL')], time);
    }
    it.market.view.rows();
    return { ...it, pass: (ms: number) => (time = asMs(time + ms)) };
  }

  test('has the result of a complete sweep', () => {
    const [parts, whole] = [listed(), listed()];
    for (const it of [parts, whole]) it.pass(90_000);
    for (let i = 0; i < 4; i++) parts.market.sweepPart(0.3);
    whole.market.sweep();
    expect(parts.market.view.rows()).toEqual(whole.market.view.rows());
    expect(parts.market.view.rows().every(({ fresh }) => !fresh)).toBe(true);
    expect(parts.market.view.venues()).toEqual(whole.market.view.venues());
  });

  test('counts of a venue change with the last part, and the next sweep begins a second after the first', () => {
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
