import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleRow } from '../../../test/api/example-market.ts';
import { asBps, asMs, asPrice, asRate8h } from '../../domain/units.ts';
import type { AskedSize, LegBook } from '../../products/books/leg-book.ts';
import { ratesOf } from '../../products/rows/quote-rates.ts';
import { bestPair } from './best-pair.ts';
import type { Direction } from './carry-figures.ts';
import { type CarryPair, carryPair, type PairTerms, type PerpLeg } from './carry-pair.ts';
import { pairRow } from './pair-row.ts';
import type { CarryBorrow, SpotLeg } from './spot-leg.ts';

const NOW = asMs(1_790_000_000_000);
const PRICE = 100;
const FILLED = { 1000: 1, 5000: 2, 10000: 3 };

/** A book that fills each quoted size, and a size that is asked for. */
const bookOf = (asked: number | undefined): LegBook => ({
  bestBid: PRICE - 0.01,
  bestAsk: PRICE + 0.01,
  confirmedAt: NOW,
  sell: FILLED,
  buy: FILLED,
  asked: asked === undefined ? undefined : { usd: asked, fillsUsd: asked, sell: 4, buy: 4 },
});

type Limit = Partial<Pick<CarryBorrow, 'limit' | 'limitUsd' | 'available'>>;

const spotOf = (limit: Limit, book: LegBook): SpotLeg => ({
  market: { venue: 'okx', symbol: 'A-USDT', base: 'A', quote: 'USDT', ticker: 'A', multiplier: 1 },
  ticker: { symbol: 'A-USDT' },
  receivedAt: NOW,
  price: PRICE,
  takerFeeBps: 10,
  borrow: {
    hourly: 1e-6,
    reason: undefined,
    receivedAt: NOW,
    limit: undefined,
    limitUsd: undefined,
    available: undefined,
    ...limit,
  },
  book,
  bookReason: undefined,
  visibleUsd: undefined,
});

const perpOf = (book: LegBook): PerpLeg => ({
  row: {
    ...exampleRow({ venue: 'binance', ticker: 'BTC', rate: 0, hours: 8, mark: PRICE }),
    indexPrice: asPrice(PRICE),
    rate8h: asRate8h(-0.001),
    rateFresh: true,
  },
  visibleUsd: undefined,
  takerFeeBps: asBps(5),
  book,
});

const termsOf = (askedUsd: number | undefined, atTouch: boolean): PairTerms => ({
  rates: ratesOf([]),
  holdingDays: 7,
  atTouch,
  askedUsd,
  pastGap: undefined,
});

/** The pair of one direction where an account may borrow so much. */
function pairOf(
  limit: Limit,
  asked: number | undefined,
  direction: Direction = 'short_spot',
  book = bookOf(asked),
): CarryPair {
  const made = carryPair(direction, spotOf(limit, book), perpOf(bookOf(asked)), termsOf(asked, false));
  if (made === undefined) throw new Error('no pair');
  return made;
}

const largestOf = ({ depth }: CarryPair): number | undefined => depth.maxNotionalUsd;

describe('a limit of what can be borrowed', () => {
  it.each([
    ['none stated: as much as both books fill', {}, 10_000],
    ['dollars beyond the books: as much as these fill', { limitUsd: 1e6 }, 10_000],
    ['dollars equal to a size: that size', { limitUsd: 5000 }, 5000],
    ['dollars just below a size: the next smaller one', { limitUsd: 4999 }, 1000],
    ['coins: at the price of spot', { limit: 60 }, 5000],
    ['less than the least size: none', { limit: 9 }, 0],
    ['left with the venue: no more than that', { limit: 1000, available: 20 }, 1000],
    ['stated in dollars and in coins: the smaller one', { limitUsd: 1e6, limit: 60 }, 5000],
  ] as const)('%s', (_, limit, expected) => {
    const made = pairOf(limit, undefined);
    expect(largestOf(made)).toBe(expected);
    const row = pairRow(made);
    expect(row.unknown).toEqual(expected === 0 ? ['size'] : []);
    const slippage = expected === 0 ? null : FILLED[expected];
    expect([row.spot_slippage_bps, row.perp_slippage_bps]).toEqual([slippage, slippage]);
    expect(row.null_reasons?.all_in_net_apr_pct).toBe(expected === 0 ? 'beyond_borrow_limit' : undefined);
  });

  it('a coin that is bought: binds nothing', () => {
    const made = pairOf({ limitUsd: 10 }, 20_000, 'long_spot');
    expect([largestOf(made), made.spotSlippageBps, made.unknown]).toEqual([10_000, 4, []]);
  });

  it('a size above it: no figures, and the limit as the reason', () => {
    const row = pairRow(pairOf({ limitUsd: 7000 }, 7001));
    expect(row).toMatchObject({
      unknown: ['size'],
      entry_slippage_bps: null,
      all_in_net_apr_pct: null,
      borrow_limit_usd: 7000,
    });
    const { gap, null_reasons: why } = row;
    expect([
      why?.entry_slippage_bps,
      why?.breakeven_borrow_apr_pct,
      gap.null_reasons?.executable_bps,
    ]).toEqual(['beyond_borrow_limit', 'beyond_borrow_limit', 'beyond_borrow_limit']);
    expect(row.funding_8h_bps).not.toBeNull();
  });

  it('a size within it: priced as without one', () => {
    const limited = pairOf({ limitUsd: 7000 }, 7000);
    expect(limited.figures).toEqual(pairOf({}, 7000).figures);
    expect(limited.unknown).toEqual([]);
  });

  it('books that do not fill the size: said before the limit', () => {
    const thin: AskedSize = { usd: 7001, fillsUsd: 10, sell: undefined, buy: undefined };
    const row = pairRow(pairOf({ limitUsd: 7000 }, 7001, 'short_spot', { ...bookOf(7001), asked: thin }));
    expect(row.null_reasons?.entry_slippage_bps).toBe('too_thin');
  });

  it('the class of depth: that of the books', () => {
    expect(pairOf({ limitUsd: 10 }, undefined).depth.depthClass).toBe('deep');
  });

  it('any limit: the largest size is at most that', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 20_000, noNaN: true }), (limitUsd) => {
        expect(largestOf(pairOf({ limitUsd }, undefined))).toBeLessThanOrEqual(limitUsd);
      }),
    );
  });
});

describe('a limit in a scan', () => {
  const bestOf = (askedUsd: number | undefined): CarryPair | undefined =>
    bestPair(
      ['short_spot'],
      [spotOf({ limit: 20 }, bookOf(undefined))],
      [perpOf(bookOf(undefined))],
      termsOf(askedUsd, true),
    );

  it('no size is asked for: the pair is ranked', () => {
    expect(bestOf(undefined)?.gap.pricedAt).toBe('touch');
  });

  it('a size up to it: the pair is ranked', () => {
    expect(bestOf(2000)?.unknown).toEqual([]);
  });

  it('a size above it: the pair is not ranked', () => {
    expect(bestOf(2001)).toBeUndefined();
  });
});
