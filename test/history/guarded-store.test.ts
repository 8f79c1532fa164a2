import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/history/open-store.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { diskObstacle, mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { until } from '../until.ts';
import { valueIn } from './load.ts';

const MIB = 2 ** 20;
/** Room for a part, and soon taken. */
const ENOUGH = 20 * MIB;
const TABLE = 'full_disk';
const COLUMNS = ['a', 'b'];
/** Text that no codec makes shorter than its digits. */
const linesOf = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${from + i}\t${Math.sin(from + i)}`);
const obstacle = diskObstacle();

describe.skipIf(obstacle !== undefined)(
  `an embedded history whose disk fills up (${obstacle ?? 'tmpfs'})`,
  () => {
    let disk: SmallDisk;
    let store: HistoryStore;
    let logged: string[];

    const log = (_fields: object, message: string): void => void logged.push(message);
    const ask = async (sql: string): Promise<unknown> =>
      valueIn(await store.select({ sql, params: {} }, 'maintain'));
    const run = (sql: string) => store.run({ sql, params: {} });
    const rows = (): Promise<unknown> => ask(`SELECT count(), uniqExact(a) FROM ${TABLE}`);
    const insert = (from: number, count: number) =>
      store.insert({ table: TABLE, columns: COLUMNS, lines: linesOf(from, count) });

    beforeAll(async () => {
      disk = await mountSmallDisk(160);
    });
    beforeEach(async () => {
      logged = [];
      const logger = { info: log, warn: log };
      store = valueIn(await openStore({ engine: 'embedded', path: join(disk.path, 'history') }, logger));
      const made = `CREATE TABLE IF NOT EXISTS ${TABLE} (a UInt64, b Float64) ENGINE = MergeTree ORDER BY a`;
      valueIn(
        await run(`${made} SETTINGS fsync_after_insert = 1, non_replicated_deduplication_window = 1000`),
      );
      valueIn(await run(`TRUNCATE TABLE ${TABLE}`));
    });
    afterEach(async () => {
      disk.clear();
      await store?.close();
    });
    afterAll(async () => {
      await disk?.remove();
    });

    it('merged parts: kept for two minutes, in older tables too', async () => {
      await store.close();
      store = valueIn(await openStore({ engine: 'embedded', path: join(disk.path, 'history') }));
      const kept = "countIf(create_table_query LIKE '%old_parts_lifetime = 120%')";
      await until(async () => {
        const [[tables, keeping]] = (await ask(
          `SELECT count(), ${kept} FROM system.tables WHERE database = currentDatabase() AND engine = 'MergeTree'`,
        )) as [[number, number]];
        expect(tables).toBeGreaterThan(5);
        expect(keeping).toBe(tables);
      });
    });

    it('says so where the disk has no room to keep what a merge has replaced', async () => {
      valueIn(await run('CREATE TABLE unkept (a UInt64) ENGINE = MergeTree ORDER BY a'));
      await store.close();
      disk.fill(10 * MIB);
      const path = join(disk.path, 'history');
      store = valueIn(await openStore({ engine: 'embedded', path }, { info: log, warn: log }));
      await until(() => expect(logged).toContain('replaced parts of the history are not kept for long'));
      disk.clear();
      valueIn(await run('DROP TABLE unkept'));
    });

    it('too little room: no writes or merges, until there is more', async () => {
      for (let i = 0; i < 4; i++) valueIn(await insert(i * 1000, 1000));
      disk.fill(15 * MIB);
      expect(await insert(4000, 1000)).toMatchObject({ ok: false, fault: { kind: 'no_space' } });
      expect(await run(`OPTIMIZE TABLE ${TABLE} FINAL`)).toMatchObject({
        ok: false,
        fault: { kind: 'no_space' },
      });
      expect(await rows()).toEqual([[4000, 4000]]);
      disk.clear();
      valueIn(await insert(4000, 1000));
      await until(async () => valueIn(await run(`OPTIMIZE TABLE ${TABLE} FINAL`)));
      expect(await rows()).toEqual([[5000, 5000]]);
      expect(logged).toEqual([]);
    });

    it('a merge caught by a full disk: every row, once there is room', async () => {
      await caught('tmp_merge', async () => {
        valueIn(await run(`SYSTEM STOP MERGES ${TABLE}`));
        for (let i = 0; i < 4; i++) valueIn(await insert(i * 200_000, 200_000));
        valueIn(await run(`SYSTEM START MERGES ${TABLE}`));
        return () => run(`OPTIMIZE TABLE ${TABLE} FINAL`);
      });
      expect(await insert(0, 10)).toMatchObject({ ok: false, fault: { kind: 'no_space' } });
      disk.clear();
      await until(async () => expect(await rows()).toEqual([[800_000, 800_000]]));
      // Between them what was set aside, where the disk was full before the engine knew: else it gave the merge up.
      await until(() => expect(logged.join('\n')).toMatch(/filled up.*\n(?:.*set aside.*\n)?.*open again/));
    });

    it('rows refused by a full disk: not acknowledged, stored once later', async () => {
      const late = { table: TABLE, columns: COLUMNS, lines: linesOf(1000, 600_000) };
      await caught('tmp_insert', async () => {
        valueIn(await insert(0, 10));
        return () => store.insert(late);
      });
      disk.clear();
      await until(async () => valueIn(await store.insert(late)));
      expect(await rows()).toEqual([[600_010, 600_010]]);
      for (const from of [601_000, 602_000]) valueIn(await insert(from, 10));
      expect(await rows()).toEqual([[600_030, 600_030]]);
    });

    /** Takes the room from under a write; one that has ended before that begins again. */
    async function caught(
      prefix: string,
      prepare: () => Promise<() => ReturnType<HistoryStore['run']>>,
    ): Promise<void> {
      for (let tries = 0; tries < 100; tries++) {
        disk.clear();
        valueIn(await run(`TRUNCATE TABLE ${TABLE}`));
        const write = await prepare();
        disk.fill(ENOUGH);
        const written = write();
        await begun(prefix, written);
        disk.fill();
        const result = await written;
        if (result.ok) continue;
        expect(result.fault.kind).toBe('no_space');
        return;
      }
      throw new Error('the engine writes faster than the disk fills up');
    }

    /** Looks for the folder that the engine writes a part to, without giving it time, until it is there or all is written. */
    async function begun(prefix: string, written: Promise<unknown>): Promise<void> {
      let isOver = false;
      void written.finally(() => {
        isOver = true;
      });
      const [[path]] = (await ask(`SELECT data_paths[1] FROM system.tables WHERE name = '${TABLE}'`)) as [
        [string],
      ];
      for (let looks = 0; !isOver; looks++) {
        if (existsSync(path) && readdirSync(path).some((name) => name.startsWith(prefix))) return;
        if (looks % 100 === 99) await new Promise((next) => setImmediate(next));
      }
    }
  },
);
