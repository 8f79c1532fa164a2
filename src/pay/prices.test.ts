import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { atomicAmount, usdText } from './amount.ts';
import { type PriceList, readPriceList } from './price-list.ts';
import { createPriceSchedule, loadPriceSchedule } from './prices.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const day = (n: number): string => new Date(START + n * DAY_MS).toISOString();

function listOf(...prices: readonly (readonly [day: number, usd: string])[]): PriceList {
  return {
    currency: 'USD',
    changelog: prices.map(([at, usd]) => ({ effective: day(at), note: '', changes: [{ id: 'basis', usd }] })),
  };
}

describe('atomic amounts', () => {
  it('are the price times a million, exactly, for any decimal of six digits', () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999 }), fc.nat({ max: 999_999 }), (whole, fraction) => {
        const text = `${whole}.${fraction.toString().padStart(6, '0')}`;
        const atomic = BigInt(whole) * 1_000_000n + BigInt(fraction);
        expect(atomicAmount(text)).toBe(atomic);
        expect(atomicAmount(usdText(atomic))).toBe(atomic);
      }),
    );
  });

  it('never come from numbers, signs, exponents or a seventh digit', () => {
    for (const text of [0.05, '', '-1', '+1', '1e-3', '0.0000001', '01', '.5', '1.', ' 1', '0x1', 'NaN']) {
      expect(atomicAmount(text)).toBeUndefined();
    }
    expect(atomicAmount('0.010')).toBe(10_000n);
  });
});

describe('the shipped price list', () => {
  const loaded = loadPriceSchedule();
  it('is accepted', () => {
    expect(loaded).toMatchObject({ ok: true });
  });

  it('states the published amounts', () => {
    if (!loaded.ok) throw new Error('not loaded');
    const now = asMs(Date.parse('2026-12-01T00:00:00Z'));
    const amount = (id: string) => loaded.value.priceAt(id, now)?.atomic;
    expect(amount('backtest-data')).toBe(50_000n);
    expect(amount('funding-current')).toBe(1_000n);
    expect(amount('orderbook-best-execution')).toBe(10_000n);
    expect(amount('perp-arbitrage-funding')).toBe(3_000n);
    expect(amount('orderbook-depth')).toBe(2_000n);
    expect(amount('nothing')).toBeUndefined();
  });
});

describe('price changes', () => {
  it('rise by 25 % of the lowest price of 30 days at most', () => {
    expect(createPriceSchedule(listOf([0, '0.004'], [1, '0.005'])).ok).toBe(true);
    const refused = createPriceSchedule(listOf([0, '0.004'], [1, '0.005001']));
    expect(refused).toMatchObject({ ok: false, errors: [expect.stringContaining('25 %')] });
    expect(createPriceSchedule(listOf([0, '0.004'], [1, '0.001'], [30, '0.004'])).ok).toBe(false);
    expect(createPriceSchedule(listOf([0, '0.004'], [10, '0.005'], [20, '0.00625'])).ok).toBe(false);
    expect(createPriceSchedule(listOf([0, '0.004'], [10, '0.005'], [41, '0.00625'])).ok).toBe(true);
  });

  it('keep the price before valid for the grace time only', () => {
    const book = createPriceSchedule(listOf([0, '0.004'], [10, '0.005']));
    if (!book.ok) throw new Error('not accepted');
    const change = START + 10 * DAY_MS;
    const accepted = (t: number) => book.value.acceptedAt('basis', asMs(t), 60_000);
    expect(accepted(change - 1)).toEqual([4_000n]);
    expect(accepted(change)).toEqual([5_000n, 4_000n]);
    expect(accepted(change + 59_999)).toEqual([5_000n, 4_000n]);
    expect(accepted(change + 60_000)).toEqual([5_000n]);
    expect(accepted(START - DAY_MS)).toEqual([4_000n]);
  });

  it('are refused in a malformed file, all faults at once', () => {
    const read = readPriceList({
      currency: 'EUR',
      changelog: [{ effective: 'yesterday', changes: [{ id: 'Basis', usd: 0.001 }] }],
    });
    expect(read.ok ? [] : read.errors).toHaveLength(4);
    expect(readPriceList({ currency: 'USD', changelog: [] }).ok).toBe(false);
    expect(readPriceList(null).ok).toBe(false);
  });
});

describe('further shipped prices', () => {
  it('of a time of their own: an entry in its place', () => {
    const entry = { effective: '2026-11-21T00:00:00.000Z', note: 'more', changes: [{ id: 'x', usd: '1' }] };
    const schedule = loadPriceSchedule([], [{ changelog: [entry] }]);
    expect(schedule.ok && schedule.value.changelog[1]).toEqual(entry);
  });

  it('in no form of a price list: refused', () => {
    expect(loadPriceSchedule([], [{}])).toMatchObject({ ok: false });
  });
});

describe('own changes of the shipped prices', () => {
  const changed = (effective: string, usd: string) =>
    loadPriceSchedule([{ effective, note: 'own', changes: [{ id: 'perp-carry', usd }] }]);

  it('a rise within the rule: in force from its time on', () => {
    const schedule = changed('2026-12-01T00:00:00.000Z', '0.00625');
    if (!schedule.ok) throw new Error(schedule.errors.join());
    const at = (time: string) => schedule.value.priceAt('perp-carry', asMs(Date.parse(time)))?.usd;
    expect([at('2026-11-30T23:59:59Z'), at('2026-12-01T00:00:00Z')]).toEqual(['0.005', '0.00625']);
    expect(schedule.value.changelog.at(-1)?.note).toBe('own');
  });

  it('a rise beyond the rule: refused', () => {
    expect(changed('2026-12-01T00:00:00.000Z', '0.006251')).toMatchObject({ ok: false });
  });

  it('a route that has no price: refused by name', () => {
    const changes = [
      { id: 'perp-carry', usd: '0.005' },
      { id: 'nothing', usd: '0.005' },
    ];
    expect(loadPriceSchedule([{ effective: '2026-12-01T00:00:00.000Z', note: '', changes }])).toEqual({
      ok: false,
      errors: ['prices: the changelog names nothing, which is not listed'],
    });
  });

  it('an entry older than a shipped one: the later one stays in force', () => {
    const schedule = changed('2020-01-01T00:00:00.000Z', '0.004');
    expect(schedule.ok && schedule.value.priceAt('perp-carry', asMs(Date.now()))?.usd).toBe('0.005');
  });
});
