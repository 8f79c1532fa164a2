import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { openEmbedded } from '../../src/history/embedded.ts';
import { backUpFolder } from '../../src/history/folder-backup.ts';
import { historyVersion, NEWEST_HISTORY } from '../../src/history/migrate.ts';
import { migrateAlone } from '../../src/history/migration-lock.ts';
import { HOURS } from '../../src/history/migrations/initial.ts';
import { NodeStore } from '../../src/history/node-store.ts';
import { openStore } from '../../src/history/open-store.ts';
import { ENGINE_ARGUMENTS } from '../../src/history/settings.ts';
import { type HistoryStore, stored } from '../../src/history/store.ts';
import { rebuildStatements } from '../../src/history/table-spec.ts';
import { readCorrections, recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { until } from '../until.ts';
import { type ClickHouseServer, serverObstacle, startServer } from './clickhouse-server.ts';
import { valueIn } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-migrate-'));
const path = join(folder, 'history');
const backups = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('backup-'));
const MONTHS =
  "SELECT DISTINCT partition FROM system.parts WHERE active AND table = 'hours' AND database = currentDatabase() ORDER BY partition";
const ROWS = 'SELECT symbol, toUnixTimestamp(ts), n, rate_sum FROM hours ORDER BY symbol, ts';

const open = async (): Promise<HistoryStore> =>
  valueIn(await openStore({ engine: 'embedded', path, database: 'old' }));
const run = async (store: HistoryStore, sql: string): Promise<void> =>
  valueIn(await store.run({ sql, params: {} }));
const rows = async (store: HistoryStore, sql: string) => valueIn(await store.select({ sql, params: {} }));

/** As a build of before left it: its hours lie by the day. */
async function makeFirstVersion(): Promise<void> {
  await run(
    store,
    'ALTER TABLE hours DROP COLUMN recorded_first, DROP COLUMN recorded_last, DROP COLUMN interval_mixed',
  );
  await run(store, 'DROP TABLE corrections SYNC');
  for (const sql of rebuildStatements(HOURS, undefined)) await run(store, sql);
  await run(store, 'TRUNCATE TABLE migrations');
  await run(store, "INSERT INTO migrations (id, name) VALUES (1, 'first')");
}

let store: HistoryStore;
beforeAll(async () => {
  store = await open();
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it('hours of a first-version store: rows stay, laid by month', async () => {
  await makeFirstVersion();
  await run(
    store,
    "INSERT INTO hours (canonical_id, venue, symbol, listed_at, ts, origin, recorded_at, n, last_ts, rate_n, rate_sum) SELECT 'crypto:BTC', 'binance', concat('S', toString(number % 3)), 0, toDateTime('2026-10-20 00:00:00', 'UTC') + number * 3600, 'sampled', now64(3), 60, toDateTime('2026-10-20 00:00:00', 'UTC'), 60, number / 7 FROM numbers(600)",
  );
  // A predecessor that was cut off has left this behind.
  await run(store, 'CREATE TABLE hours_next (x UInt8) ENGINE = MergeTree ORDER BY x');
  const before = await rows(store, ROWS);
  expect(before).toHaveLength(600);
  expect(await rows(store, MONTHS)).toHaveLength(4);
  await store.close();

  store = await open();
  expect(await rows(store, ROWS)).toEqual(before);
  expect(await rows(store, MONTHS)).toEqual([['202610'], ['202611']]);
  // A service sampled them as they passed.
  const spans =
    'SELECT DISTINCT recorded_first = ts, recorded_last = ts + INTERVAL 1 HOUR FROM hours WHERE ts < now() - 7200';
  expect(await rows(store, spans)).toEqual([[1, 1]]);
  expect(
    await rows(
      store,
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'hours%'",
    ),
  ).toEqual([['hours']]);
  expect(await rows(store, 'SELECT id FROM migrations ORDER BY id')).toEqual(
    Array.from({ length: NEWEST_HISTORY }, (_, at) => [at + 1]),
  );
});

it('the original of an upgrade: kept, and opens as it was', async () => {
  const after = await rows(store, ROWS);
  await store.close();
  const [name = ''] = backups();
  expect(backups()).toHaveLength(1);
  expect(name).toMatch(/^backup-1-\d{4}-/);
  const pool = valueIn(await openEmbedded(join(folder, name, 'history'), 'old'));
  const copy = new NodeStore({ engine: 'embedded', pools: [pool] });
  expect(valueIn(await historyVersion(copy))).toBe(1);
  expect(await rows(copy, ROWS)).toEqual(after);
  expect(await rows(copy, MONTHS)).toHaveLength(4);
  await copy.close();
  store = await open();
  expect(backups()).toEqual([name]);
});

it('a folder without shifts of time: opens, and gets the new corrections', async () => {
  await run(store, 'ALTER TABLE corrections DROP COLUMN shift_ms');
  await run(store, 'DELETE FROM migrations WHERE id >= 7');
  await run(
    store,
    "INSERT INTO corrections VALUES ('own', 1, 'okx', 'open_interest', '', 0.5, 0, 1, 2, 'twice')",
  );
  await store.close();
  const taken = backups();
  store = await open();
  valueIn(await recordDeclared(store, asMs(3000)));
  const held = valueIn(await readCorrections(store));
  expect(held.find(({ id }) => id === 'own')).toMatchObject({ factor: 0.5, reason: 'twice' });
  expect(held.find(({ id }) => id === 'own')).not.toHaveProperty('shiftMs');
  expect(held.find(({ metric }) => metric === 'payment_time')).toMatchObject({
    venue: 'kraken',
    shiftMs: 3_600_000,
    before: 3000,
  });
  for (const name of backups().filter((name) => !taken.includes(name)))
    rmSync(join(folder, name), { recursive: true });
});

it('hours without a note of changed intervals: stay, and say none', async () => {
  await run(store, 'ALTER TABLE hours DROP COLUMN interval_mixed');
  await run(store, 'DELETE FROM migrations WHERE id >= 8');
  const before = await rows(store, ROWS);
  await store.close();
  const taken = backups();
  store = await open();
  expect(await rows(store, ROWS)).toEqual(before);
  expect(await rows(store, 'SELECT DISTINCT interval_mixed FROM hours')).toEqual([[0]]);
  for (const name of backups().filter((name) => !taken.includes(name)))
    rmSync(join(folder, name), { recursive: true });
});

it('an upgrade cut off: no second copy, and the next completes', async () => {
  const [name = ''] = backups();
  await makeFirstVersion();
  await store.close();
  writeFileSync(join(path, 'upgrade'), join(folder, name, 'history'));
  store = await open();
  expect(backups()).toEqual([name]);
  expect(existsSync(join(path, 'upgrade'))).toBe(false);
  await makeFirstVersion();
  await store.close();
  store = await open();
  expect(backups()).toHaveLength(2);
});

it('an upgrade without a copy is refused, and nothing is left of it', async () => {
  const clock = { now: () => asMs(0) };
  const taken = join(folder, 'backup-1-1970-01-01T000000.000Z');
  writeFileSync(taken, '');
  const refused = await backUpFolder(path, 1, clock);
  expect(refused).toMatchObject({ ok: false, fault: { kind: 'refused' } });
  expect(JSON.stringify(refused)).toContain(
    'has format version 1 and cannot be backed up before its upgrade',
  );
  expect(existsSync(join(path, 'upgrade'))).toBe(false);
  rmSync(taken);
});

it('a history of a newer build: refused, with versions and remedy', async () => {
  await run(store, `INSERT INTO migrations (id, name) VALUES (${NEWEST_HISTORY + 1}, 'of a newer build')`);
  const before = await rows(store, ROWS);
  await store.close();
  const refused = await openStore({ engine: 'embedded', path, database: 'old' });
  expect(refused).toMatchObject({ ok: false, fault: { kind: 'refused' } });
  expect(JSON.stringify(refused)).toContain(
    `the history has format version ${NEWEST_HISTORY + 1}, this build of perpmeter knows versions up to ${NEWEST_HISTORY}`,
  );
  store = valueIn(await openStore({ engine: 'embedded', path, database: 'aside' }));
  await run(store, `DELETE FROM old.migrations WHERE id = ${NEWEST_HISTORY + 1}`);
  await store.close();
  store = await open();
  expect(await rows(store, ROWS)).toEqual(before);
});

it('the embedded engine runs with the bounds that it is started with', async () => {
  const bounds = ENGINE_ARGUMENTS.map((argument) => argument.slice(2).split('='));
  const names = bounds.map(([name]) => `'${name}'`).join(', ');
  const found = await rows(store, `SELECT name, value FROM system.server_settings WHERE name IN (${names})`);
  expect([...found].sort()).toEqual(bounds.sort());
});

const obstacle = serverObstacle();

describe.skipIf(obstacle !== undefined)(`a server without tables (${obstacle ?? 'a real one'})`, () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());

  const openServer = (database: string) => openStore({ engine: 'server', urls: [server.url], database });

  it('gets them once where several processes begin at once', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => openServer('at_once')));
    const [first, ...others] = opened.map(valueIn) as [HistoryStore, ...HistoryStore[]];
    const noted = await rows(first, 'SELECT id FROM migrations ORDER BY id');
    expect(noted).toEqual(Array.from({ length: NEWEST_HISTORY }, (_, i) => [i + 1]));
    const left = "SELECT name FROM system.tables WHERE database = 'at_once' AND name LIKE 'migrating%'";
    expect(await rows(first, left)).toEqual([]);
    for (const one of [first, ...others]) await one.close();
  });

  it('gets them although a process died while it made them', async () => {
    const store = valueIn(await openServer('dead'));
    await run(store, 'CREATE TABLE migrating (x UInt8) ENGINE = Memory');
    let times = 0;
    const work = async () => {
      times += 1;
      return stored(undefined);
    };
    const one = migrateAlone(store, work, 0);
    const other = migrateAlone(store, work, 0);
    expect([await one, await other]).toEqual([stored(undefined), stored(undefined)]);
    expect(times).toBe(2);
    await store.close();
  });

  it('another one makes the tables: heard of, and the lock kept', async () => {
    const store = valueIn(await openServer('told'));
    const time = new ManualTime();
    const holder = () =>
      rows(store, "SELECT comment FROM system.tables WHERE database = 'told' AND name = 'migrating'");
    const work = async () => {
      const first = await holder();
      expect(first).toHaveLength(1);
      await time.advance(10_000);
      await until(async () => expect(await holder()).not.toEqual(first));
      await run(store, 'DROP TABLE migrating SYNC');
      await run(store, "CREATE TABLE migrating (x UInt8) ENGINE = Memory COMMENT 'of another'");
      return stored(undefined);
    };
    expect(await migrateAlone(store, work, 60, time.timer)).toEqual(stored(undefined));
    expect(await holder()).toEqual([['of another']]);
    await store.close();
  });
});
