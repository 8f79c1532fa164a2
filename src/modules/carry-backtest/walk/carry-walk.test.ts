import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookSample, FundingPayment } from '../../../domain/series.ts';
import { asBps, asMs, asPrice, asRate } from '../../../domain/units.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import type { PerpHour } from '../../spot-history/prices/aligned-prices.ts';
import type { SpotHour } from '../../spot-history/store/spot-hour.ts';
import type { CarryQuestion } from './carry-question.ts';
import { walkCarry } from './carry-walk.ts';

const T0 = Date.UTC(2026, 9, 1);
const hour = (n: number) => asMs(T0 + n * HOUR_MS);
const HOURS = 60;
const MINUTE = 60_000;

/** One hour as it is drawn at random; undefined = not known. */
interface Drawn {
  readonly spot: number | undefined;
  readonly isCandle: boolean;
  /** Minute of the last sample of spot. */
  readonly minute: number;
  readonly spread: number | undefined;
  readonly touch: number | undefined;
  readonly borrow: number | undefined;
  readonly mark: number | undefined;
  readonly index: number | undefined;
  readonly sampled: number;
  readonly bid: number | undefined;
  readonly slip: number | undefined;
}

interface DrawnPast {
  readonly interval: number;
  readonly rates: readonly (number | undefined)[];
  readonly hours: readonly Drawn[];
}

const maybe = <T>(of: fc.Arbitrary<T>, freq = 6): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined, freq });
const price = fc.double({ min: 97, max: 103, noNaN: true });
const drawnHour: fc.Arbitrary<Drawn> = fc.record({
  spot: maybe(price, 8),
  isCandle: fc.boolean(),
  minute: fc.constantFrom(20, 45, 49, 50, 59, 59),
  spread: maybe(fc.double({ min: 0, max: 30, noNaN: true })),
  touch: maybe(fc.double({ min: 0, max: 20_000, noNaN: true })),
  borrow: maybe(fc.double({ min: 0, max: 0.0001, noNaN: true }), 9),
  mark: maybe(price),
  index: maybe(price, 1),
  sampled: fc.constantFrom(0, 12, 60, 60, 60),
  bid: maybe(price),
  slip: maybe(fc.double({ min: 0, max: 20, noNaN: true })),
});
const drawnPast: fc.Arbitrary<DrawnPast> = fc.record({
  interval: fc.constantFrom(1, 4, 8),
  rates: fc.array(maybe(fc.double({ min: -0.002, max: 0.002, noNaN: true }), 8), {
    minLength: 70,
    maxLength: 70,
  }),
  hours: fc.array(drawnHour, { minLength: HOURS + 2, maxLength: HOURS + 2 }),
});

function bookOf({ bid, slip }: Drawn): BookSample | undefined {
  if (bid === undefined) return undefined;
  const slippage = slip === undefined ? undefined : asBps(slip);
  const depth = { bidDepthUsd: undefined, askDepthUsd: undefined, slippage1kBps: asBps(999) };
  const sides = { bestBid: asPrice(bid), bestAsk: asPrice(bid * 1.001) };
  return { ...sides, ...depth, slippage5kBps: slippage, slippage10kBps: asBps(999) };
}

function spotOf(drawn: Drawn, start: number): SpotHour | undefined {
  const { spot, isCandle, minute, spread, touch } = drawn;
  if (spot === undefined) return undefined;
  if (isCandle)
    return { origin: 'candle', start: asMs(start), last: asPrice(spot), open: asPrice(spot * 0.99) };
  return {
    origin: 'observed',
    start: asMs(start),
    lastAt: asMs(start + minute * MINUTE),
    last: asPrice(spot),
    samples: minute + 1,
    mean: spot * 1.003,
    spreadBps: spread,
    bidUsd: touch,
    askUsd: touch === undefined ? undefined : touch * 0.9,
  };
}

function questionOf(drawn: DrawnPast, more: Partial<CarryQuestion>): CarryQuestion {
  const contract = { canonicalId: 'crypto:BTC', venue: 'a', symbol: 'BTC', listedAt: asMs(0) };
  const payments = drawn.rates.flatMap((rate, k): FundingPayment[] =>
    rate === undefined
      ? []
      : [{ ...contract, at: hour(k * drawn.interval - 8), rate: asRate(rate), hours: drawn.interval }],
  );
  const starts = drawn.hours.map((row, k) => [hour(k - 1), row] as const);
  const spot = starts.flatMap(([start, one]) => {
    const made = spotOf(one, start);
    return made === undefined ? [] : [[start, made] as const];
  });
  const perp = starts.map(([start, one]): readonly [number, PerpHour] => [
    start,
    {
      mark: one.mark,
      index: one.index,
      book: bookOf(one),
      sampled: one.sampled,
      lastAt: start + one.sampled * MINUTE - MINUTE,
    },
  ]);
  return {
    from: hour(0),
    to: hour(HOURS),
    sizeUsd: 5000,
    direction: 'long_spot',
    rule: { enterBps: 2, exitBps: 0, maxHoldHours: 20 },
    perp: {
      payments,
      hours: new Map(perp),
      feeBps: 4,
      fees: [
        { since: hour(3), takerBps: asBps(5) },
        { since: hour(30), takerBps: asBps(7) },
      ],
    },
    spot: {
      hours: new Map(spot),
      borrow: new Map(
        starts.flatMap(([start, { borrow }]) => (borrow === undefined ? [] : [[start, borrow] as const])),
      ),
      feeBps: 10,
    },
    ...more,
  };
}

/** A trade as the walk below makes it: what is not known is undefined. */
interface Walked {
  readonly opened: number;
  readonly closed: number;
  readonly wanted: number;
  readonly net: number | undefined;
}

/** The same rule walked over the drawn hours themselves, without a line of the product's. */
function walkByHand(drawn: DrawnPast, q: CarryQuestion): readonly Walked[] {
  const isLong = q.direction === 'long_spot';
  const row = (k: number): Drawn | undefined => drawn.hours[k];
  // The hour before hour k of the window is drawn in place k.
  const both = (k: number): readonly [number, number] | undefined => {
    const found = beside(k);
    const { mark, index } = row(k) ?? {};
    const premium = mark === undefined || index === undefined ? 1 : mark / index;
    return found !== undefined && Math.abs((found[0] * premium) / found[1] - 1) > 0.03 ? undefined : found;
  };
  const beside = (k: number): readonly [number, number] | undefined => {
    const one = row(k);
    if (one?.spot === undefined) return undefined;
    const perpEnds = one.bid !== undefined && one.sampled === 60;
    const spotEnds = one.isCandle || one.minute >= 50;
    if (perpEnds && spotEnds) return [one.spot, one.bid * 1.0005];
    if (one.mark === undefined) return undefined;
    if (one.isCandle) return one.sampled === 0 ? [one.spot * 0.99, one.mark] : undefined;
    return one.sampled === 60 && one.minute >= 29 ? [one.spot * 1.003, one.mark] : undefined;
  };
  const borrowIn = (k: number): number | undefined => row(k)?.borrow ?? q.assumedBorrowHourly;
  const paid = drawn.rates.map((rate, k) => ({ at: k * drawn.interval - 8, rate }));
  const carry = (k: number): number | undefined => {
    const past = paid.filter(({ at, rate }) => at <= k && rate !== undefined);
    const last = past.at(-1);
    if (last?.rate === undefined || k - last.at > 2 * drawn.interval) return undefined;
    const settled = (last.rate * 8 * 10_000) / drawn.interval;
    const cost = borrowIn(k);
    if (isLong) return settled;
    return cost === undefined ? undefined : -settled - cost * 80_000;
  };
  const cost = (k: number): number | undefined => {
    const one = row(k);
    const perp = (one?.bid === undefined ? undefined : one.slip) ?? q.assumedSlippageBps;
    const touch = one === undefined || one.isCandle || one.spread === undefined ? undefined : one.spread / 2;
    const spot = touch ?? q.assumedSlippageBps;
    const fees = 10 + (k >= 30 ? 7 : 5);
    return perp === undefined || spot === undefined ? undefined : perp + spot + fees;
  };
  const net = (a: number, b: number): number | undefined => {
    const entry = both(a);
    const exit = both(b);
    const costA = cost(a);
    const costB = cost(b);
    if (entry === undefined || exit === undefined || costA === undefined || costB === undefined)
      return undefined;
    let sum = -(costA + costB) / 10_000;
    for (const { at, rate = 0 } of paid) if (at > a && at <= b) sum += isLong ? rate : -rate;
    const moved = exit[0] / entry[0] - exit[1] / entry[1];
    sum += isLong ? moved : -moved;
    // Hour k of the window is drawn in place k + 1.
    for (let k = a; k < b && !isLong; k++) {
      const rate = borrowIn(k + 1);
      if (rate === undefined) return undefined;
      sum -= rate;
    }
    return sum * q.sizeUsd;
  };
  const trades: Walked[] = [];
  for (let k = 0; k < HOURS; k++) {
    const now = carry(k);
    if (now === undefined || now < q.rule.enterBps || both(k) === undefined) continue;
    let wanted = k + 1;
    const stays = (at: number): boolean => {
      const then = carry(at);
      return (then === undefined || then > q.rule.exitBps) && at - k < q.rule.maxHoldHours && at < HOURS;
    };
    while (stays(wanted)) wanted += 1;
    let closed = wanted;
    while (both(closed) === undefined && closed < HOURS) closed += 1;
    trades.push({ opened: k, closed, wanted, net: net(k, closed) });
    k = closed;
  }
  return trades;
}

const direction = fc.constantFrom('long_spot' as const, 'short_spot' as const);
const rules = fc.record({
  enterBps: fc.double({ min: -2, max: 8, noNaN: true }),
  exitBps: fc.double({ min: -9, max: -2.1, noNaN: true }),
  maxHoldHours: fc.integer({ min: 1, max: 40 }),
});

describe('the trades of a rule over spot and a perpetual', () => {
  it('random pasts: those of an independent walk, to a billionth', () => {
    let known = 0;
    let late = 0;
    fc.assert(
      fc.property(
        drawnPast,
        direction,
        rules,
        maybe(fc.constant(3), 3),
        maybe(fc.constant(0.00001), 3),
        (drawn, side, rule, assumedSlippageBps, assumedBorrowHourly) => {
          const question = questionOf(drawn, {
            direction: side,
            rule,
            assumedSlippageBps,
            assumedBorrowHourly,
          });
          const { trades } = walkCarry(question);
          const expected = walkByHand(drawn, question);
          expect(trades.map(({ openedAt, closedAt, postponed }) => [openedAt, closedAt, postponed])).toEqual(
            expected.map(({ opened, closed, wanted }) => [hour(opened), hour(closed), closed - wanted]),
          );
          for (const [i, { flows, unknown, postponed }] of trades.entries()) {
            const net = expected[i]?.net;
            expect(unknown.length === 0).toBe(net !== undefined);
            late += postponed > 0 ? 1 : 0;
            if (net === undefined) continue;
            known += 1;
            const sum = flows.reduce((all, { usd }) => all + usd, 0);
            expect(Math.abs(sum - net)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(net)));
          }
        },
      ),
      { numRuns: 200, seed: 11 },
    );
    expect(known).toBeGreaterThan(100);
    expect(late).toBeGreaterThan(30);
  });

  const calm: Drawn = {
    spot: 100,
    isCandle: false,
    minute: 59,
    spread: 4,
    touch: 50_000,
    borrow: 1e-6,
    mark: 100,
    index: 100,
    sampled: 60,
    bid: 100,
    slip: 1,
  };
  const past = (
    rates: readonly (number | undefined)[],
    hours: readonly Partial<Drawn>[] = [],
  ): DrawnPast => ({
    interval: 8,
    rates,
    hours: Array.from({ length: HOURS + 2 }, (_, k) => ({ ...calm, ...hours[k] })),
  });
  const rule = { enterBps: 5, exitBps: 0, maxHoldHours: 100 };

  it('a payment that shows the carry: entered on it, and not paid by it', () => {
    const { trades } = walkCarry(questionOf(past([0, 0, 0.001, 0.001, 0, 0]), { rule, to: hour(40) }));
    expect(trades).toMatchObject([
      { openedAt: hour(8), closedAt: hour(24), left: 'threshold', entryBps: 10 },
    ]);
    const paid = trades.flatMap(({ flows }) => flows).filter(({ kind }) => kind === 'funding');
    expect(paid.map(({ usd }) => usd)).toEqual([5, 0]);
  });

  it('an hour without a spot row: no entry, and the hour is counted', () => {
    const hours = Array.from({ length: 12 }, (_, k) => (k >= 8 && k < 11 ? { spot: undefined } : {}));
    const { trades, skipped } = walkCarry(
      questionOf(past([0, 0, 0.001, 0.001, 0, 0], hours), { rule, to: hour(40) }),
    );
    expect(skipped).toBe(3);
    expect(trades).toMatchObject([{ openedAt: hour(11), postponed: 0 }]);
  });

  it('no spot row where the exit is due: made later, at the price of then', () => {
    const hours = Array.from({ length: 28 }, (_, k) => (k >= 24 ? { spot: k === 27 ? 101 : undefined } : {}));
    const { trades } = walkCarry(
      questionOf(past([0, 0, 0.001, 0.001, 0, 0.001, 0.001], hours), { rule, to: hour(40) }),
    );
    expect(trades[0]).toMatchObject({ closedAt: hour(27), left: 'threshold', postponed: 3 });
    const gain = trades[0]?.flows.find(({ kind }) => kind === 'price')?.usd;
    expect(gain).toBeCloseTo(5000 * 0.01, 9);
  });

  it('no spot row up to the end of the window: left there without a price', () => {
    const hours = Array.from({ length: HOURS + 2 }, (_, k) => (k >= 24 ? { spot: undefined } : {}));
    const { trades } = walkCarry(questionOf(past([0, 0, 0.001, 0.001, 0, 0], hours), { rule, to: hour(40) }));
    expect(trades).toMatchObject([
      {
        closedAt: hour(40),
        left: 'threshold',
        postponed: 16,
        exitPriceOf: undefined,
        unknown: ['slippage', 'price'],
      },
    ]);
  });

  it('short spot: pays the stored borrow rate of each hour held', () => {
    const question = questionOf(past([0, -0.001, -0.001, 0.001, 0, 0]), {
      rule,
      direction: 'short_spot',
      to: hour(40),
    });
    const { trades } = walkCarry(question);
    expect(trades).toMatchObject([{ openedAt: hour(0), closedAt: hour(16), missingBorrow: 0 }]);
    const borrowed = trades.flatMap(({ flows }) => flows).filter(({ kind }) => kind === 'borrow');
    expect(borrowed).toHaveLength(16);
    expect(borrowed.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(-16 * 1e-6 * 5000, 12);
  });

  it('an hour without a borrow rate: unknown, or the assumed one counts', () => {
    const hours = Array.from({ length: 9 }, (_, k) => (k === 5 ? { borrow: undefined } : {}));
    const short = { rule, direction: 'short_spot', to: hour(40) } as const;
    const drawn = past([0, -0.001, -0.001, 0.001, 0, 0], hours);
    expect(walkCarry(questionOf(drawn, short)).trades).toMatchObject([
      { unknown: ['borrow'], missingBorrow: 1 },
    ]);
    const assumed = walkCarry(questionOf(drawn, { ...short, assumedBorrowHourly: 2e-6 }));
    expect(assumed.trades).toMatchObject([{ unknown: [], missingBorrow: 1 }]);
  });

  it('the source of each fill: book, touch, thin touch, or assumed', () => {
    const fillsOf = (hours: readonly Partial<Drawn>[], assumedSlippageBps?: number) =>
      walkCarry(
        questionOf(past([0, 0.001, 0.001, 0, 0, 0], hours), { rule, to: hour(40), assumedSlippageBps }),
      ).trades[0]?.fills;
    expect(fillsOf([])).toEqual({ book: 2, touch: 2, thin: 0, assumed: 0 });
    // 4,900 dollars at the ask: bought at the entry.
    expect(fillsOf([{ touch: 5445 }])).toEqual({ book: 2, touch: 2, thin: 1, assumed: 0 });
    expect(fillsOf([{ isCandle: true, slip: undefined }])).toEqual({
      book: 1,
      touch: 1,
      thin: 0,
      assumed: 0,
    });
    expect(fillsOf([{ isCandle: true, slip: undefined }], 3)).toEqual({
      book: 1,
      touch: 1,
      thin: 0,
      assumed: 2,
    });
  });
});
