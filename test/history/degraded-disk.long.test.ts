import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkHistory } from '../../src/cli/history-check.ts';
import { openStore } from '../../src/history/open-store.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { diskObstacle, mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { keepsReceiving, LIVE, openRig, type Rig, recover, staysLive } from './degraded-rig.ts';
import { gapsOf, minutesOf, rowsOf } from './kept-rows.ts';
import { valueIn } from './load.ts';

const MIB = 2 ** 20;
/** Rows that may wait in memory. */
const MAX_WAITING_ROWS = 4500;
const FULL = { ok: false, mode: 'read_only', reason: 'the store has no room' };
const obstacle = diskObstacle();

describe.skipIf(obstacle !== undefined)(`an embedded history on a full disk (${obstacle ?? 'tmpfs'})`, () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'perpmeter-degraded-'));
  let disk: SmallDisk;
  let rig: Rig | undefined;
  let begun = 0;
  /** Another session on the same folder. */
  let store: HistoryStore;

  beforeAll(async () => {
    disk = await mountSmallDisk(96);
    store = valueIn(await openStore({ engine: 'embedded', path: join(disk.path, 'history') }));
  });
  afterEach(async () => {
    disk.clear();
    await rig?.stop();
    rig = undefined;
  });
  afterAll(async () => {
    await store?.close();
    await disk?.remove();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  const start = async (options: {
    dataDir: string;
    minFreeBytes: number;
    hoursAgo: number;
  }): Promise<Rig> => {
    const { minFreeBytes, ...others } = options;
    const engine = { engine: 'embedded', path: join(disk.path, 'history'), minFreeBytes } as const;
    rig = await openRig({ engine, maxWaitingRows: MAX_WAITING_ROWS, ...others });
    begun = rig.time.clock.now();
    return rig;
  };
  const open = async (options: Parameters<typeof start>[0]): Promise<Rig> => {
    const service = await start(options);
    await service.minutes(2);
    await service.written();
    await service.says('ok', { ok: true, mode: 'writing', reason: null });
    return service;
  };
  /** Lets more come than can wait, and finds it bounded. */
  const overflow = async (service: Rig): Promise<void> => {
    while (service.state().write.lostRows === 0) await service.minutes(1);
    await service.minutes(2);
    expect(service.state().write.queuedRows).toBeLessThanOrEqual(MAX_WAITING_ROWS);
    await service.says('degraded', FULL);
  };
  const historicalValueOf = (asset: string): string => `/v1/perp/oi-history?venue=binance&ticker=${asset}`;
  /** Everything that was accepted is there once, and what is missing is noted. */
  const settle = async (service: Rig, rowsBefore: number): Promise<void> => {
    await recover(service);
    const { writtenRows, lostRows, refusedRows } = service.state().write;
    expect(refusedRows).toBe(0);
    expect((await rowsOf(store)) - rowsBefore).toBe(writtenRows);
    expect((await minutesOf(store)).filter(({ rows, contracts }) => rows !== contracts)).toEqual([]);
    const { days } = valueIn(await checkHistory(store));
    expect(days.filter(({ duplicates }) => duplicates > 0)).toEqual([]);
    // The engine may find room for a while, so that there are several; one that is slow to refuse has not said why.
    const noted = (await gapsOf(store)).filter(
      ({ from, reason }) => from >= begun && ['no_space', 'queue_full'].includes(reason),
    );
    expect(noted.reduce((sum, { rows }) => sum + rows, 0)).toBe(lostRows);
    expect(lostRows).toBeGreaterThan(0);
    const kept = await minutesOf(store);
    expect(kept.filter(({ at }) => noted.some(({ from, until }) => at >= from && at <= until))).toEqual([]);
  };

  it('history full, ledger not: stops writing, and sells on', async () => {
    const service = await open({ dataDir: disk.path, minFreeBytes: 32 * MIB, hoursAgo: 12 });
    disk.fill(16 * MIB);
    await service.minutes(1);
    await service.says('degraded', FULL);
    const living = staysLive(service);
    await overflow(service);
    const sold = await living;
    expect((await service.buy(historicalValueOf('BTC'))).status).toBe(200);
    expect(service.settled).toHaveLength(sold + 1);

    // Something else takes the rest: nothing can be sold, but what is free goes on.
    disk.fill();
    await keepsReceiving(service);
    for (const path of [LIVE, historicalValueOf('ETH')]) {
      expect(await service.buy(path)).toMatchObject({ status: 503, code: 'answer_store_full' });
    }
    expect(service.settled).toHaveLength(sold + 1);

    disk.clear();
    await settle(service, 0);
    expect((await service.buy(LIVE)).status).toBe(200);
  });

  it('continues to sell on a full disk where nothing needs to be left free', async () => {
    const rowsBefore = await rowsOf(store);
    const service = await open({ dataDir: elsewhere, minFreeBytes: 0, hoursAgo: 6 });
    disk.fill(1.25 * MIB);
    const living = staysLive(service);
    await overflow(service);
    const sold = await living;
    disk.fill();
    await service.minutes(1);
    expect((await service.buy(historicalValueOf('BTC'))).status).toBe(200);
    expect(service.settled).toHaveLength(sold + 1);
    disk.clear();
    await settle(service, rowsBefore);
  });

  it('starts on a full disk, and writes when there is space', async () => {
    const stops = async () => (await gapsOf(store)).filter(({ reason }) => reason === 'not_running').length;
    const rowsBefore = await rowsOf(store);
    const stopsBefore = await stops();
    disk.fill();
    const service = await start({ dataDir: disk.path, minFreeBytes: 32 * MIB, hoursAgo: 3 });
    await service.minutes(1);
    await service.says('degraded', FULL);
    await keepsReceiving(service);
    expect((await service.get('/v1/preview/funding-current')).status).toBe(200);
    disk.clear();
    await recover(service);
    const { writtenRows, lostRows } = service.state().write;
    expect(lostRows).toBe(0);
    expect((await rowsOf(store)) - rowsBefore).toBe(writtenRows);
    expect(await stops()).toBe(stopsBefore + 1);
  });
});
