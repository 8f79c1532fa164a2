import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Distribution } from '../../src/audit/distribution.ts';
import { QualityDays } from '../../src/audit/quality-days.ts';
import { openQualityStore } from '../../src/audit/quality-store.ts';
import { asMs } from '../../src/domain/units.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';

const DAY = asMs(Date.UTC(2026, 10, 20));
const worst = (difference: number, tolerance: number, at = DAY) => ({
  ...{ symbol: 'BTCUSDT', way: 'klines', at, shown: 1, second: 1 + difference, difference, tolerance },
});

describe('Distribution', () => {
  it('has quantiles within 12 % of those of the values, zeros among them, however it was put together', () => {
    const values = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e6, noNaN: true })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(values, values, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, q) => {
        const [one, other] = [new Distribution(), new Distribution()];
        for (const x of a) one.add(x);
        for (const x of b) other.add(x);
        one.merge(other);
        const sorted = [...a, ...b].sort((x, y) => x - y);
        const exact = sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? Number.NaN;
        const found = one.quantile(q) ?? Number.NaN;
        if (exact === 0) expect(found).toBe(0);
        else expect(Math.abs(Math.log10(found / exact))).toBeLessThanOrEqual(0.0501);
      }),
      { numRuns: 200, seed: 23 },
    );
  });

  it('has no quantile before the first value', () => {
    expect(new Distribution().quantile(0.5)).toBeUndefined();
  });
});

describe('QualityDays', () => {
  it('adds up the days that a window touches, by venue and field, and names the comparison furthest beyond its tolerance', () => {
    const days = new QualityDays({ load: () => [], save: () => {}, close: () => Promise.resolve() });
    days.compared('second', 'binance', 'mark_price', true, worst(0.001, 0.01));
    days.compared('second', 'binance', 'mark_price', false, worst(0.5, 0.25, asMs(DAY + DAY_MS)));
    days.compared('second', 'binance', 'mark_price', true, worst(0.3, 0.4, asMs(DAY + 2 * DAY_MS)));
    days.compared('second', 'okx', 'mark_price', true, worst(0, 0.4));
    days.compared('paid', 'binance', 'mark_price', true, worst(0, 0.4));
    const of = (from: number, to: number) => days.between('second', asMs(from), asMs(to), 'binance')[0];
    expect(of(DAY, DAY + 3 * DAY_MS)).toMatchObject({
      agreed: 2,
      worst: { difference: 0.5 },
      values: { count: 3 },
    });
    expect(of(DAY + DAY_MS / 2, DAY + DAY_MS)).toMatchObject({ agreed: 1, worst: { difference: 0.001 } });
    expect(of(DAY + 3 * DAY_MS, DAY + 4 * DAY_MS)).toBeUndefined();
    expect(days.between('second', DAY, asMs(DAY + DAY_MS))).toHaveLength(2);
  });

  it('reads after a restart what was counted, and forgets days after a quarter', async () => {
    const path = mkdtempSync(join(tmpdir(), 'perpmeter-quality-'));
    try {
      const first = new QualityDays(openQualityStore(path));
      first.compared('second', 'binance', 'mark_price', false, worst(0.5, 0.25));
      first.age('binance', 'mark_price', 2, DAY);
      await first.stop(DAY);
      const again = new QualityDays(openQualityStore(path));
      again.age('binance', 'mark_price', 2, DAY);
      expect(again.between('age', DAY, asMs(DAY + 1))[0]?.values.count).toBe(2);
      expect(again.between('second', DAY, asMs(DAY + 1))).toMatchObject([
        { venue: 'binance', field: 'mark_price', agreed: 0, worst: worst(0.5, 0.25) },
      ]);
      await again.stop(asMs(DAY + 93 * DAY_MS));
      const empty = new QualityDays(openQualityStore(path));
      expect(empty.between('age', DAY, asMs(DAY + 1))).toEqual([]);
      await empty.stop(DAY);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
