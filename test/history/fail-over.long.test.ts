import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../cli/run-cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkHistory } from '../../src/cli/history-check.ts';
import { isWire } from '../../src/domain/read.ts';
import { openStore } from '../../src/history/open-store.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { type Child, startChild } from '../../src/host/process/child.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { NatsServer, natsObstacle } from '../feed/nats-server.ts';
import { until } from '../until.ts';
import { type ClickHouseServer, serverObstacle, startServer } from './clickhouse-server.ts';
import { valueIn } from './load.ts';
import { CONTRACTS, DATABASE, timeOf } from './recorder-time.ts';

const obstacle = natsObstacle() ?? serverObstacle();
const MINUTE_S = MINUTE_MS / 1000;
const PATIENCE_MS = 30_000;

/** A recorder with what it last said that its part is. */
interface Recorder {
  readonly child: Child;
  part: string;
}

describe.skipIf(obstacle !== undefined)(
  `recorders that die, sleep and end${obstacle === undefined ? '' : `: ${obstacle}`}`,
  () => {
    let nats: NatsServer;
    let server: ClickHouseServer;
    let store: HistoryStore;
    const all: Recorder[] = [];
    const begun = Date.now();

    beforeAll(async () => {
      nats = await NatsServer.start();
      server = await startServer();
    });
    afterAll(async () => {
      for (const { child } of all) child.process.kill('SIGKILL');
      await store.close();
      await Promise.all([nats.stop(), server.remove()]);
    });

    const start = async (): Promise<Recorder> => {
      const script = new URL('./recorder-process.ts', import.meta.url);
      const env = { NATS: nats.url(), CLICKHOUSE: server.url, BEGUN: String(begun) };
      const child = startChild(`recorder ${all.length}`, script, [], env);
      const recorder: Recorder = { child, part: '' };
      child.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
        recorder.part = text.trim().split('\n').at(-1) ?? '';
      });
      all.push(recorder);
      await until(() => expect(recorder.part).not.toBe(''));
      return recorder;
    };
    const writes = (recorder: Recorder): Promise<void> => until(() => expect(recorder.part).toBe('writer'));
    const minutes = async (): Promise<readonly number[]> => {
      const sql =
        "SELECT DISTINCT toUnixTimestamp(ts) AS at FROM samples WHERE origin = 'sampled' ORDER BY at";
      return valueIn(await store.select({ sql, params: {} })).map(([at]) => Number(at) / MINUTE_S);
    };
    /** Waits until so many further minutes are stored. */
    const further = async (count: number): Promise<void> => {
      const before = (await minutes()).length;
      await until(async () => expect((await minutes()).length).toBeGreaterThanOrEqual(before + count), 200);
    };

    /** Waits for a moment from which the next minute comes before the lease of a holder that dies is over. */
    const beforeMinute = (): Promise<void> =>
      until(() => {
        const part = (timeOf(begun) % MINUTE_MS) / MINUTE_MS;
        expect(part).toBeGreaterThan(0.5);
        expect(part).toBeLessThan(0.7);
      });

    it('write every minute once, or note why it is missing', async () => {
      const first = await start();
      await writes(first);
      store = valueIn(await openStore({ engine: 'server', urls: [server.url], database: DATABASE }));
      const second = await start();
      await further(2);
      expect(second.part).toBe('standby');

      await beforeMinute();
      first.child.process.kill('SIGKILL');
      await writes(second);
      const third = await start();
      await further(2);

      second.child.process.kill('SIGSTOP');
      await writes(third);
      await further(1);
      second.child.process.kill('SIGCONT');
      await until(() => expect(second.part).toBe('standby'));
      await further(2);

      third.child.process.send('end');
      await third.child.exited;
      await writes(second);
      await further(2);

      const { days, gaps } = valueIn(await checkHistory(store));
      expect(days.map(({ duplicates, revisions, contracts }) => [duplicates, revisions, contracts])).toEqual([
        [0, 0, CONTRACTS],
      ]);
      const stored = await minutes();
      const from = stored[0] ?? 0;
      const to = stored.at(-1) ?? 0;
      const isNoted = (minute: number): boolean =>
        gaps.some((gap) => gap.from / MINUTE_S <= minute && minute < gap.until / MINUTE_S);
      const missing = Array.from({ length: to - from }, (_, i) => from + i).filter(
        (minute) => !stored.includes(minute),
      );
      expect(missing.filter((minute) => !isNoted(minute))).toEqual([]);
      expect([...new Set(gaps.map(({ reason }) => reason))]).toEqual(['recorder_failover']);
      const rows = valueIn(await store.select({ sql: 'SELECT count() FROM samples', params: {} }));
      expect(Number(rows[0]?.[0])).toBe(stored.length * CONTRACTS);
    });

    it('are processes of the service with the role record', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'perpmeter-recorders-'));
      const serve = async (name: string): Promise<{ child: Child; part: () => Promise<unknown> }> => {
        const port = String(await freePort('127.0.0.1'));
        const args = ['serve', '--role', 'record', '--port', port, '--data-dir', join(folder, name)];
        const child = startChild(name, new URL('../../dist/perpmeter.js', import.meta.url), args, {
          PERPMETER_NATS_URL: nats.url(),
          PERPMETER_CLICKHOUSE_URL: server.url,
          PERPMETER_PAYMENTS_MODE: 'off',
          PERPMETER_LOG_LEVEL: 'error',
          PERPMETER_BASE_URL: `http://127.0.0.1:${port}`,
        });
        child.process.stdout?.resume();
        all.push({ child, part: '' });
        const part = async (): Promise<unknown> => {
          const health: unknown = await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json();
          return isWire(health) && isWire(health.store) ? health.store.part : undefined;
        };
        return { child, part };
      };
      // The lease is free: the recorders of before have ended.
      for (const { child } of all) child.process.kill('SIGKILL');
      const first = await serve('first');
      await until(async () => expect(await first.part()).toBe('writer'), 100);
      const second = await serve('second');
      await until(async () => expect(await second.part()).toBe('standby'), 100);
      first.child.process.kill('SIGKILL');
      await until(async () => expect(await second.part()).toBe('writer'), 100);
      const third = await serve('third');
      await until(async () => expect(await third.part()).toBe('standby'), 100);
      await second.child.stop(PATIENCE_MS);
      expect(await second.child.exited).toBe(0);
      await until(async () => expect(await third.part()).toBe('writer'), 100);
      await third.child.stop(PATIENCE_MS);
      rmSync(folder, { recursive: true, force: true });
    });
  },
);
