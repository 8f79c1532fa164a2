import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agreesWithMark,
  finestLot,
  isPlausibleTurnover,
  parityOf,
  provenSides,
  sumParity,
} from './parity.ts';

const decimals = fc.integer({ min: 0, max: 8 });
const counts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 });
const lotOf = (places: number) => Number(`1e-${places}`);
/** A count of lots as the venue's decimal text reads. */
const amount = (lots: number, places: number) => Number((lots / 10 ** places).toFixed(places));

describe('parity in lots', () => {
  it('is the parity of the counts, whatever the lot', () => {
    fc.assert(
      fc.property(counts, decimals, (lots, places) => {
        const odd = lots.filter((n) => n % 2 === 1).length;
        const amounts = lots.map((n) => amount(n, places));
        expect(parityOf(amounts, lotOf(places))).toEqual({ even: lots.length - odd, odd });
      }),
    );
  });

  it('counts neither zero nor what lies between two lots', () => {
    expect(parityOf([0, 0.5, 1, 2, Number.NaN], 1)).toEqual({ even: 1, odd: 1 });
    expect(
      sumParity([
        { even: 1, odd: 2 },
        { even: 3, odd: 0 },
      ]),
    ).toEqual({ even: 4, odd: 2 });
  });

  it('the lot: the finest decimal seen, 1 where all are whole', () => {
    expect(finestLot([469.69914, 535.4])).toBe(0.00001);
    expect(finestLot([5000, 3_634_796])).toBe(1);
    expect(finestLot([1.2e-7])).toBe(1e-8);
    expect(finestLot([])).toBe(1);
  });
});

describe('sides that parity proves', () => {
  it('two-sided figures of any trades are never judged one-sided', () => {
    fc.assert(
      fc.property(
        counts,
        decimals,
        fc.constantFrom('openInterest' as const, 'volume' as const),
        (lots, places, figure) => {
          const amounts = lots.map((n) => amount(2 * n, places));
          expect(provenSides(figure, parityOf(amounts, lotOf(places)), true)).not.toBe('one');
        },
      ),
    );
  });

  it('one odd volume: proves one side if the lot is stated', () => {
    expect(provenSides('volume', { even: 90, odd: 1 }, true)).toBe('one');
    expect(provenSides('volume', { even: 90, odd: 1 }, false)).toBe('unknown');
    expect(provenSides('volume', { even: 5, odd: 3 }, false)).toBe('one');
  });

  it('open interest with a few odd values is not judged one-sided', () => {
    expect(provenSides('openInterest', { even: 99, odd: 4 }, true)).toBe('unknown');
    expect(provenSides('openInterest', { even: 16, odd: 15 }, true)).toBe('one');
  });

  it('thirty counts without an odd one prove two sides, fewer prove nothing', () => {
    expect(provenSides('openInterest', { even: 30, odd: 0 }, false)).toBe('two');
    expect(provenSides('volume', { even: 29, odd: 0 }, true)).toBe('unknown');
  });
});

describe('units', () => {
  it('a notional within a factor of two of base x mark agrees with it', () => {
    expect(agreesWithMark(2, 200, 100)).toBe(true);
    expect(agreesWithMark(2, 390, 100)).toBe(true);
    expect(agreesWithMark(2, 2, 100)).toBe(false);
    expect(agreesWithMark(0, 2, 100)).toBe(true);
  });

  it('quote volume taken for base units: seen beside open interest', () => {
    expect(isPlausibleTurnover(1_485_054.567, 2.1586)).toBe(false);
    expect(isPlausibleTurnover(15.6, 2.1586)).toBe(true);
    expect(isPlausibleTurnover(15.6, 0)).toBe(true);
  });
});
