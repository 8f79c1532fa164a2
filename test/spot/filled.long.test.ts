import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { startSimServer } from '@perpmeter/sim/server';
import { spotMid, spotPairs } from '@perpmeter/sim/spot/spot-pair';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterEach, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { backfill } from '../../src/modules/backfill/module.ts';
import { calendar } from '../../src/modules/calendar/module.ts';
import { spot } from '../../src/modules/spot/module.ts';
import { FILL_MS } from '../../src/modules/spot-history/candles/candle-fill.ts';
import { spotHistoryModule } from '../../src/modules/spot-history/module.ts';
import { openSpotHistory } from '../../src/modules/spot-history/open-spot-history.ts';
import { spotMarket } from '../../src/modules/spot-market/module.ts';
import { openSpotMarket } from '../../src/modules/spot-market/open-spot-market.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { systemTimer, type Timer } from '../../src/runtime/timer.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { startSmall } from '../host/start-small.ts';
import { until } from '../until.ts';

const VENUE = 'okx';
const COIN = 'crypto:BTC';
const world = createWorld(7);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Waits of spot are over at once; the first back-fill begins when it is released. */
function hurried() {
  const begins: (() => void)[] = [];
  const soon: Timer = (ms, run) => systemTimer(ms / 500, run);
  const timer: Timer = (ms, run) => {
    if (ms !== FILL_MS.first) return systemTimer(ms === FILL_MS.call ? 1 : ms, run);
    begins.push(run);
    return () => undefined;
  };
  return { soon, timer, begins };
}

async function startService({ soon, timer }: Pick<ReturnType<typeof hurried>, 'soon' | 'timer'>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'spot-filled-'));
  const sim = await startSimServer({ world, venues: SIM_VENUES.filter(({ id }) => id === VENUE) });
  closing.push(() => sim.close());
  const adapter = adapterOf(VENUE);
  if (adapter === undefined) throw new Error(`${VENUE} is not known`);
  const started = await startSmall({
    dataDir,
    modules: [
      calendar,
      backfill,
      spot,
      { ...spotMarket, open: async (host) => openSpotMarket(host, soon) },
      { ...spotHistoryModule, open: async (host) => openSpotHistory(host, timer) },
    ],
    settings: { backfillDays: 1, backfillContracts: 3, spot: 'on' },
    venues: [adapter],
    bases: { [VENUE]: simBases(adapter.bases, sim.url, VENUE) },
    booksPerVenue: 1,
    history: { engine: { engine: 'embedded', path: join(dataDir, 'history') }, retention: DEFAULT_RETENTION },
  });
  if (!started.ok) throw new Error(started.errors.join('\n'));
  closing.push(() => started.value.stop());
  return started.value;
}

it('a venue with candles: hours from before the start are sold', async () => {
  const { begins, ...timers } = hurried();
  const service = await startService(timers);
  const get = (path: string) => fetch(`http://127.0.0.1:${service.port}${path}`);
  const to = asMs(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  const from = asMs(to - DAY_MS / 2);
  const marksOf = async (): Promise<number> => {
    const scope = { canonicalId: COIN, venues: [VENUE], from, to };
    const read = await service.history?.reader.buckets(scope, { measures: ['mark'], book: false }, HOUR_MS);
    return read?.ok === true ? read.value.filter(({ means }) => means.mark !== undefined).length : 0;
  };
  await until(async () => {
    expect((await get('/v1/spot/current?ticker=BTC')).status).toBe(200);
    expect(await marksOf()).toBe(12);
  }, 200);
  const window = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const path = `/v1/spot/history?ticker=BTC&venue=${VENUE}&${window}`;
  expect((await get(path)).status).toBe(404);
  for (const begin of begins) begin();
  const { hours } = await until(async () => {
    const answer = (await (await get(path)).json()) as { hours: readonly Record<string, unknown>[] };
    expect(answer.hours.length).toBeGreaterThanOrEqual(11);
    return answer;
  }, 200);
  const sim = SIM_VENUES.find(({ id }) => id === VENUE);
  const pair = sim && spotPairs(world, sim).find(({ asset }) => asset.ticker === 'BTC');
  if (pair === undefined) throw new Error('no bitcoin is simulated');
  for (const { hour_start: start, origin, price, open_price: open, gap_of: moment } of hours) {
    const at = Date.parse(String(start));
    expect(origin).toBe('candle');
    expect(Math.abs(Number(open) / spotMid(world, pair, at) - 1)).toBeLessThan(1e-4);
    expect(Math.abs(Number(price) / spotMid(world, pair, at + HOUR_MS) - 1)).toBeLessThan(1e-4);
    expect(moment).toBe('start');
  }
});
