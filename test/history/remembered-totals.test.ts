import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire } from '../../src/domain/read.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Service } from '../../src/host/options.ts';
import { startService } from '../../src/host/service.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { until } from '../until.ts';

const HOST = '127.0.0.1';
/** The first holds most of the open interest. */
const VENUES = ['binance', 'hibachi'] as const;
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const SNAPSHOT = '/v1/perp/snapshot?ticker=BTC';

const dataDir = mkdtempSync(join(tmpdir(), 'remembered-totals-'));
let sim: SimServer;
beforeAll(async () => {
  sim = await startSimServer({
    world: createWorld(7),
    venues: SIM_VENUES.filter(({ id }) => VENUES.some((venue) => venue === id)),
  });
});
afterAll(async () => {
  await sim.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The service over the same data folder, with some venues out of reach. */
async function start(time: ManualTime, down: readonly string[]): Promise<Service> {
  const venues = VENUES.flatMap((id) => adapterOf(id) ?? []);
  const baseOf = (id: string, bases: Readonly<Record<string, string>>) =>
    down.includes(id)
      ? Object.fromEntries(Object.keys(bases).map((name) => [name, NOWHERE]))
      : simBases(bases, sim.url, id);
  const payments = parsePaymentConfig(
    { PAYMENTS_MODE: 'off', BASE_URL: `http://${HOST}:1`, LEDGER_PATH: join(dataDir, 'ledger') },
    HOST,
  );
  if (!payments.ok) throw new Error(payments.errors.join('\n'));
  const started = await startService({
    host: HOST,
    port: 0,
    version: '0.0.0',
    dataDir,
    venues,
    data: 'simulated',
    bases: Object.fromEntries(venues.map(({ id, bases }) => [id, baseOf(id, bases)])),
    payments: payments.value,
    trustProxy: { kind: 'none' },
    booksPerVenue: 1,
    history: {
      engine: { engine: 'embedded', path: join(dataDir, 'history'), database: 'perpmeter' },
      retention: DEFAULT_RETENTION,
      clock: time.clock,
      timer: time.timer,
    },
    logger: pino({ level: 'silent' }),
  });
  if (!started.ok) throw new Error(started.errors.join('\n'));
  return started.value;
}

/** Timers that fall due while it stops do so on the time of the history. */
async function stop(service: Service, time: ManualTime): Promise<void> {
  let isStopped = false;
  const stopped = service.stop().finally(() => {
    isStopped = true;
  });
  await until(async () => {
    await time.advance(1000);
    expect(isStopped).toBe(true);
  });
  await stopped;
}

/** The total of an asset once all venues that are up are in its answer. */
async function totalOf({ port }: Service, venues: number): Promise<unknown> {
  let total: unknown;
  await until(async () => {
    const response = await fetch(`http://${HOST}:${port}${SNAPSHOT}`);
    const body: unknown = await response.json();
    expect(response.status).toBe(200);
    expect(isWire(body) ? body.open_interest_venues_count : undefined).toBe(venues);
    total = isWire(body) ? body.total_open_interest_usd : undefined;
  });
  return total;
}

it('a start with the largest venue down: the total is unknown', async () => {
  const time = new ManualTime(Date.now() - 5_000);
  const first = await start(time, []);
  expect(await totalOf(first, 2)).toBeGreaterThan(0);
  await until(async () => {
    await time.advance(1000);
    expect(first.history?.state().lagSeconds).toBeDefined();
  });
  await stop(first, time);
  const second = await start(time, ['binance']);
  expect(await totalOf(second, 1)).toBeNull();
  await stop(second, time);
});
