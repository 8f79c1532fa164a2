import { describe, expect, it } from 'vitest';
import { judgeSides, parityOf } from './sides.ts';

const NONE = { counted: 0, odd: 0 };
/** Contracts with counts of lots of 0.001, from a fixed sequence without a pattern in its parity. */
const counts = Array.from({ length: 200 }, (_, i) => 1000 + ((i * 7919 + 104_729) ** 2 % 99_991));
const inLots = (lots: number): number => lots / 1000;
const judge = (
  figure: 'open interest' | 'volume',
  sides: 'one' | 'two' | 'unknown',
  looks: Parameters<typeof parityOf>[0],
) => judgeSides(figure, { sides, unit: 'base' }, { ...parityOf(looks), overTraded: NONE });

describe('the lot of a contract', () => {
  it('is the finest digit of its values in both rounds', () => {
    expect(parityOf([[469.69914, 469.7]]).values).toEqual({ counted: 1, odd: 0 });
    expect(parityOf([[469.7, 469.69914]]).changes).toEqual({ counted: 1, odd: 0 });
    expect(parityOf([[469.7, 469.69915]])).toEqual({
      values: { counted: 1, odd: 0 },
      changes: { counted: 1, odd: 1 },
    });
  });

  it('several units: possible; trailing zeros of whole numbers do not count', () => {
    expect(parityOf([[5400, undefined]]).values).toEqual({ counted: 1, odd: 0 });
    expect(parityOf([[5300, undefined]]).values).toEqual({ counted: 1, odd: 1 });
    expect(parityOf([[5300, 5401]]).values).toEqual({ counted: 1, odd: 0 });
  });

  it('is not read from the error of a binary sum, from nothing, or from zero', () => {
    expect(parityOf([[0.1 + 0.2, undefined]]).values).toEqual({ counted: 1, odd: 1 });
    expect(
      parityOf([
        [0, 5],
        [1e-9, undefined],
      ]).values.counted,
    ).toBe(0);
  });
});

describe('sides of a figure', () => {
  const one = counts.map((lots) => [inLots(lots), undefined] as const);
  const two = counts.map((lots) => [inLots(2 * lots), undefined] as const);

  it('are two where nearly all values are even, for either figure', () => {
    expect(judge('open interest', 'two', two)).toMatchObject({ shown: 'two', verdict: 'supports' });
    expect(judge('volume', 'one', two)).toMatchObject({ shown: 'two', verdict: 'contradicts' });
  });

  it('are one for a volume with odd values, and undecided for open interest', () => {
    expect(judge('volume', 'two', one)).toMatchObject({ shown: 'one', verdict: 'contradicts' });
    expect(judge('open interest', 'two', one)).toMatchObject({ shown: undefined, verdict: 'undecided' });
  });

  it('are decided by changes where a two-sided figure has an odd remainder', () => {
    const rest = counts.map((lots, i) => [inLots(2 * lots + 1), inLots(2 * lots + 1 + 2 * (i + 1))] as const);
    expect(judge('open interest', 'two', rest)).toMatchObject({ shown: 'two', verdict: 'supports' });
    const moved = counts.map((lots, i) => [inLots(lots), inLots(lots + i + 1)] as const);
    expect(judge('open interest', 'two', moved)).toMatchObject({ shown: 'one', verdict: 'contradicts' });
  });

  it('are two for open interest that changes by more than was traded', () => {
    const seen = { values: NONE, changes: NONE, overTraded: { counted: 8, odd: 4 } };
    const declared = { sides: 'one', unit: 'base' } as const;
    expect(judgeSides('open interest', declared, seen)).toMatchObject({
      shown: 'two',
      verdict: 'contradicts',
    });
    const fewer = { ...seen, overTraded: { counted: 8, odd: 2 } };
    expect(judgeSides('open interest', declared, fewer)).toMatchObject({ verdict: 'undecided' });
  });

  it('few contracts, quote currency, no declaration: undecided', () => {
    expect(judge('volume', 'one', two.slice(0, 29)).verdict).toBe('undecided');
    expect(judge('volume', 'unknown', two)).toMatchObject({ shown: 'two', verdict: 'undecided' });
    const quote = { sides: 'one', unit: 'quote' } as const;
    expect(judgeSides('volume', quote, { ...parityOf(two), overTraded: NONE }).verdict).toBe('undecided');
  });
});
