import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureIndexMoves } from './index-moves.ts';

const LENGTH = 400;

/** A walk of a price, one step a second. */
function walk(seed: number, length = LENGTH): Float64Array {
  let state = seed;
  let price = 100;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    price *= 1 + (state / 2 ** 32 - 0.5) * 1e-3;
    return price;
  });
}

/** The same walk seen so many seconds later. */
const late = (values: Float64Array, seconds: number): Float64Array =>
  values.map((_, i) => values[Math.max(0, i - seconds)] ?? Number.NaN);

const held = (values: Float64Array, every: number): Float64Array =>
  values.map((_, i) => values[i - (i % every)] ?? Number.NaN);

const btc = (values: Float64Array) => new Map([['crypto:BTC', values]]);
const oneFamily = () => 'basket';

describe('correlation of index moves', () => {
  it('is 1 for one feed, with the lag at which it is repeated', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 4 }), (seed, lag) => {
        const feed = walk(seed);
        const moves = measureIndexMoves(
          new Map([
            ['first', btc(feed)],
            ['second', btc(late(feed, lag))],
          ]),
          oneFamily,
        );
        expect(moves.get('first')).toMatchObject({ leadLagMs: lag * 1000, resolutionMs: 1000 });
        expect(moves.get('second')).toMatchObject({ leadLagMs: -lag * 1000 });
        expect(moves.get('first')?.correlation).toBeGreaterThan(0.99);
      }),
      { numRuns: 20 },
    );
  });

  it('is near 0 for unrelated feeds', () => {
    const moves = measureIndexMoves(
      new Map([
        ['a', btc(walk(1))],
        ['b', btc(walk(99))],
      ]),
      oneFamily,
    );
    expect(Math.abs(moves.get('a')?.correlation ?? 1)).toBeLessThan(0.3);
  });

  it('is measured within the venue’s own oracle family', () => {
    const x = walk(5);
    const y = walk(6);
    const families: Readonly<Record<string, string>> = { a: 'x', b: 'x', c: 'y' };
    const moves = measureIndexMoves(
      new Map([
        ['a', btc(x)],
        ['b', btc(x)],
        ['c', btc(y)],
      ]),
      (venue) => families[venue],
    );
    expect(moves.get('a')?.correlation).toBe(1);
    expect(moves.get('c')?.correlation).toBeLessThan(0.5);
  });

  it('an index coarser than a second, or few samples: not measured', () => {
    const feed = walk(3);
    const moves = measureIndexMoves(
      new Map([
        ['fine', btc(feed)],
        ['other', btc(feed)],
        ['coarse', btc(held(feed, 5))],
      ]),
      oneFamily,
    );
    expect([...moves.keys()]).toEqual(['fine', 'other']);
    const short = walk(3, 60);
    const none = measureIndexMoves(
      new Map([
        ['a', btc(short)],
        ['b', btc(short)],
      ]),
      oneFamily,
    );
    expect(none.size).toBe(0);
    const still = new Float64Array(LENGTH).fill(100);
    expect(measureIndexMoves(new Map([['a', btc(still)]]), oneFamily).size).toBe(0);
  });

  it('is measured across gaps', () => {
    const feed = walk(8);
    const holed = feed.map((value, i) => (i % 7 === 0 ? Number.NaN : value));
    const moves = measureIndexMoves(
      new Map([
        ['whole', btc(feed)],
        ['holed', btc(holed)],
      ]),
      oneFamily,
    );
    expect(moves.get('holed')?.correlation).toBeGreaterThan(0.99);
    expect(moves.get('holed')?.leadLagMs).toBe(0);
  });
});
