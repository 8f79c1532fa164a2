import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterEach, describe, expect, it } from 'vitest';
import { type Collector, createCollector } from '../../src/collect/collector.ts';
import { silentLogger } from '../../src/collect/logger.ts';
import { failed } from '../../src/collect/transport-failure.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs, asPrice } from '../../src/domain/units.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import type { BorrowStore } from '../../src/modules/spot-market/borrow/borrow-store.ts';
import { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
import { SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import { spotMetrics } from '../../src/modules/spot-market/metrics.ts';
import { type AskSpot, askSpot } from '../../src/modules/spot-market/plan/ask-spot.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import type { PlannedCall, SpotPlan } from '../../src/modules/spot-market/plan/spot-plan.ts';
import { SPOT_PERIODS, SpotCollector } from '../../src/modules/spot-market/spot-collector.ts';
import { systemTimer } from '../../src/runtime/timer.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { exampleRow } from '../api/example-market.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { answerOf } from './simulated-spot.ts';

const forgetful: BorrowStore = {
  day: () => undefined,
  save: () => undefined,
  dropBefore: () => undefined,
  close: async () => undefined,
};
const planOf = (venue: string): SpotPlan => {
  const plan = SPOT_PLANS.find((known) => known.venue === venue);
  if (plan === undefined) throw new Error(`${venue} has no plan`);
  return plan;
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('the calls of spot', () => {
  const venues = ['bybit', 'binance'];

  async function asking(
    withSpot: boolean,
  ): Promise<{ sim: SimServer; collector: Collector; asked: AskSpot }> {
    const sims = SIM_VENUES.filter(({ id }) => venues.includes(id));
    const sim = await startSimServer({ world: createWorld(1), venues: sims, tickMs: 0 });
    const bases = Object.fromEntries(
      venues.map((id) => [id, { rest: `${sim.url}/${id}`, ...(withSpot && { spot: `${sim.url}/${id}` }) }]),
    );
    const adapters = venues.flatMap((id) => adapterOf(id) ?? []);
    const sink = { venue: () => {}, instruments: () => {}, quotes: () => {}, stores: [] };
    const collector = createCollector({ venues: adapters, sink, bases });
    const asked = askSpot({ collector, bases, clock: systemClock, timer: systemTimer, random: () => 0.5 });
    closing.push(
      () => asked.close(),
      () => collector.stop(),
      () => sim.close(),
    );
    return { sim, collector, asked };
  }

  const ask = ({ asked }: { readonly asked: AskSpot }, venue: string) =>
    asked.ask(planOf(venue), planOf(venue).tickers, AbortSignal.timeout(10_000));

  it('a host of the perpetuals: their budget; one of spot alone: its own', async () => {
    const parts = await asking(true);
    for (const venue of venues) expect(await ask(parts, venue), venue).toMatchObject({ ok: true });
    const { bybit, 'binance-fapi': futures } = parts.collector.stats().budgets;
    expect(bybit?.pools.default?.granted).toBe(1);
    expect(futures?.pools.default?.granted).toBe(0);
    expect(parts.sim.log.entries().map(({ venue, path }) => `${venue} ${path}`)).toEqual([
      'bybit /v5/market/tickers?category=spot',
      'binance /api/v3/ticker/24hr',
    ]);
  });

  it('replaced addresses without one of spot: the venue itself is not asked', async () => {
    const parts = await asking(false);
    expect(await ask(parts, 'binance')).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(await ask(parts, 'bybit')).toMatchObject({ ok: true });
  });

  it('a venue that is paused or not collected: not asked', async () => {
    const parts = await asking(true);
    for (const venue of venues) parts.collector.pauseVenue(venue);
    for (const venue of [...venues, 'okx'])
      expect(await ask(parts, venue), venue).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(parts.sim.log.entries()).toEqual([]);
  });
});

describe('the collector of spot', () => {
  const perps = {
    rowsOf: (id: string) => {
      if (id !== 'crypto:BTC') return [];
      const at = world.assets.find((asset) => asset.id === id);
      const price = at === undefined ? 0 : world.spot(at, START);
      return [exampleRow({ venue: 'okx', ticker: 'BTC', mark: price, index: price })];
    },
    identitiesOf: (ticker: string) => [`crypto:${ticker}`],
  };
  const world = createWorld(1);
  const START = Date.UTC(2026, 9, 20, 13, 20, 0);

  /** The collector of one venue on a clock that the test moves. */
  function collecting(venue: string, answers: (call: PlannedCall) => unknown, isHeld = () => false) {
    const time = new ManualTime(asMs(START));
    const calls: string[] = [];
    const spot = new SpotTable(createRegistry(), perps);
    const borrow = new BorrowTable(forgetful, time.clock);
    const ask: AskSpot = {
      ask: async (_, call) => {
        calls.push(call.path);
        const payload = answers(call);
        return payload === undefined
          ? failed('timeout', 'late')
          : { ok: true, value: { payload, receivedAt: time.clock.now() } };
      },
      close: async () => undefined,
    };
    const collector = new SpotCollector({
      plans: [planOf(venue)],
      ask,
      spot,
      borrow,
      clock: time.clock,
      timer: time.timer,
      random: () => 0.5,
      logger: silentLogger,
      isHeld,
    });
    closing.push(() => collector.stop());
    collector.start();
    return { time, calls, spot, borrow, collector };
  }

  const simulated = (venue: string) => (call: PlannedCall) => answerOf(planOf(venue), call, world, START);
  const count = (calls: readonly string[], part: string) =>
    calls.filter((call) => call.includes(part)).length;

  it('tickers each ten seconds, list and borrow rates each ten minutes', async () => {
    const { time, calls, spot, borrow } = collecting('bybit', simulated('bybit'));
    await time.advance(SPOT_PERIODS.first + SPOT_PERIODS.list + 3 * SPOT_PERIODS.tickers);
    expect(count(calls, 'instruments-info')).toBe(2);
    expect(count(calls, 'spot-margin-trade')).toBe(2);
    expect(count(calls, 'tickers')).toBe(64);
    expect(spot.rowsOf('crypto:BTC', perps).map(({ market }) => market.symbol)).toEqual(['BTCUSDT']);
    expect(borrow.stateOf('bybit', 'BTC')?.row.ratePerHour).toBeGreaterThan(0);
  });

  it('rates of one coin a call: each coin once an hour', async () => {
    const { time, calls, borrow } = collecting('bitget', simulated('bitget'));
    await time.advance(SPOT_PERIODS.first + 2 * SPOT_PERIODS.coin);
    expect(count(calls, 'margin-loans?coin=BTC')).toBe(2);
    expect(count(calls, 'margin-loans?coin=ETH')).toBe(0);
    expect(borrow.stateOf('bitget', 'BTC')?.row.limit).toBeGreaterThan(0);
  });

  it('a venue that is silent or answers nonsense: counted, asked again', async () => {
    let turn = 0;
    const nonsense = { retCode: 10_006, retMsg: 'too many visits' };
    const { time, calls, spot, collector } = collecting('bybit', () =>
      turn++ % 2 === 0 ? undefined : nonsense,
    );
    await time.advance(SPOT_PERIODS.first + 61_000);
    expect(count(calls, 'instruments-info')).toBeGreaterThanOrEqual(2);
    expect(spot.rowsOf('crypto:BTC', perps)).toEqual([]);
    const counts = collector.counts.get('bybit');
    expect([...(counts?.failures.values() ?? [])].reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2);
    expect(counts?.rejects.get('error_body')).toBeGreaterThan(2);
    const read = new Map<string, number>();
    for (const row of spotMetrics(collector, spot, time.clock))
      await row.read((labels, value) => read.set(`${row.name} ${Object.values(labels).join(' ')}`, value));
    expect(read.get('perpmeter_spot_rejects_total bybit error_body')).toBe(counts?.rejects.get('error_body'));
  });

  it('a process that is to do less: asks nothing, and goes on afterwards', async () => {
    let held = true;
    const { time, calls, spot } = collecting('okx', simulated('okx'), () => held);
    await time.advance(60_000);
    expect(calls).toEqual([]);
    held = false;
    await time.advance(60_000);
    expect(spot.venues()).toMatchObject([{ venue: 'okx', offered: 1 }]);
  });

  it('a market that moves away from the index: in no answer at once', () => {
    const table = new SpotTable(createRegistry(), perps);
    const market = {
      venue: 'okx',
      symbol: 'BTC-USDT',
      base: 'BTC',
      quote: 'USDT',
      ticker: 'BTC',
      multiplier: 1,
    };
    const [row] = perps.rowsOf('crypto:BTC');
    const index = row?.indexPrice ?? 0;
    const say = (price: number, at: number) => {
      const touch = { bestBid: asPrice(price), bestAsk: asPrice(price) };
      table.takeTickers('okx', { tickers: [{ symbol: 'BTC-USDT', ...touch }] }, asMs(at));
    };
    table.takeList('okx', { markets: [market] }, asMs(START));
    say(index, START);
    expect(table.rowsOf('crypto:BTC', perps)).toHaveLength(1);
    say(index * 1.04, START + 1000);
    expect(table.rowsOf('crypto:BTC', perps)).toEqual([]);
    expect(table.leftOut('crypto:BTC', perps, asMs(START))).toEqual({ apart: 1, untold: 0, old: 0 });
    expect(table.leftOut('crypto:BTC', perps, asMs(START + 2000))).toEqual({ apart: 0, untold: 0, old: 1 });
  });
});
