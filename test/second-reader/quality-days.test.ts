import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { Distribution } from '../../src/modules/second-reader/counts/distribution.ts';
import type { QualityDay, QualityStore } from '../../src/modules/second-reader/counts/quality-day.ts';
import { QualityDays } from '../../src/modules/second-reader/counts/quality-days.ts';
import { openQualityStore } from '../../src/modules/second-reader/counts/quality-store.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';

const DAY = asMs(Date.UTC(2026, 10, 20));
const worst = (difference: number, tolerance: number, at = DAY) => ({
  symbol: 'BTCUSDT',
  way: 'klines',
  at,
  shown: 1,
  second: 1 + difference,
  difference,
  tolerance,
});

describe('Distribution', () => {
  it('quantiles: within 12 % of those of the values, however combined', () => {
    const values = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e6, noNaN: true })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(values, values, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, q) => {
        const one = new Distribution();
        const other = new Distribution();
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

const storeIn = (stored: Map<number, QualityDay>): QualityStore => ({
  load: () => [...stored.values()],
  save: (changed, dropped) => {
    for (const one of changed) stored.set(one.day, one);
    for (const one of dropped) stored.delete(one.day);
  },
  close: () => Promise.resolve(),
});

function expectSameSums(days: QualityDays, fresh: QualityDays, from: UnixMs, to: UnixMs): void {
  const [sum, expected] = [days, fresh].map((it) => it.between('second', from, to)[0]);
  expect(sum?.agreed).toBe(expected?.agreed);
  expect(sum?.worst?.difference).toBe(expected?.worst?.difference);
  expect(sum?.values.buckets).toEqual(expected?.values.buckets);
}

describe('QualityDays', () => {
  it('sums: the same, whether days were added up before or not', () => {
    const day = fc.integer({ min: 0, max: 6 });
    const step = fc.oneof(
      fc.record({ day, difference: fc.double({ min: 0, max: 1, noNaN: true }), agrees: fc.boolean() }),
      fc.record({
        from: fc.integer({ min: -1, max: 7 }),
        to: fc.integer({ min: 0, max: 8 }),
      }),
      fc.record({ forgetBefore: day }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
        const stored = new Map<number, QualityDay>();
        const days = new QualityDays(storeIn(stored));
        let turn = 0;
        for (const one of steps) {
          turn += 1;
          if ('difference' in one) {
            const at = asMs(DAY + one.day * DAY_MS);
            days.compared('second', 'okx', 'mark_price', one.agrees, worst(one.difference, 0.5, at));
          } else if ('forgetBefore' in one) {
            days.flush(asMs(DAY + (one.forgetBefore + 92) * DAY_MS + turn * MINUTE_MS));
          } else {
            const from = asMs(DAY + one.from * DAY_MS);
            const to = asMs(DAY + one.to * DAY_MS);
            days.flush(asMs(DAY + turn * MINUTE_MS));
            expectSameSums(days, new QualityDays(storeIn(new Map(stored))), from, to);
          }
        }
      }),
      { numRuns: 300, seed: 23 },
    );
  });

  it('days of a window: added up, with the worst comparison named', () => {
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

  it('a restart: counts are read again; a quarter later: forgotten', async () => {
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
