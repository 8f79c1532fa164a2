import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FundingPayment } from '../../domain/series.ts';
import { asBps, asMs, asPrice, asRate } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import {
  type LegHistory,
  type LegHour,
  maxDrawdown,
  missingPayments,
  type PairQuestion,
  sumOfFlows,
  tradePair,
} from './pair-backtest.ts';

const T0 = asMs(Date.UTC(2026, 9, 1));
const hour = (n: number) => asMs(T0 + n * HOUR_MS);
const HOURS = 60;

/** One hour of a leg as it is drawn at random; undefined = not known. */
interface Drawn {
  readonly mark: number | undefined;
  readonly bid: number | undefined;
  readonly slip: number | undefined;
}

interface DrawnLeg {
  readonly interval: number;
  /** Rates of the payments, at every interval; undefined = missing. */
  readonly rates: readonly (number | undefined)[];
  readonly hours: readonly Drawn[];
  readonly feeBps: number;
  /** A fee that is charged from hour 30 on. */
  readonly laterBps: number | undefined;
}

function legOf({ interval, rates, hours, feeBps, laterBps }: DrawnLeg, venue: string): LegHistory {
  const contract = { canonicalId: 'crypto:BTC', venue, symbol: 'BTC', listedAt: asMs(0) };
  const payments = rates.flatMap((rate, k): FundingPayment[] =>
    rate === undefined
      ? []
      : [{ ...contract, at: hour(k * interval - 8), rate: asRate(rate), hours: interval }],
  );
  const known = hours.map(({ mark, bid, slip }, k): [number, LegHour] => {
    const slippage = slip === undefined ? undefined : asBps(slip);
    const depth = { bidDepthUsd: undefined, askDepthUsd: undefined, slippage1kBps: undefined };
    const sides = { bestBid: asPrice(bid ?? 0), bestAsk: asPrice((bid ?? 0) * 1.001) };
    const book = { ...sides, ...depth, slippage5kBps: slippage, slippage10kBps: asBps(999) };
    return [hour(k - 1), { mark, book: bid === undefined ? undefined : book }];
  });
  const fees =
    laterBps === undefined
      ? []
      : [
          { since: asMs(hour(3)), takerBps: asBps(feeBps) },
          { since: asMs(hour(30) - 1), takerBps: asBps(laterBps) },
        ];
  return { payments, hours: new Map(known), feeBps, fees };
}

const price = fc.option(fc.double({ min: 50, max: 150, noNaN: true }), { nil: undefined, freq: 6 });
const drawnLeg: fc.Arbitrary<DrawnLeg> = fc.record({
  interval: fc.constantFrom(1, 4, 8),
  rates: fc.array(
    fc.option(fc.double({ min: -0.002, max: 0.002, noNaN: true }), { nil: undefined, freq: 8 }),
    {
      minLength: 70,
      maxLength: 70,
    },
  ),
  hours: fc.array(
    fc.record({
      mark: price,
      bid: price,
      slip: fc.option(fc.double({ min: 0, max: 40, noNaN: true }), { nil: undefined }),
    }),
    { minLength: HOURS + 2, maxLength: HOURS + 2 },
  ),
  feeBps: fc.double({ min: 0, max: 10, noNaN: true }),
  laterBps: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined }),
});

interface Outcome {
  readonly opened: number;
  readonly closed: number;
  readonly net: number | undefined;
}

/** The eight-hour rate last settled before a time, bps; unknown where the one after it is missing. */
function settledBefore(leg: LegHistory, at: number): number | undefined {
  const before = leg.payments.filter((payment) => payment.at <= at);
  const last = before.sort((a, b) => b.at - a.at)[0];
  if (last?.hours === undefined || at - last.at > 2 * last.hours * HOUR_MS) return undefined;
  return (last.rate / last.hours) * 80_000;
}

function spreadAt({ short, long }: PairQuestion, at: number): number | undefined {
  const a = settledBefore(short, at);
  const b = settledBefore(long, at);
  return a === undefined || b === undefined ? undefined : a - b;
}

/** Mids of the books of the hour before, else its marks. */
function pricesAt({ short, long }: PairQuestion, at: number) {
  const a = short.hours.get(at - HOUR_MS);
  const b = long.hours.get(at - HOUR_MS);
  if (a?.book && b?.book)
    return { s: (a.book.bestBid + a.book.bestAsk) / 2, l: (b.book.bestBid + b.book.bestAsk) / 2 };
  return a?.mark !== undefined && b?.mark !== undefined ? { s: a.mark, l: b.mark } : undefined;
}

function netOf(q: PairQuestion, at: number, out: number): number | undefined {
  const paidIn = (leg: LegHistory) =>
    leg.payments.reduce((sum, { at: time, rate }) => (time > at && time <= out ? sum + rate : sum), 0);
  const cost = (leg: LegHistory, time: number) => leg.hours.get(time - HOUR_MS)?.book?.slippage5kBps;
  const costs = [cost(q.short, at), cost(q.short, out), cost(q.long, at), cost(q.long, out)];
  const p = pricesAt(q, at);
  const r = pricesAt(q, out);
  if (p === undefined || r === undefined || costs.includes(undefined)) return undefined;
  const slip = costs.reduce<number>((sum, bps) => sum + (bps ?? 0), 0);
  const fees = [at, out].reduce((sum, time) => {
    const charged = [q.short, q.long].map(({ feeBps, fees: [, later] }) =>
      later !== undefined && time >= hour(30) ? later.takerBps : feeBps,
    );
    return sum + Number(charged[0]) + Number(charged[1]);
  }, 0);
  return q.sizeUsd * (paidIn(q.short) - paidIn(q.long) - (fees + slip) / 10_000 + r.l / p.l - r.s / p.s);
}

/** The same by walking every hour over every payment, knowing nothing of the other's helpers. */
function bruteForce(q: PairQuestion): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  for (let at: number = q.from; at < q.to; at += HOUR_MS) {
    const entry = spreadAt(q, at);
    if (entry === undefined || entry < q.rule.enterBps) continue;
    let out = at + HOUR_MS;
    const stays = () => {
      const now = spreadAt(q, out);
      const wide = now === undefined || now > q.rule.exitBps;
      return wide && out - at < q.rule.maxHoldHours * HOUR_MS && out < q.to;
    };
    while (stays()) out += HOUR_MS;
    outcomes.push({ opened: at, closed: out, net: netOf(q, at, out) });
    // A position left at an hour is not entered again at the same.
    at = out;
  }
  return outcomes;
}

describe('a pair traded by rule', () => {
  it('earns what walking over every hour and payment says, to a billionth', () => {
    let known = 0;
    fc.assert(
      fc.property(
        drawnLeg,
        drawnLeg,
        fc.record({
          enterBps: fc.double({ min: 0.1, max: 20, noNaN: true }),
          exitBps: fc.double({ min: -20, max: 0, noNaN: true }),
          maxHoldHours: fc.integer({ min: 1, max: 40 }),
        }),
        (short, long, rule) => {
          const legs = { short: legOf(short, 'a'), long: legOf(long, 'b') };
          const question = { from: T0, to: hour(HOURS), sizeUsd: 4000, rule, ...legs };
          const trades = tradePair(question);
          const expected = bruteForce(question);
          expect(trades.map(({ openedAt, closedAt }) => [openedAt, closedAt])).toEqual(
            expected.map(({ opened, closed }) => [opened, closed]),
          );
          for (const [k, { flows, unknown }] of trades.entries()) {
            const net = expected[k]?.net;
            expect(unknown.length === 0).toBe(net !== undefined);
            if (net === undefined) continue;
            known += 1;
            expect(Math.abs(sumOfFlows(flows) - net)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(net)));
          }
        },
      ),
      { numRuns: 80, seed: 7 },
    );
    expect(known).toBeGreaterThan(10);
  });

  it('settlements without a payment: counted as by walking over them', () => {
    let counted = 0;
    fc.assert(
      fc.property(drawnLeg, drawnLeg, (short, long) => {
        const due = (leg: DrawnLeg) =>
          leg.rates
            .map((rate, k) => ({ at: hour(k * leg.interval - 8), rate }))
            .filter(({ at }) => at >= T0 && at <= hour(HOURS));
        const a = legOf(short, 'a');
        const b = legOf(long, 'b');
        fc.pre(a.payments.length > 0 && b.payments.length > 0);
        const window = { from: T0, to: hour(HOURS) };
        // A position held to the end is paid at the end, which is no part of the window.
        const unpaidAtLast = [...due(short), ...due(long)].filter(({ rate }) => rate === undefined);
        const unpaid = unpaidAtLast.filter(({ at }) => at < window.to);
        const found = [a, b].flatMap(({ payments }) => missingPayments(payments, window));
        expect([...found].sort()).toEqual(unpaid.map(({ at }) => at).sort());
        const rule = { enterBps: 0.1, exitBps: -5, maxHoldHours: 20 };
        for (const { openedAt, closedAt, missing } of tradePair({
          ...window,
          sizeUsd: 1000,
          rule,
          short: a,
          long: b,
        }))
          expect(missing).toBe(unpaidAtLast.filter(({ at }) => at > openedAt && at <= closedAt).length);
        counted += unpaid.length;
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(counted).toBeGreaterThan(100);
  });

  it('a changed interval, a late stamp, an earlier time: no missing payment', () => {
    const contract = { canonicalId: 'crypto:BTC', venue: 'a', symbol: 'BTC', rate: asRate(0) };
    const paid = (at: number, hours: number | undefined, listedAt = 0): FundingPayment => ({
      ...contract,
      at: asMs(at),
      hours,
      listedAt: asMs(listedAt),
    });
    const window = { from: T0, to: hour(24) };
    const changed = [paid(hour(0), 8), paid(hour(8), 8), paid(hour(16), 4), paid(hour(20), 4)];
    expect(missingPayments(changed, window)).toEqual([]);
    const late = [paid(hour(0) + 9e5, 8), paid(hour(8), 8), paid(hour(16) + 9e5, 8)];
    expect(missingPayments(late, window)).toEqual([]);
    expect(missingPayments([paid(hour(16), 8, hour(10))], window)).toEqual([]);
    expect(missingPayments([paid(hour(16), undefined)], window)).toEqual([]);
    expect(missingPayments([paid(hour(16), 8)], window)).toEqual([hour(8), hour(0)]);
    // Most venues state no interval, and the first payment that is stored has none before it to tell.
    const unstated = [paid(hour(16), undefined, hour(20)), paid(hour(24), 8, hour(20))];
    expect(missingPayments(unstated, window)).toEqual([hour(8), hour(0)]);
  });

  it('holes in back-filled payments: counted before the first sight, too', () => {
    const drawn = { interval: 8, hours: [], feeBps: 0, laterBps: undefined };
    const holed = legOf({ ...drawn, rates: [0.001, 0.001, undefined, 0.001, 0.001] }, 'a');
    const seenLater = { listedAt: hour(20) };
    const payments = holed.payments.map((payment) => ({ ...payment, ...seenLater }));
    expect(missingPayments(payments, { from: T0, to: hour(24) })).toEqual([hour(8)]);
    const long = legOf({ ...drawn, rates: [0, 0, 0, 0, 0] }, 'b');
    const rule = { enterBps: 5, exitBps: 0, maxHoldHours: 100 };
    const question = { from: T0, to: hour(24), sizeUsd: 1000, rule, short: { ...holed, payments }, long };
    expect(tradePair(question).map(({ missing }) => missing)).toEqual([1]);
  });

  const calm = { mark: 100, bid: 100, slip: 1 };
  const leg = (rates: readonly (number | undefined)[]): DrawnLeg => ({
    interval: 8,
    rates,
    feeBps: 5,
    laterBps: undefined,
    hours: Array.from({ length: HOURS + 2 }, () => calm),
  });
  const rule = { enterBps: 5, exitBps: 0, maxHoldHours: 100 };
  const asked = { from: T0, to: hour(40), sizeUsd: 5000, rule };

  it('does not enter on a payment before it is made', () => {
    const short = legOf(leg([0, 0, 0.001, 0.001, 0, 0]), 'a');
    const [trade] = tradePair({ ...asked, short, long: legOf(leg([0, 0, 0, 0, 0, 0]), 'b') });
    // Payments at -8, 0, 8, 16, 24: that of 8 shows the spread and is not paid to who enters on it.
    expect(trade).toMatchObject({ openedAt: hour(8), closedAt: hour(24), left: 'threshold', entryBps: 10 });
    expect(sumOfFlows(trade?.flows ?? [], 'short_funding')).toBeCloseTo(5, 9);
    expect(sumOfFlows(trade?.flows ?? [], 'fees', 'slippage')).toBeCloseTo(-(20 + 4) / 2, 9);
  });

  it('holds on while the spread is unknown, and says what it does not know', () => {
    const short = legOf({ ...leg([0, 0.001, undefined, undefined, undefined]), hours: [] }, 'a');
    const long = legOf(leg([0, 0, 0, 0, 0, 0]), 'b');
    expect(tradePair({ ...asked, short, long })).toMatchObject([
      {
        openedAt: T0,
        closedAt: hour(40),
        left: 'window_end',
        exitBps: undefined,
        unknown: ['slippage', 'price'],
      },
    ]);
    const assumed = tradePair({ ...asked, short, long, assumedSlippageBps: 3 });
    expect(assumed).toMatchObject([{ unknown: ['price'], assumed: 2 }]);
  });

  it('knows no slippage of a size above those that are stored', () => {
    const short = legOf(leg([0, 0.001, 0.001]), 'a');
    const long = legOf(leg([0, 0, 0]), 'b');
    expect(tradePair({ ...asked, sizeUsd: 20_000, short, long })[0]?.unknown).toEqual(['slippage']);
  });

  it('has the deepest fall of the running sum as its drawdown', () => {
    const flow = (usd: number) => ({ at: T0, kind: 'price', usd }) as const;
    expect(maxDrawdown([5, -3, 1, -4, 9, -1].map(flow))).toBe(6);
    expect(maxDrawdown([])).toBe(0);
  });
});
