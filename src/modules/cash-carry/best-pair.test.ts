import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleRow } from '../../../test/api/example-market.ts';
import { asBps, asMs, asPrice, asRate8h } from '../../domain/units.ts';
import { ratesOf } from '../../products/rows/quote-rates.ts';
import { bestPair } from './best-pair.ts';
import { DIRECTIONS } from './carry-figures.ts';
import { byNetApr, type CarryPair, carryPair, type PerpLeg } from './carry-pair.ts';
import { type SpotLeg, touchBook } from './spot-leg.ts';

const NOW = asMs(1_790_000_000_000);
const maybe = (value: fc.Arbitrary<number>) => fc.option(value, { nil: undefined, freq: 6 });
const fee = maybe(fc.constantFrom(0, 2, 5, 10));
const middle = fc.constantFrom(98, 99.9, 100, 100.1, 104);
const half = fc.constantFrom(0.01, 0.05, 0.5);

const spotLeg = fc.record({
  fee,
  middle,
  half,
  borrow: maybe(fc.constantFrom(0, 1e-6, 1e-5)),
  limitUsd: maybe(fc.constantFrom(500, 1000, 5000)),
});
const perpLeg = fc.record({
  fee,
  middle,
  half,
  rate: maybe(fc.constantFrom(-0.001, -0.0001, 0, 0.0001, 0.001)),
});

interface Made {
  readonly fee: number | undefined;
  readonly middle: number;
  readonly half: number;
}

const bookAt = (price: number, spread: number) => touchBook(price - spread, price + spread, NOW);

interface MadeSpot extends Made {
  readonly borrow: number | undefined;
  readonly limitUsd: number | undefined;
}

const spotOf = (made: MadeSpot, at: number): SpotLeg =>
  ({
    market: { venue: `spot${at}`, symbol: 'A', quote: 'USDT' },
    ticker: {},
    receivedAt: NOW,
    price: made.middle,
    takerFeeBps: made.fee,
    borrow: { hourly: made.borrow, limitUsd: made.limitUsd },
    book: bookAt(made.middle, made.half),
  }) as unknown as SpotLeg;

const perpOf = (made: Made & { readonly rate: number | undefined }, at: number): PerpLeg => ({
  row: {
    ...exampleRow({ venue: 'binance', ticker: 'BTC', rate: 0, hours: 8, mark: 100 }),
    symbol: `P${at}`,
    indexPrice: asPrice(100),
    rate8h: made.rate === undefined ? undefined : asRate8h(made.rate),
    rateFresh: true,
  },
  visibleUsd: undefined,
  takerFeeBps: made.fee === undefined ? undefined : asBps(made.fee),
  book: bookAt(made.middle, made.half),
});

it('legs at random: the pair that a look at each of them finds', () => {
  fc.assert(
    fc.property(
      fc.array(spotLeg, { maxLength: 6 }),
      fc.array(perpLeg, { maxLength: 6 }),
      fc.constantFrom(1, 7, 90),
      fc.constantFrom(undefined, 1000, 3000),
      (spots, perps, holdingDays, askedUsd) => {
        const legs = spots.map(spotOf);
        const others = perps.map(perpOf);
        const terms = { rates: ratesOf([]), holdingDays, askedUsd, atTouch: true, pastGap: undefined };
        const all = DIRECTIONS.flatMap((way) =>
          legs.flatMap((leg) => others.map((perp) => carryPair(way, leg, perp, terms))),
        );
        const ranked = all.filter((made): made is CarryPair => made?.unknown.length === 0);
        expect(bestPair(DIRECTIONS, legs, others, terms)).toEqual(ranked.sort(byNetApr)[0]);
      },
    ),
  );
});
