import { describe, expect, it } from 'vitest';
import { type CostLeg, costsAtSize, type SizedBooks } from '../../web/views/matrix/line-costs.ts';

const ID = 'crypto:BTC';
const LEGS: readonly CostLeg[] = [
  { key: `a ${ID}`, takerFeeBps: 2.4 },
  { key: `b ${ID}`, takerFeeBps: 3 },
];
const books = (a: number | null, b: number | null, more: Partial<SizedBooks> = {}): SizedBooks => ({
  slippageBps: new Map([
    [`a ${ID}`, a],
    [`b ${ID}`, b],
  ]),
  takerFeeBps: new Map(),
  reasons: new Map([[ID, 'too thin']]),
  lack: '',
  ...more,
});
const of = (sized: SizedBooks | undefined, legs = LEGS, spread8h: number | null = 0.0004) =>
  costsAtSize({ id: ID, legs, spread8h }, sized);

describe('costs of a pair at a size', () => {
  it('known books: fees and slippage of both legs, in and out', () => {
    const { costBps, breakevenDays, costWhy } = of(books(1, 0.6));
    expect([costBps, costWhy]).toEqual([14, '']);
    // 4 bps are paid thrice a day.
    expect(breakevenDays).toBeCloseTo(14 / 12, 12);
  });

  it('a book without slippage costs its fee, and is no unknown one', () => {
    expect(of(books(0, 0)).costBps).toBeCloseTo(10.8, 12);
  });

  it.each([
    ['a book does not hold the size', books(1, null), LEGS, 'too thin'],
    ['nothing was bought', books(1, 1, { lack: 'not bought' }), LEGS, 'not bought'],
    [
      'the asset is not ranked',
      books(1, 1, { reasons: new Map() }),
      LEGS,
      'the funding signal does not rank it',
    ],
    ['other legs', books(1, 1, { slippageBps: new Map() }), LEGS, 'the funding signal ranks other legs'],
    ['no pair', books(1, 1), LEGS.slice(1), 'there is no pair'],
    ['no fee', books(1, 1), LEGS.map((leg) => ({ ...leg, takerFeeBps: null })), 'a taker fee is not known'],
  ])('%s: unknown, with the reason', (_what, sized, legs, costWhy) => {
    expect(of(sized, legs)).toEqual({ costBps: null, breakevenDays: null, costWhy });
  });

  it('no spread: never even, though the cost is known', () => {
    expect(of(books(1, 1), LEGS, 0)).toMatchObject({ costBps: 14.8, breakevenDays: null });
  });

  it('no size: nothing, for no reason', () => {
    expect(of(undefined)).toEqual({ costBps: null, breakevenDays: null, costWhy: '' });
  });
});
