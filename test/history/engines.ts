import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../src/history/open-store.ts';
import { CONNECTION_ROLES, ROLE_CLIENTS } from '../../src/history/settings.ts';
import type { HistoryStore, StoreEngine } from '../../src/history/store.ts';
import { type ClickHouseServer, serverObstacle, startCluster, startServer } from './clickhouse-server.ts';
import { valueIn } from './load.ts';

/** One engine, for the tests of one suite. */
export interface Engine {
  readonly name: StoreEngine;
  /** Opens a store with tables of its own; the same name opens the same tables again. */
  open(database: string): Promise<HistoryStore>;
}

/** Parts that run for all suites of a process, which have a database each. */
interface Running {
  open(database: string): ReturnType<typeof openStore>;
  remove(): Promise<void>;
}

export const CLUSTER = 'two_shards';
const MIGRATED = 'migrated';
/** A store that a busy machine holds up is not one that does not answer. */
const PATIENT = { readPatienceMs: 240_000 } as const;

/** To compile a statement takes ten times the CPU of running it over the few rows of a suite. Served engines compile. */
const NOT_COMPILED =
  'SET compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0';

/** A setting is one session's own: while one client of a role takes it, the next statement goes to another client. */
async function compileNothing(store: HistoryStore): Promise<void> {
  const settings = CONNECTION_ROLES.flatMap((role) =>
    Array.from({ length: ROLE_CLIENTS[role] }, () => store.run({ sql: NOT_COMPILED, params: {} }, role)),
  );
  for (const result of await Promise.all(settings)) valueIn(result);
}

/** Makes a database with the tables that a migration has made in another one, which takes a third of its CPU. */
async function copyTables(store: HistoryStore, from: string, to: string): Promise<void> {
  const run = async (sql: string): Promise<void> => valueIn(await store.run({ sql, params: {} }));
  await run(`CREATE DATABASE ${to} ENGINE = Atomic`);
  const tables = valueIn(await store.select({ sql: `SHOW TABLES FROM ${from}`, params: {} }));
  for (const [table] of tables) await run(`CREATE TABLE ${to}.${table} AS ${from}.${table}`);
  await run(`INSERT INTO ${to}.migrations SELECT * FROM ${from}.migrations`);
}

/** The embedded engine has one folder a process, and migrates one database for all. */
async function embedded(): Promise<Running> {
  const path = mkdtempSync(join(tmpdir(), 'perpmeter-history-'));
  const opening = (database: string) => openStore({ ...PATIENT, engine: 'embedded', path, database });
  const migrated = valueIn(await opening(MIGRATED));
  const made = new Set<string>();
  return {
    open: async (database) => {
      if (!made.has(database)) await copyTables(migrated, MIGRATED, database);
      made.add(database);
      const store = await opening(database);
      if (store.ok) await compileNothing(store.value);
      return store;
    },
    remove: async () => {
      await migrated.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function served(name: 'server' | 'cluster'): Promise<Running> {
  const servers: readonly ClickHouseServer[] =
    name === 'server' ? [await startServer()] : await startCluster(CLUSTER, 2);
  const urls = servers.map(({ url }) => url);
  const cluster = name === 'cluster' ? CLUSTER : undefined;
  return {
    open: (database) => openStore({ ...PATIENT, engine: 'server', urls, cluster, database }),
    remove: async () => {
      await Promise.all(servers.map((server) => server.remove()));
    },
  };
}

const running = new Map<Engine['name'], Running>();

async function engineOf(name: Engine['name']): Promise<Running> {
  const known = running.get(name);
  if (known !== undefined) return known;
  const made = await (name === 'embedded' ? embedded() : served(name));
  running.set(name, made);
  return made;
}

/** Ends what runs for all suites, after the last of them. */
export async function removeEngines(): Promise<void> {
  await Promise.all([...running.values()].map((engine) => engine.remove()));
}

/** The engines of a suite: in every run, and in that of `npm run check long` in their place. */
export interface Engines {
  readonly now?: readonly Engine['name'][];
  readonly later?: readonly Engine['name'][];
}

/** `later` in `npm run check long`, `all` in `npm run soak properties`. */
const asked = process.env.PERPMETER_ENGINES;

/** Runs the same tests on the embedded engine; later on a real server over HTTP and on two shards. */
export function describeEngines(
  title: string,
  body: (engine: Engine) => void,
  { now = ['embedded'], later = ['server', 'cluster'] }: Engines = {},
): void {
  const obstacle = serverObstacle();
  for (const name of asked === 'later' ? later : asked === 'all' ? [...now, ...later] : now) {
    if (name !== 'embedded' && obstacle !== undefined) {
      describe.skip(`${title}, ${name} (skipped: ${obstacle})`, () =>
        body({ name, open: () => Promise.reject() }));
      continue;
    }
    describe(`${title}, ${name}`, () => {
      const opened: HistoryStore[] = [];
      let engine: Running;
      beforeAll(async () => {
        engine = await engineOf(name);
      });
      afterAll(async () => {
        await Promise.all(opened.map((store) => store.close()));
      });
      body({
        name,
        async open(database) {
          const result = await engine.open(database);
          if (!result.ok) throw new Error(result.fault.message);
          opened.push(result.value);
          return result.value;
        },
      });
    });
  }
}
