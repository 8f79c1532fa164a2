import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApiOptions } from '../../src/api/server.ts';
import { silentLogger } from '../../src/collect/logger.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { loadSamples, loadSettlements, valueIn } from '../history/load.ts';
import { until } from '../until.ts';
import { type MemoryService, startMemoryService } from '../world/memory-service.ts';
import { historySamples, historySettlements } from '../world/world-history.ts';
import { BASE_URL, createExampleApi, type ExampleApi } from './example-api.ts';
import { examplePorts } from './example-ports.ts';
import { exampleSpotPast } from './example-spot-past.ts';

const SEED = 5;
/** The service begins here, and time stands still when it has run for a while. */
const FROM = asMs(Date.parse('2026-11-20T21:17:00.000Z'));
const RUN_MS = 90_000;
/** Few, so that examples are short; two of them have a good part of all assets, one brings venues of its own. */
const VENUES = ['binance', 'okx', 'hyperliquid'];
/** Assets whose past is known hour by hour, and of these the ones of which each minute is known. */
const HOURLY = 40;
const HOURLY_SPAN = 8 * 24 * HOUR_MS;
const BY_MINUTE = ['crypto:BTC'];
const MINUTE_SPAN = 26 * HOUR_MS;
/** Assets whose payments are known, and for how long. */
const PAID = 8;
const PAID_SPAN = 95 * 24 * HOUR_MS;
/** An asset whose past is known for a short time, so that answers over all of it are short. */
const NEW = 'crypto:CHZ';
const NEW_SPAN = 3 * 24 * HOUR_MS;

/** The surface over the world sells by all ports of the caller, or by some in the place of the example’s. */
type WorldSale = Pick<Partial<ApiOptions>, 'paywall' | 'payments' | 'readPort'> & {
  readonly ports?: Parameters<typeof examplePorts>[0];
};

/** The simulated world at a moment that does not pass. */
export interface ExampleWorld {
  /** Address of the whole HTTP surface over it, free of charge unless it is given payments. */
  serve(sale?: WorldSale): Promise<string>;
  close(): Promise<void>;
}

let opened: Promise<ExampleWorld> | undefined;

/**
 * The world of a test file: it takes more CPU to open than all that is asked of it, so all suites of the file share one,
 * and the file closes it. The file has to put memory in the place of sockets and HTTP, as `startMemoryService` says.
 */
export function exampleWorld(): Promise<ExampleWorld> {
  opened ??= openWorld();
  return opened;
}

/** Runs the service over simulated venues until each has reported all, gives it a history, and stops time. */
async function openWorld(): Promise<ExampleWorld> {
  const historyPath = mkdtempSync(join(tmpdir(), 'perpmeter-examples-'));
  const service = await startMemoryService({ seed: SEED, from: FROM, venues: VENUES, historyPath });
  await service.pass(RUN_MS);
  // The store writes in real time.
  const isWritten = () => expect(service.history.state()).toMatchObject({ ok: true, lagSeconds: 30 });
  await until(isWritten);
  await loadHistory(service);
  const apis: ExampleApi['api'][] = [];
  return {
    serve: (sale) => {
      const { api, start } = apiOver(service, sale);
      apis.push(api);
      return start();
    },
    close: async () => {
      await Promise.all(apis.map((api) => api.close()));
      await service.stop();
      rmSync(historyPath, { recursive: true, force: true });
    },
  };
}

function apiOver(
  { market, books, collector, history, indexes, time, world }: MemoryService,
  { ports, ...sale }: WorldSale = {},
): ExampleApi {
  const bitcoin = world.assets.find(({ id }) => id === 'crypto:BTC');
  const spotPast = exampleSpotPast((at) => (bitcoin === undefined ? 0 : world.spot(bitcoin, at)));
  return createExampleApi({
    mode: 'off',
    readPort: examplePorts({ spotPast, ...ports }),
    ...sale,
    market: market.view,
    books: books.view,
    health: collector.health,
    clock: time.clock,
    history,
    indexMoves: () => indexes.moves,
    store: () => {
      const { part, engine, ok, lagSeconds, write } = history.state();
      return {
        part,
        engine,
        ok,
        lagSeconds,
        mode: write.mode,
        reason: write.reason,
        waitingRows: write.queuedRows,
        lostRows: write.lostRows,
      };
    },
    service: {
      baseUrl: BASE_URL,
      name: 'Perpmeter',
      version: '0.1.0',
      data: 'simulated',
      startedAt: FROM,
    },
  });
}

function* times(from: number, to: number, step: number): Generator<UnixMs> {
  for (let at = Math.ceil(from / step) * step; at < to; at += step) yield asMs(at);
}

/** Writes what was to be seen before the service began, and rolls it up. */
async function loadHistory(service: MemoryService): Promise<void> {
  const { market, store, time } = service;
  const largest = new Map<string, number>();
  for (const { canonicalId, openInterestUsd = 0 } of market.view.rows()) {
    largest.set(canonicalId, Math.max(openInterestUsd, largest.get(canonicalId) ?? 0));
  }
  const ranked = [...largest].sort((a, b) => b[1] - a[1]).map(([id]) => id);
  const rowsOf = (ids: readonly string[]) => ids.flatMap((id) => market.view.rowsOf(id));
  const hourly = ranked.slice(0, HOURLY).filter((id) => !BY_MINUTE.includes(id));
  const hours = [...times(FROM - HOURLY_SPAN, FROM, HOUR_MS)];
  const minutes = [
    ...times(FROM - HOURLY_SPAN, FROM - MINUTE_SPAN, HOUR_MS),
    ...times(FROM - MINUTE_SPAN, FROM, MINUTE_MS),
  ];
  await loadSamples(store, historySamples(service, rowsOf(hourly), hours));
  await loadSamples(store, historySamples(service, rowsOf(BY_MINUTE), minutes));
  const paid = rowsOf(ranked.slice(0, PAID));
  await loadSettlements(store, historySettlements(service, paid, asMs(FROM - PAID_SPAN), FROM));
  const newest = rowsOf([NEW]);
  const since = asMs(FROM - NEW_SPAN);
  await loadSamples(store, historySamples(service, newest, [...times(since, FROM, HOUR_MS)], true));
  await loadSettlements(store, historySettlements(service, newest, since, FROM));
  const { clock, timer } = time;
  const rollUps = new RollUps({ store, clock, timer, logger: silentLogger, oldestWaiting: () => undefined });
  valueIn(await rollUps.refresh());
  await rollUps.work();
}
