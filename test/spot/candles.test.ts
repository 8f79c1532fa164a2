import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorld } from '@perpmeter/sim/create-world';
import { spotMid, spotPairs } from '@perpmeter/sim/spot/spot-pair';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { asMs } from '../../src/domain/units.ts';
import type { SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import { CandleFill, FILL_MS, spansOf } from '../../src/modules/spot-history/candles/candle-fill.ts';
import { CANDLE_PLANS } from '../../src/modules/spot-history/candles/candle-plans.ts';
import { openHourStore } from '../../src/modules/spot-history/store/hour-store.ts';
import { SpotPast } from '../../src/modules/spot-history/store/spot-past.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import { readAnswer } from '../../src/modules/spot-market/plan/read-answer.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import type { Timer } from '../../src/runtime/timer.ts';
import { until } from '../until.ts';
import { AT } from './answers/answer.ts';
import { candleAnswers } from './answers/candles.ts';
import { spotCallFor, spotContext } from './recordings.ts';
import { answerOf, readSimulated } from './simulated-spot.ts';

const closing: SpotPast[] = [];
afterEach(async () => {
  for (const past of closing.splice(0)) await past.close();
});

describe('candles of spot', () => {
  it.each(candleAnswers.map((answer) => [answer.venue, answer] as const))(
    '%s: open and close of each hour, by its beginning',
    (venue, { url, payload }) => {
      const read = spotCallFor(venue, url)?.decode(payload, spotContext(url));
      const scale = venue === 'binance' ? 1e-5 : 1;
      expect(read?.rejects).toEqual([]);
      const found = (read?.candles ?? []).toSorted((a, b) => a.start - b.start);
      expect(found.map(({ start }) => start)).toEqual([AT, AT + HOUR_MS]);
      expect(found[0]?.open).toBeCloseTo(50 * scale, 9);
      expect(found[0]?.close).toBeCloseTo(60 * scale, 9);
      expect(found[1]?.close).toBeCloseTo(70 * scale, 9);
    },
  );

  it('rows that begin within an hour, or lack a price: faults', () => {
    const url = '/api/v4/spot/candlesticks?currency_pair=BTC_USDT&interval=1h';
    const payload = [
      [String(AT / 1000 + 60), '75', '60', '70', '40', '50', '1.5'],
      [String(AT / 1000), '75', '', '70', '40', '50', '1.5'],
      null,
    ];
    const read = spotCallFor('gate', url)?.decode(payload, spotContext(url));
    expect(read?.candles).toEqual([]);
    expect(read?.rejects.map(({ reason, detail }) => `${reason} ${detail}`)).toEqual([
      'out_of_range start',
      'missing_field close',
      'malformed row',
    ]);
  });
});

const NOW = Date.UTC(2026, 9, 20, 13, 20);
const DAYS = 9;
const world = createWorld(1);

const atOnce: Timer = (_, run) => {
  const handle = setImmediate(run);
  return () => clearImmediate(handle);
};

interface Circumstances {
  readonly perp?: (start: number) => number | undefined;
  readonly isHeld?: () => boolean;
  /** False: the past of the perpetuals cannot be read. */
  readonly isReadable?: () => boolean;
  readonly timer?: Timer;
}

/** The first coin's market of a simulated venue, whose past is filled. */
function filling(venue: string, more: Circumstances = {}) {
  const plan = SPOT_PLANS.find((known) => known.venue === venue);
  const candles = CANDLE_PLANS.find((known) => known.venue === venue);
  const sim = SIM_VENUES.find(({ id }) => id === venue);
  if (plan === undefined || candles === undefined || sim === undefined)
    throw new Error(`${venue} has no plan`);
  const markets = readSimulated(plan, world, NOW).list.markets;
  const market = markets.find(({ ticker }) => ticker === 'BTC');
  const pair = spotPairs(world, sim).find(({ asset }) => asset.ticker === 'BTC');
  if (market === undefined || pair === undefined) throw new Error(`${venue} has no bitcoin`);
  const bySymbol = new Map(markets.map((known): [string, SpotMarket] => [known.symbol, known]));
  const past = new SpotPast(openHourStore(mkdtempSync(join(tmpdir(), 'candles-'))));
  closing.push(past);
  const mid = (at: number): number => spotMid(world, pair, at);
  const calls: string[] = [];
  const fill = new CandleFill({
    plans: [candles],
    offered: async () => [{ market, canonicalId: 'crypto:BTC' }],
    perpPrices: async (_, from, to) => {
      if (more.isReadable?.() === false) return undefined;
      const prices = new Map<number, number>();
      for (let start: number = from; start < to; start += HOUR_MS) {
        const price = more.perp === undefined ? mid(start) : more.perp(start);
        if (price !== undefined) prices.set(start, price);
      }
      return prices;
    },
    read: async (_, call) => {
      calls.push(call.path);
      return readAnswer(plan, call, answerOf(plan, call, world, NOW), bySymbol);
    },
    past,
    days: DAYS,
    clock: { now: () => asMs(NOW) },
    timer: more.timer ?? atOnce,
    logger: silentLogger,
    isHeld: () => more.isHeld?.() === true,
  });
  const known = () => past.pastOf(venue, 'crypto:BTC', asMs(0), asMs(NOW))[0]?.hours ?? new Map();
  return { past, fill, candles, market, mid, known, calls };
}

describe('the back-fill of spot', () => {
  it.each(CANDLE_PLANS.map(({ venue }) => venue))(
    '%s: every hour that was over, as traded',
    async (venue) => {
      const { fill, candles, mid, known } = filling(venue);
      await fill.round(candles);
      const end = Math.floor(NOW / HOUR_MS) * HOUR_MS;
      const hours = [...known().values()];
      expect(hours.map(({ start }) => start)).toEqual(
        Array.from({ length: DAYS * 24 }, (_, i) => end - DAYS * DAY_MS + i * HOUR_MS),
      );
      for (const hour of hours) {
        expect(hour).toMatchObject({ origin: 'candle' });
        expect(Math.abs(hour.last / mid(hour.start + HOUR_MS) - 1)).toBeLessThan(1e-4);
        expect(hour.origin === 'candle' && Math.abs(hour.open / mid(hour.start) - 1)).toBeLessThan(1e-4);
      }
    },
  );

  it('hours that were seen: asked for no more, and kept as they are', async () => {
    const { past, fill, candles, market, mid, known, calls } = filling('okx');
    const end = Math.floor(NOW / HOUR_MS) * HOUR_MS;
    const hours = Array.from({ length: DAYS * 24 }, (_, i) => {
      const start = asMs(end - (i + 1) * HOUR_MS);
      const seen = { lastAt: asMs(start + 59 * MINUTE_MS), samples: 60, mean: mid(start) };
      const touch = { spreadBps: undefined, bidUsd: undefined, askUsd: undefined };
      return { origin: 'observed' as const, start, last: mid(start) as never, ...seen, ...touch };
    });
    const withHole = hours.filter((_, i) => i !== 30);
    past.addSeen([{ market, canonicalId: 'crypto:BTC', hours: withHole }]);
    await fill.round(candles);
    expect(calls).toHaveLength(1);
    const origins = [...known().values()].map(({ origin }) => origin);
    expect(origins.filter((origin) => origin === 'candle')).toHaveLength(1);
    await fill.round(candles);
    expect(calls).toHaveLength(1);
  });

  it('another price than the perpetuals: not kept, asked three times a day', async () => {
    const end = Math.floor(NOW / HOUR_MS) * HOUR_MS;
    const { mid } = filling('gate');
    const { fill, candles, known, calls } = filling('gate', {
      perp: (start) =>
        start < end - DAY_MS ? undefined : mid(start) * (start < end - DAY_MS / 2 ? 1.2 : 1.05),
    });
    for (let round = 0; round < 8; round++) await fill.round(candles);
    expect([...known().keys()]).toEqual(Array.from({ length: 12 }, (_, i) => end - DAY_MS / 2 + i * HOUR_MS));
    expect(calls).toHaveLength(3);
    expect(fill.counts.kept).toBe(12);
  });

  it.each([
    ['while load is shed', (isOver: () => boolean) => ({ isHeld: () => !isOver() })],
    ['without the past of perpetuals', (isOver: () => boolean) => ({ isReadable: isOver })],
  ])('%s: begun again each minute, without a round used', async (_, given) => {
    const waits: number[] = [];
    const isOver = (): boolean => waits.length > 10;
    const timer: Timer = (ms, run) => {
      waits.push(ms);
      return ms === FILL_MS.round ? () => undefined : atOnce(ms, run);
    };
    const { fill, known } = filling('gate', { ...given(isOver), timer });
    fill.start();
    await until(() => expect(waits.at(-1)).toBe(FILL_MS.round));
    await fill.stop();
    expect(waits.slice(0, 11)).toEqual([FILL_MS.first, ...Array.from({ length: 10 }, () => FILL_MS.again)]);
    expect(known().size).toBe(DAYS * 24);
  });

  it('spans of what is missing: the newest first, of at most so many hours', () => {
    const hours = (...list: readonly number[]) => list.map((n) => n * HOUR_MS);
    expect(spansOf([], 3)).toEqual([]);
    expect(spansOf(hours(1, 2, 3, 4, 5), 3)).toEqual([hours(3, 6), hours(1, 3)]);
    expect(spansOf(hours(1, 5), 3)).toEqual([hours(5, 6), hours(1, 2)]);
  });
});
