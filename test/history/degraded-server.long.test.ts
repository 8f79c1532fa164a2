import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/history/open-store.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { runCli } from '../cli/run-cli.ts';
import { type ClickHouseServer, serverObstacle, startServer } from './clickhouse-server.ts';
import { openRig, type Rig, recover, staysLive } from './degraded-rig.ts';
import { gapsOf, minutesOf, rowsOf } from './kept-rows.ts';
import { valueIn } from './load.ts';

/** Rows that may wait in memory. */
const MAX_WAITING_ROWS = 9000;
const obstacle = serverObstacle();

interface Outage {
  readonly what: string;
  readonly begin: (server: ClickHouseServer) => Promise<void>;
  readonly end: (server: ClickHouseServer) => Promise<void>;
  /** In the health document. */
  readonly why: string;
  /** In the table of gaps. */
  readonly gap: string;
  /** Assets that nobody has asked about yet: their past is not held by the service. */
  readonly assets: readonly string[];
  readonly later: string;
}

const OUTAGES: readonly Outage[] = [
  {
    what: 'is killed',
    begin: (server) => server.kill(),
    end: (server) => server.restart(),
    why: 'the store cannot be reached',
    gap: 'unavailable',
    assets: ['BTC', 'ETH'],
    later: 'SOL',
  },
  {
    what: 'takes connections and answers nothing',
    begin: async (server) => server.pause(),
    end: async (server) => server.resume(),
    why: 'the store answers late',
    gap: 'queue_full',
    assets: ['XRP', 'DOGE'],
    later: 'ADA',
  },
];

describe.skipIf(obstacle !== undefined)(`a history server (${obstacle ?? 'a real one'})`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-degraded-'));
  let server: ClickHouseServer;
  let rig: Rig;
  let store: HistoryStore;

  beforeAll(async () => {
    server = await startServer();
    const engine = { engine: 'server', urls: [server.url] } as const;
    rig = await openRig({ engine, dataDir, maxWaitingRows: MAX_WAITING_ROWS });
    store = valueIn(await openStore(engine));
  });
  afterAll(async () => {
    await rig?.stop();
    await store?.close();
    await server?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const historicalValueOf = (asset: string): string => `/v1/perp/oi-history?venue=binance&ticker=${asset}`;

  it.each(OUTAGES)('that $what does not affect live answers, and loses no accepted row', async (outage) => {
    await rig.minutes(2);
    await rig.written();
    await rig.says('ok', { ok: true, mode: 'writing', reason: null });
    const { lostRows: lostBefore } = rig.state().write;
    const soldBefore = rig.settled.length;

    // A sample is on its way at that moment.
    const during = rig.minutes(1);
    await outage.begin(server);
    await during;
    await rig.minutes(1);
    const asked = Promise.all(outage.assets.map((asset) => rig.buy(historicalValueOf(asset))));
    await rig.says('degraded', { ok: false, mode: 'lagging', reason: outage.why });
    const living = staysLive(rig);

    // Longer than can wait in memory.
    while (rig.state().write.lostRows === lostBefore) await rig.minutes(1);
    await rig.minutes(2);
    const full = rig.state().write;
    expect(full).toMatchObject({ mode: 'read_only', reason: outage.why, refusedRows: 0 });
    expect(full.queuedRows).toBeLessThanOrEqual(MAX_WAITING_ROWS);
    await rig.says('degraded', { ok: false, mode: 'read_only', reason: outage.why });
    for (const { status, code, retryAfter } of [
      ...(await asked),
      await rig.buy(historicalValueOf(outage.later)),
    ]) {
      expect([status, code]).toEqual([503, 'not_ready']);
      expect(retryAfter).toBeGreaterThan(0);
    }
    expect(await living).toBe(rig.settled.length - soldBefore);

    await outage.end(server);
    await recover(rig);
    const { writtenRows, lostRows, refusedRows } = rig.state().write;
    expect(refusedRows).toBe(0);
    expect(await rowsOf(store)).toBe(writtenRows);
    const minutes = await minutesOf(store);
    expect(minutes.filter(({ rows, contracts }) => rows !== contracts)).toEqual([]);
    const gap = (await gapsOf(store)).filter(({ reason }) => reason === outage.gap);
    expect(gap.reduce((sum, { rows }) => sum + rows, 0)).toBe(lostRows - lostBefore);
    const [{ from, until }] = gap as [(typeof gap)[0]];
    const there = new Set(minutes.map(({ at }) => at));
    for (let at = from; at <= until; at += MINUTE_MS) expect(there.has(at)).toBe(false);
    for (const edge of [from - MINUTE_MS, until + MINUTE_MS]) expect(there.has(edge)).toBe(true);
    expect((await rig.buy(historicalValueOf(outage.later))).status).toBe(200);
  });

  it('has both gaps in `perpmeter history check`, and no row twice', async () => {
    const env = { PERPMETER_CLICKHOUSE_URL: server.url };
    const { code, stdout } = await runCli(['history', 'check', '--json'], { env });
    expect(code).toBe(0);
    const { gaps, days } = JSON.parse(stdout) as {
      gaps: readonly { reason: string; venue: string; rows: number }[];
      days: readonly { duplicates: number }[];
    };
    const ours = gaps.filter(({ venue }) => venue === '*');
    expect(ours.map(({ reason }) => reason)).toEqual(OUTAGES.map(({ gap }) => gap));
    expect(gaps.reduce((sum, { rows }) => sum + rows, 0)).toBe(rig.state().write.lostRows);
    expect(days.filter(({ duplicates }) => duplicates > 0)).toEqual([]);
  });

  it('that does not answer does not block shutdown', async () => {
    server.pause();
    await rig.minutes(1);
    await rig.stop();
  });
});
