import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import { openStore } from '../../src/history/open-store.ts';
import { SAMPLE_COLUMNS, SampleEncoder } from '../../src/history/sample-rows.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { type ClickHouseServer, serverObstacle, startCluster } from './clickhouse-server.ts';
import { valueIn } from './load.ts';

const CLUSTER = 'replicated';
const REPLICAS = 2;
const ROWS = 100;
const START = Date.UTC(2026, 9, 20);
const obstacle = serverObstacle();
const encoder = new SampleEncoder();

const linesAt = (minute: number): readonly string[] =>
  Array.from({ length: ROWS }, (_, i) =>
    encoder.line(
      {
        canonicalId: `crypto:C${i}`,
        ticker: `C${i}`,
        venue: 'binance',
        symbol: `C${i}USDT`,
        listedAt: asMs(START),
        at: asMs(START + minute * MINUTE_MS),
        origin: 'sampled',
        comparable: true,
        fundingRate: asRate(i * 1e-8),
        fundingIntervalHours: asHours(8),
        markPrice: asPrice(minute + 1),
      },
      START + minute * MINUTE_MS,
    ),
  );

describe.skipIf(obstacle !== undefined)(
  `two shards of two replicas (${obstacle ?? 'on real servers'})`,
  () => {
    let servers: readonly ClickHouseServer[] = [];
    let store: HistoryStore;
    let written = 0;

    const open = async (): Promise<HistoryStore> =>
      valueIn(await openStore({ engine: 'server', urls: servers.map(({ url }) => url), cluster: CLUSTER }));
    const write = async (minutes: number): Promise<void> => {
      for (const last = written + minutes; written < last; written++) {
        const rows = { table: 'samples', columns: SAMPLE_COLUMNS, lines: linesAt(written) };
        valueIn(await store.insert({ ...rows, token: `1-${written}` }));
      }
    };
    /** Rows that can be read, whichever nodes answer. */
    const readable = async (): Promise<number> => {
      const sql = 'SELECT uniqExact(ts, canonical_id) FROM samples';
      return Number(valueIn(await store.select({ sql, params: {} }))[0]?.[0]);
    };
    /** Rows and a hash of them of each node, the replicas of a shard beside each other; `DISTINCT`: rows that are there twice count once. */
    const held = async (which: 'ALL' | 'DISTINCT' = 'ALL'): Promise<readonly string[]> => {
      const rows = await store.selectOnNodes((local) => ({
        sql: `SELECT count(), groupBitXor(hash) FROM (SELECT ${which} cityHash64(toString(tuple(*))) AS hash FROM ${local('samples')})`,
        params: {},
      }));
      return valueIn(rows).map(String);
    };
    const delivered = (): Promise<void> => until(async () => valueIn(await store.deliver('samples')));

    beforeAll(async () => {
      servers = await startCluster(CLUSTER, 2, { replicas: REPLICAS });
      store = await open();
    });
    afterAll(async () => {
      await store.close();
      await Promise.all(servers.map((server) => server.remove()));
    });

    it('hold each row twice, and show it once', async () => {
      await write(3);
      await delivered();
      const [one, same, other, alike] = await held();
      expect([one, other]).toEqual([same, alike]);
      expect(one).not.toBe(other);
      const sql = 'SELECT count() FROM samples';
      expect(Number(valueIn(await store.select({ sql, params: {} }))[0]?.[0])).toBe(3 * ROWS);
    });

    it.each([0, 1])('replica %i of each shard dead: takes and answers everything', async (replica) => {
      const dead = servers.filter((_, i) => i % REPLICAS === replica);
      for (const server of dead) await server.kill();
      await write(3);
      expect(await readable()).toBe(written * ROWS);
      for (const server of dead) await server.restart();
      await write(1);
      await delivered();
      const [one, same, other, alike] = await held();
      expect([one, other]).toEqual([same, alike]);
      expect(await readable()).toBe(written * ROWS);
    });

    it('a replica of each shard hangs: take, answer, hand over', async () => {
      const hung = servers.filter((_, i) => i % REPLICAS === 0);
      valueIn(await recordDeclared(store, asMs(START)));
      for (const server of hung) server.pause();
      try {
        await write(2);
        expect(await readable()).toBe(written * ROWS);
        valueIn(await recordDeclared(store, asMs(START + 1)));
      } finally {
        for (const server of hung) server.resume();
      }
      await delivered();
      const [one, same, other, alike] = await held();
      expect([one, other]).toEqual([same, alike]);
      const sql = 'SELECT count() FROM samples';
      expect(Number(valueIn(await store.select({ sql, params: {} }))[0]?.[0])).toBe(written * ROWS);
      // On a busy machine what asks a hung replica first waits several times, which took more than a minute.
    }, 600_000);

    it('take up a replica that lost everything, filled from the other', async () => {
      const [lost, whole] = servers;
      if (lost === undefined || whole === undefined) throw new Error('no servers');
      await lost.kill();
      lost.forget();
      await lost.restart();
      await store.close();
      store = await open();
      const node = valueIn(await openStore({ engine: 'server', urls: [lost.url], cluster: CLUSTER }));
      const sql = `INSERT INTO samples_local SELECT * FROM remote('${whole.address}', perpmeter, samples_local)`;
      valueIn(await node.run({ sql, params: {} }));
      await node.close();
      await write(1);
      await delivered();
      // With its rows the node has lost what says which writes it had: one that comes late is there again.
      const [one, same] = await held('DISTINCT');
      expect(one).toBe(same);
    });
  },
);
