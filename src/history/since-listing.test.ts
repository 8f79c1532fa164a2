import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FundingPayment } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { paidSinceListing, sinceListing } from './since-listing.ts';

const ROW = { venue: 'v1', symbol: 'NEW', listedAt: undefined };

const paid = (symbol: string, hour: number, more: Partial<FundingPayment> = {}): FundingPayment => ({
  canonicalId: 'crypto:NEW',
  venue: 'v1',
  symbol,
  listedAt: asMs(0),
  at: asMs(hour * HOUR_MS),
  rate: asRate(0.0001),
  hours: 8,
  ...more,
});
const old = (symbol: string, hour: number, more: Partial<FundingPayment> = {}): FundingPayment =>
  paid(symbol, hour, { formerId: 'crypto:OLD', ...more });
const hoursOf = (payments: readonly FundingPayment[]) =>
  payments.map(({ symbol, at, hours }) => [symbol, at / HOUR_MS, hours]);

describe('the past of a contract of a renamed asset', () => {
  it('former contracts: the one of which most is, up to the first own', () => {
    const stored = [
      ...[paid('NEW', 24), paid('NEW', 32), old('OLD', 8), old('OLD', 16), old('OLD', 24)],
      ...[old('OLDUSDC', 16), old('OLD', 16, { venue: 'v2' })],
    ];
    expect(hoursOf(sinceListing(stored, ROW)).map(([symbol, at]) => [symbol, at])).toEqual([
      ...[
        ['OLD', 8],
        ['OLD', 16],
      ],
      ...[
        ['NEW', 24],
        ['NEW', 32],
      ],
    ]);
  });

  it('a first payment of a new contract: is for no hour paid before', () => {
    const stored = [paid('NEW', 24), paid('NEW', 32), old('OLD', 20)];
    expect(hoursOf(paidSinceListing(stored, ROW))).toEqual([
      ['OLD', 20, 8],
      ['NEW', 24, 4],
      ['NEW', 32, 8],
    ]);
  });

  it('three names: each leads up to the next one', () => {
    const oldest = { formerId: 'crypto:OLDEST' };
    const stored = [old('OLD', 16), old('A', 8, oldest), old('A', 16, oldest), paid('NEW', 24)];
    expect(hoursOf(sinceListing(stored, ROW)).map(([symbol]) => symbol)).toEqual(['A', 'OLD', 'NEW']);
  });

  it('a symbol that stayed: what began before a stated listing is out', () => {
    const stored = [old('NEW', 8), paid('NEW', 24, { listedAt: asMs(20 * HOUR_MS) })];
    expect(sinceListing(stored, ROW)).toHaveLength(2);
    expect(sinceListing(stored, { ...ROW, listedAt: asMs(20 * HOUR_MS) })).toHaveLength(1);
  });

  it('two listings under the present name: the former one is out', () => {
    const stored = [old('OLD', 8), paid('NEW', 16), paid('NEW', 24, { listedAt: asMs(20 * HOUR_MS) })];
    expect(hoursOf(sinceListing(stored, ROW))).toEqual([['NEW', 24, 8]]);
  });

  it('no payment of the present contract: the former one is all', () => {
    expect(hoursOf(sinceListing([old('OLD', 8)], ROW))).toEqual([['OLD', 8, 8]]);
  });

  it('any payments: by time, of one contract a name, none paid twice', () => {
    const payment = fc.tuple(
      fc.constantFrom('NEW', 'OLD', 'B'),
      fc.integer({ min: 1, max: 90 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.uniqueArray(payment, { selector: (part) => part.join() }), (parts) => {
        const stored = parts.map(([symbol, hour, isFormer]) =>
          (isFormer ? old : paid)(symbol, hour, { hours: 1 }),
        );
        const found = paidSinceListing(
          [...stored].sort((a, b) => a.at - b.at),
          ROW,
        );
        const times = found.map(({ at }) => at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const formerSymbols = found.filter(({ formerId }) => formerId !== undefined);
        expect(new Set(formerSymbols.map(({ symbol }) => symbol)).size).toBeLessThan(2);
        expect(found.every(({ formerId, symbol }) => formerId !== undefined || symbol === 'NEW')).toBe(true);
      }),
    );
  });
});
