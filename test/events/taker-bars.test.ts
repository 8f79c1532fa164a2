import { describe, expect, it } from 'vitest';
import { asBase, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import type { TradeEvent } from '../../src/modules/events/event-rows.ts';
import { BAR_MS, missingBetween, type TakerBar, TakerBars } from '../../src/modules/events/taker-bars.ts';
import { Random } from '../soak/random.ts';

const START = 1_793_715_300_000;

const trade = (at: number, more: Partial<TradeEvent> & { readonly size?: number } = {}): TradeEvent => {
  const { size = 2, price = asPrice(100), ...rest } = more;
  return {
    symbol: 'BTCUSDT',
    time: asMs(START + at),
    takerSide: 'buy',
    sizeRaw: size,
    sizeUnit: 'base',
    sizeBase: asBase(size),
    sizeUsd: asUsd(size * price),
    ...rest,
    price,
  };
};

function barsOf(trades: readonly TradeEvent[], lateMs = Number.POSITIVE_INFINITY): readonly TakerBar[] {
  const bars = new TakerBars(lateMs);
  for (const one of trades) bars.add(one);
  return bars.close(true);
}

/** Numbers of few binary digits, so that sums do not depend on the order. */
function randomTrades(random: Random, count: number): readonly TradeEvent[] {
  return Array.from({ length: count }, (_, sequence) => {
    const price = asPrice(64 + Math.floor(random.next() * 64) / 4);
    return trade(sequence * 700, {
      price,
      size: (1 + Math.floor(random.next() * 32)) / 8,
      takerSide: random.next() < 0.5 ? 'buy' : 'sell',
      symbol: random.next() < 0.5 ? 'BTCUSDT' : 'ETHUSDT',
    });
  });
}

const shuffled = <T>(random: Random, values: readonly T[]): readonly T[] =>
  values
    .map((value) => [random.next(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

describe('bars of a minute', () => {
  it('both takers: amounts, value, largest, first and last', () => {
    const trades = [
      trade(0),
      trade(10, { takerSide: 'sell', size: 1, price: asPrice(90) }),
      trade(59_999, { size: 3, price: asPrice(110) }),
    ];
    expect(barsOf(trades)).toEqual([
      {
        symbol: 'BTCUSDT',
        start: START,
        buyBase: 5,
        sellBase: 1,
        buyUsd: 530,
        sellUsd: 90,
        count: 3,
        unvalued: 0,
        largestUsd: 330,
        vwap: 620 / 6,
        first: 100,
        last: 110,
      },
    ]);
  });

  it('a minute: from its first millisecond to before the next', () => {
    const starts = barsOf([trade(59_999), trade(60_000), trade(-1)]).map(({ start }) => start);
    expect(starts).toEqual([START - BAR_MS, START, START + BAR_MS]);
  });

  it('rows of unknown value: counted, in no amount', () => {
    const { sizeBase: _, sizeUsd: __, ...unvalued } = trade(1);
    const [bar] = barsOf([{ ...unvalued, unknownValue: 'contract_size_unknown' }]);
    expect(bar).toMatchObject({ count: 1, unvalued: 1, buyUsd: 0, first: 100 });
    expect(bar).not.toHaveProperty('vwap');
  });

  it('numbers that were skipped: within a minute and between two', () => {
    const [earlier, later] = barsOf([
      trade(0, { sequence: 5 }),
      trade(1, { sequence: 8 }),
      trade(60_000, { sequence: 12 }),
    ]);
    if (earlier === undefined || later === undefined) throw new Error('no bars');
    expect([earlier.missing, later.missing, missingBetween(earlier, later)]).toEqual([2, 0, 3]);
    const [unnumbered] = barsOf([trade(0)]);
    expect(unnumbered && missingBetween(unnumbered, later)).toBeUndefined();
  });

  it('a late row while its minute waits: taken; after that: counted', () => {
    const bars = new TakerBars(60_000);
    expect(bars.add(trade(0))).toBe(true);
    expect(bars.add(trade(110_000))).toBe(true);
    expect(bars.add(trade(30_000))).toBe(true);
    expect(bars.close()).toEqual([]);
    expect(bars.add(trade(120_001))).toBe(true);
    expect(bars.close()).toMatchObject([{ start: START, count: 2, first: 100 }]);
    expect(bars.add(trade(40_000))).toBe(false);
    expect([bars.late, bars.close(true).length]).toEqual([1, 2]);
  });

  it('200 random orders of arrival: the same bars', () => {
    const random = new Random(7);
    for (let i = 0; i < 200; i++) {
      const trades = randomTrades(random, 60);
      expect(barsOf(shuffled(random, trades))).toEqual(barsOf(trades));
    }
  });

  it('random trades: sums of bars are those of the trades', () => {
    const random = new Random(8);
    for (let i = 0; i < 100; i++) {
      const trades = randomTrades(random, 1 + Math.floor(random.next() * 300));
      const bars = barsOf(trades, 0);
      const total = (of: (bar: TakerBar) => number) => bars.reduce((sum, bar) => sum + of(bar), 0);
      const sum = (side: string) =>
        trades.reduce((sum, { takerSide, sizeUsd = 0 }) => sum + (takerSide === side ? sizeUsd : 0), 0);
      expect(total(({ count }) => count)).toBe(trades.length);
      expect(total(({ buyUsd }) => buyUsd)).toBe(sum('buy'));
      expect(total(({ sellUsd }) => sellUsd)).toBe(sum('sell'));
      expect(Math.max(...bars.map(({ largestUsd }) => largestUsd))).toBe(
        Math.max(...trades.map(({ sizeUsd = 0 }) => sizeUsd)),
      );
      for (const { vwap = 0 } of bars) expect(vwap >= 64 && vwap < 80).toBe(true);
    }
  });
});
