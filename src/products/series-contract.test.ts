import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { type RowContract, seriesOfRow, venuesWithSeveral } from './history/series-contract.ts';
import { at, bucket, payment } from './series-fixture.ts';

const SYMBOLS = ['BTCUSDT', 'BTCUSDC', 'BTCUSD1'] as const;

const part = fc.record({
  venue: fc.constantFrom('binance', 'okx'),
  symbol: fc.constantFrom(...SYMBOLS),
  listedAt: fc.constantFrom(0, 1).map((day) => asMs(day * 86_400_000)),
  start: fc.integer({ min: 0, max: 5 }).map(at),
});
const unique = fc.uniqueArray(part, {
  maxLength: 30,
  selector: (point) => [point.venue, point.symbol, point.listedAt, point.start].join(' '),
});
const anySeries = fc.record({
  buckets: unique.chain((parts) =>
    fc
      .array(fc.integer({ min: 1, max: 60 }), { minLength: parts.length, maxLength: parts.length })
      .map((samples) => parts.map((own, index) => bucket({ ...own, sampled: samples[index] ?? 1 }))),
  ),
  payments: unique.map((parts) => parts.map((own) => payment(own))),
});

const shownIs =
  (symbolOf: (venue: string) => string | undefined): RowContract =>
  (venue) => {
    const symbol = symbolOf(venue);
    return symbol === undefined ? undefined : { symbol };
  };

describe('the contract of a series', () => {
  it('several contracts stored: one a venue stands, its row’s where known', () => {
    const shown = fc.constantFrom(...SYMBOLS, undefined);
    fc.assert(
      fc.property(anySeries, shown, shown, (stored, ofBinance, ofOkx) => {
        const { buckets, payments } = seriesOfRow(
          stored,
          shownIs((venue) => (venue === 'okx' ? ofOkx : ofBinance)),
        );
        for (const [venue, row] of [
          ['binance', ofBinance],
          ['okx', ofOkx],
        ] as const) {
          const before = [...stored.buckets, ...stored.payments].filter((bucket) => bucket.venue === venue);
          const after = [...buckets, ...payments].filter((bucket) => bucket.venue === venue);
          const symbols = new Set(after.map(({ symbol }) => symbol));
          expect(symbols.size).toBe(before.length === 0 ? 0 : 1);
          if (before.some(({ symbol }) => symbol === row)) expect([...symbols]).toEqual([row]);
          // All that is known of the contract stands, but for a listing beside another within a bucket.
          const starts = (list: typeof before) => new Set(list.map(({ start }) => start));
          expect(starts(after)).toEqual(starts(before.filter(({ symbol }) => symbols.has(symbol))));
          for (const start of starts(after)) {
            const ofBucket = after.filter((point) => point.start === start);
            expect(new Set(ofBucket.map(({ listedAt }) => listedAt)).size).toBe(1);
          }
        }
      }),
    );
  });

  it('no row: the contract with more samples, then payments, stands', () => {
    const usdc = bucket({ symbol: 'BTCUSDC', sampled: 20 });
    const usdt = bucket({ sampled: 40 });
    const none = () => undefined;
    expect(seriesOfRow({ buckets: [usdc, usdt], payments: [] }, none).buckets).toEqual([usdt]);
    const paid = [payment({ symbol: 'BTCUSDC' }), payment({ payments: 2 })];
    expect(seriesOfRow({ buckets: [], payments: paid }, none).payments).toEqual([paid[1]]);
    expect(venuesWithSeveral({ buckets: [usdc], payments: paid })).toEqual(['binance']);
    expect(venuesWithSeveral({ buckets: [usdt], payments: [payment()] })).toEqual([]);
  });

  it('two listings in a bucket: the later of equals stands', () => {
    const later = bucket({ listedAt: at(0) });
    expect(
      seriesOfRow({ buckets: [later, bucket()], payments: [] }, () => ({ symbol: 'BTCUSDT' })).buckets,
    ).toEqual([later]);
  });

  it('symbol listed again: what was stored before is of another contract', () => {
    const listedAt = at(48);
    const former = bucket({ start: at(40), listedAt: at(0) });
    const present = bucket({ start: at(49), listedAt });
    const stored = {
      buckets: [former, present],
      payments: [payment({ start: at(40), listedAt: at(0) }), payment({ start: at(50), listedAt })],
    };
    const series = seriesOfRow(stored, () => ({ symbol: former.symbol, listedAt }));
    expect(series.buckets).toEqual([present]);
    expect(series.payments).toEqual([stored.payments[1]]);
    // Nothing of the present one is stored yet: nothing is what is known of it.
    const before = { buckets: [former], payments: [] };
    expect(seriesOfRow(before, () => ({ symbol: former.symbol, listedAt })).buckets).toEqual([]);
    expect(seriesOfRow(before, () => ({ symbol: former.symbol })).buckets).toEqual([former]);
  });

  it('renamed coin: the old contract stands where the new one is not', () => {
    const old = { symbol: 'MATICUSDT', formerId: 'crypto:MATIC' };
    const payments = [
      payment(old),
      payment({ ...old, symbol: 'MATICUSDC' }),
      payment({ ...old, start: at(1) }),
      payment({ symbol: 'POLUSDT', start: at(1), listedAt: at(1) }),
      payment({ symbol: 'POLUSDC', start: at(1), listedAt: at(1), payments: 9 }),
      payment({ ...old, start: at(2) }),
    ];
    const series = seriesOfRow({ buckets: [], payments }, () => ({ symbol: 'POLUSDT' }));
    expect(series.payments.map(({ symbol }) => symbol)).toEqual(['MATICUSDT', 'POLUSDT', 'MATICUSDT']);
  });
});
