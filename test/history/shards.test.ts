import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import { openStore } from '../../src/history/open-store.ts';
import { SAMPLE_COLUMNS, SampleEncoder } from '../../src/history/sample-rows.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { WriteQueue } from '../../src/history/write-queue.ts';
import { recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import { DECLARED } from '../../src/modules/corrections/declared.ts';
import { systemTimer } from '../../src/runtime/timer.ts';
import { until } from '../until.ts';
import { type ClickHouseServer, serverObstacle, startCluster } from './clickhouse-server.ts';
import { CLUSTER } from './engines.ts';
import { valueIn } from './load.ts';

const ROWS = 300;
const START = Date.UTC(2026, 9, 20);
const obstacle = serverObstacle();

describe.skipIf(obstacle !== undefined)(`two shards (${obstacle ?? 'on real servers'})`, () => {
  let servers: readonly ClickHouseServer[] = [];
  let store: HistoryStore;
  const accepted = new Set<number>();
  const encoder = new SampleEncoder();

  beforeAll(async () => {
    servers = await startCluster(CLUSTER, 2);
    store = valueIn(
      await openStore({ engine: 'server', urls: servers.map(({ url }) => url), cluster: CLUSTER }),
    );
  });
  afterAll(async () => {
    await store.close();
    await Promise.all(servers.map((server) => server.remove()));
  });

  const linesAt = (minute: number): readonly string[] =>
    Array.from({ length: ROWS }, (_, i) =>
      encoder.line(
        {
          canonicalId: `crypto:C${i}`,
          ticker: `C${i}`,
          venue: 'binance',
          symbol: `C${i}USDT`,
          listedAt: asMs(START),
          at: asMs(START + minute * 60_000),
          origin: 'sampled',
          comparable: true,
          fundingRate: asRate(i * 1e-8),
          fundingIntervalHours: asHours(8),
          markPrice: asPrice(minute + 1),
        },
        START + minute * 60_000,
      ),
    );

  it.each([0, 1])('keep every accepted row while node %i is killed and started again', async (node) => {
    const queue = new WriteQueue({
      store,
      clock: systemClock,
      timer: systemTimer,
      logger: silentLogger,
      maxRows: 90_000,
      onWritten: ({ from, to }) => {
        for (let at = from; at <= to; at = asMs(at + 60_000)) accepted.add(at);
      },
    });
    const first = node * 100;
    const write = (minute: number): void => {
      const at = asMs(START + (first + minute) * 60_000);
      queue.offer({
        table: 'samples',
        columns: SAMPLE_COLUMNS,
        lines: linesAt(first + minute),
        from: at,
        to: at,
      });
    };
    for (let minute = 0; minute < 3; minute++) write(minute);
    await queue.settled();
    write(3);
    await servers[node]?.kill();
    for (let minute = 4; minute < 8; minute++) write(minute);
    await queue.settled();
    await servers[node]?.restart();
    for (let minute = 8; minute < 10; minute++) write(minute);
    await queue.settled();
    await until(async () => valueIn(await store.deliver('samples')));
    const found = valueIn(
      await store.select({
        sql: 'SELECT toUnixTimestamp(ts), uniqExact(canonical_id) FROM samples GROUP BY ts',
        params: {},
      }),
    );
    const held = new Map(found.map(([at, rows]) => [Number(at) * 1000, Number(rows)]));
    expect(accepted.size).toBe(10 * (node + 1));
    expect([...accepted].filter((at) => held.get(at) !== ROWS)).toEqual([]);
  });

  it('share the rows', async () => {
    const counts = valueIn(
      await store.selectOnNodes((local) => ({ sql: `SELECT count() FROM ${local('samples')}`, params: {} })),
    );
    expect(counts.map(([rows]) => Number(rows) > 0)).toEqual([true, true]);
  });

  it('a name sent again to any node in any order: stored once', async () => {
    const urls = servers.map(({ url }) => url).reverse();
    const other = valueIn(await openStore({ engine: 'server', urls, cluster: CLUSTER }));
    // Of two partitions.
    const lines = [...linesAt(1000), ...linesAt(21_000)];
    const insert = async (to: HistoryStore, token: string, sent: readonly string[]): Promise<number> => {
      valueIn(await to.insert({ table: 'samples', columns: SAMPLE_COLUMNS, lines: sent, token }));
      valueIn(await to.deliver('samples'));
      const sql = "SELECT count() FROM samples WHERE ts >= '2026-10-20 16:40:00'";
      return Number(valueIn(await to.select({ sql, params: {} }))[0]?.[0]);
    };
    expect(await insert(store, '7-1', lines)).toBe(lines.length);
    expect(await insert(other, '7-1', lines)).toBe(lines.length);
    expect(await insert(other, '7-1', [...lines].reverse())).toBe(lines.length);
    // Another statement is another, whatever its rows are.
    expect(await insert(store, '7-2', lines)).toBe(2 * lines.length);
    await other.close();
  });

  it('new corrections: only with every node; recorded ones need none', async () => {
    await servers[1]?.kill();
    const refused = await recordDeclared(store, asMs(START));
    expect(refused).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
    expect(JSON.stringify(refused)).toContain('have to be noted on every node');
    await servers[1]?.restart();
    await until(async () => valueIn(await recordDeclared(store, asMs(START))));
    await servers[1]?.kill();
    valueIn(await recordDeclared(store, asMs(START + 1)));
    await servers[1]?.restart();
    const counted = {
      sql: 'SELECT count(), countIf(known_at = recorded_before) FROM corrections',
      params: {},
    };
    const counts = valueIn(await store.selectOnNodes(() => counted)).map(String);
    expect(counts).toEqual([counts[0], counts[0]]);
    expect(counts[0]).toBe(`${DECLARED.length},${DECLARED.length}`);
  });
});
