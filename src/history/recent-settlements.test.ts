import { describe, expect, test } from 'vitest';
import { asMs, asRate, type UnixMs } from '../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import { RecentSettlements } from './recent-settlements.ts';
import type { Settlement } from './sample.ts';

const NOW = asMs(Date.UTC(2026, 9, 20));

/** Hourly payments of one contract, the newest an hour ago. */
const payments = (count: number, origin: Settlement['origin'], symbol = 'BTCUSDT'): readonly Settlement[] =>
  Array.from({ length: count }, (_, i) => ({
    canonicalId: 'crypto:BTC',
    ticker: 'BTC',
    venue: 'binance',
    symbol,
    listedAt: asMs(0),
    at: asMs(NOW - (i + 1) * HOUR_MS),
    origin,
    rate: asRate(0.0001),
  }));

describe('settlements that were written lately', () => {
  const later = (ms: number): UnixMs => asMs(NOW + ms);

  test('are not new when a venue repeats them, however many it tells at once', () => {
    const recent = new RecentSettlements();
    const told = payments(720, 'settled');
    expect(recent.fresh(told, NOW)).toEqual(told);
    expect(recent.fresh(told, NOW)).toEqual([]);
    expect(recent.fresh(payments(720, 'backfilled'), NOW)).toEqual([]);
  });

  test('a back-fill: remembered as far as a usual answer reaches', () => {
    const recent = new RecentSettlements();
    const filled = payments(720, 'backfilled');
    expect(recent.fresh(filled, NOW)).toEqual(filled);
    expect(recent.fresh(payments(64, 'settled'), NOW)).toEqual([]);
    expect(recent.fresh(filled, NOW)).toEqual(filled.slice(64));
  });

  test('a contract silent for days: forgotten, but not by a clock set back', () => {
    const recent = new RecentSettlements();
    const gone = payments(2, 'settled', 'GONEUSDT');
    const paid = payments(2, 'settled');
    for (const told of [gone, paid]) recent.fresh(told, NOW);
    for (let days = 1; days <= 4; days++) expect(recent.fresh(paid, later(days * DAY_MS))).toEqual([]);
    expect(recent.fresh(gone, later(4 * DAY_MS))).toEqual(gone);
    recent.fresh(paid, later(0));
    expect(recent.fresh(gone, later(DAY_MS))).toEqual([]);
  });
});
