import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { iso } from '../domain/clock.ts';
import { asMs } from '../domain/units.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { expectPublic, makeAsset, rowSketches } from './asset-fixture.ts';
import { fundingSpreadSnapshot } from './funding-spread-symbol.ts';
import { fundingSpread } from './perp-funding-spread.ts';

describe('funding spread', () => {
  test('is long the lowest and short the highest raw rate', () => {
    const asset = makeAsset([
      { rate: 0.0001, interval: 8, age: 1000 },
      { rate: -0.0002, interval: 4, age: 5000 },
      { rate: 0.0004, interval: 8, age: 2000, fundingAge: 9000 },
    ]);
    const result = fundingSpread(asset);
    expect(result).toMatchObject({
      ok: true,
      value: {
        asOf: FIXTURE_NOW - 9000,
        sources: { used: ['v1', 'v2', 'v3'], missing: [] },
        body: {
          ticker: 'BTC',
          venues_count: 3,
          spread: {
            ticker: 'BTC',
            long_venue: 'v2',
            long_rate: -0.0002,
            short_venue: 'v3',
            short_rate: 0.0004,
            updated_at: iso(asMs(FIXTURE_NOW - 9000)),
            short_interval_hours: 8,
            long_interval_hours: 4,
          },
        },
      },
    });
    if (!result.ok) return;
    const { spread } = result.value.body;
    expect(spread.spread_bps).toBeCloseTo(6, 9);
    expect(spread.normalized_spread_8h_bps).toBeCloseTo(8, 9);
    expect(spread.apr_spread_pct).toBeCloseTo(87.6, 9);
    expectPublic(result.value.body);
  });

  test('the normalized spread of the same legs can be negative', () => {
    const result = fundingSpread(
      makeAsset([
        { rate: 0.0001, interval: 1 },
        { rate: 0.0002, interval: 8 },
      ]),
    );
    expect(result.ok && result.value.body.spread.normalized_spread_8h_bps).toBeCloseTo(-6, 9);
  });

  test('an unknown interval: the leg stays, normalized fields are null', () => {
    const result = fundingSpread(makeAsset([{ rate: 0.0001, interval: undefined }, { rate: 0.0003 }]));
    expect(result).toMatchObject({
      value: {
        body: { spread: { long_interval_hours: null, normalized_spread_8h_bps: null, apr_spread_pct: null } },
      },
    });
  });

  test('uses fresh comparable rows with a rate only', () => {
    const asset = makeAsset([
      { rate: 0.0001 },
      { rate: 0.0002 },
      { rate: 0.9, reason: 'price_dispersion' },
      { rate: -0.9, fresh: false },
      { rate: undefined },
    ]);
    const result = fundingSpread(asset);
    expect(result.ok && result.value.body.venues_count).toBe(2);
    expect(result.ok && result.value.sources.missing).toEqual(['v3', 'v4', 'v5']);
  });

  test('one venue: 404 single_venue; none: 503; none comparable: 404', () => {
    const code = (asset: Parameters<typeof fundingSpread>[0]) => {
      const result = fundingSpread(asset);
      return result.ok ? undefined : result.error;
    };
    expect(code(makeAsset([{ rate: 0.0001 }]))?.code).toBe('single_venue');
    expect(code(makeAsset([{ fresh: false }]))).toMatchObject({ code: 'not_ready', retryAfterSeconds: 5 });
    expect(code(makeAsset([], { v1: {} }))).toMatchObject({ code: 'not_ready', retryAfterSeconds: 5 });
    expect(code(makeAsset([{ reason: 'dead_market' }]))?.code).toBe('no_data');
  });

  test('the snapshot states the same values under its own field names', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const asset = makeAsset(sketches);
        const spread = fundingSpread(asset);
        const snapshot = fundingSpreadSnapshot(asset);
        expect(snapshot.ok).toBe(spread.ok);
        if (!spread.ok || !snapshot.ok) return;
        const legs = spread.value.body.spread;
        expect(snapshot.value.body).toMatchObject({
          symbol: asset.ticker,
          max_rate: legs.short_rate,
          min_rate: legs.long_rate,
          max_venue: legs.short_venue,
          min_venue: legs.long_venue,
          spread_bps: legs.spread_bps,
          normalized_spread_8h_bps: legs.normalized_spread_8h_bps,
          updated_at: legs.updated_at,
        });
        expectPublic(snapshot.value.body);
      }),
    );
  });

  test('the legs span all rates and are on two different venues', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const rates = sketches.flatMap((sketch) => sketch.rate ?? []);
        const result = fundingSpread(makeAsset(sketches));
        expect(result.ok).toBe(rates.length > 1);
        if (!result.ok) return;
        const { spread } = result.value.body;
        expect(spread.long_rate).toBe(Math.min(...rates));
        expect(spread.short_rate).toBe(Math.max(...rates));
        expect(spread.long_venue).not.toBe(spread.short_venue);
        expect(spread.spread_bps).toBeGreaterThanOrEqual(0);
        expectPublic(result.value.body);
      }),
    );
  });
});
