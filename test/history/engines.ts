import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../src/history/open-store.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { type ClickHouseServer, serverObstacle, startCluster, startServer } from './clickhouse-server.ts';

/** One engine, for the tests of one file. */
export interface Engine {
  readonly name: 'embedded' | 'server' | 'cluster';
  /** Opens a store with tables of its own; the same name opens the same tables again. */
  open(database: string): Promise<HistoryStore>;
}

export const CLUSTER = 'two_shards';
/** A store that a busy machine holds up is not one that does not answer. */
const PATIENT = { readPatienceMs: 240_000 } as const;

/** The embedded engine has one folder a process, so each test takes a database of its own. */
function embedded(): { engine: Engine; remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'perpmeter-history-'));
  const opened: HistoryStore[] = [];
  return {
    engine: {
      name: 'embedded',
      open: (database) => opening(opened, openStore({ ...PATIENT, engine: 'embedded', path, database })),
    },
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()));
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function opening(opened: HistoryStore[], opens: ReturnType<typeof openStore>): Promise<HistoryStore> {
  const result = await opens;
  if (!result.ok) throw new Error(result.fault.message);
  opened.push(result.value);
  return result.value;
}

async function served(name: 'server' | 'cluster'): Promise<{ engine: Engine; remove: () => Promise<void> }> {
  const servers: readonly ClickHouseServer[] =
    name === 'server' ? [await startServer()] : await startCluster(CLUSTER, 2);
  const opened: HistoryStore[] = [];
  const urls = servers.map(({ url }) => url);
  const cluster = name === 'cluster' ? CLUSTER : undefined;
  return {
    engine: {
      name,
      open: (database) =>
        opening(opened, openStore({ ...PATIENT, engine: 'server', urls, cluster, database })),
    },
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await Promise.all(servers.map((server) => server.remove()));
    },
  };
}

/** Runs the same tests on the embedded engine, on a real server over HTTP, and where asked on two shards. */
export function describeEngines(
  title: string,
  body: (engine: Engine) => void,
  names: readonly Engine['name'][] = ['embedded', 'server'],
): void {
  const obstacle = serverObstacle();
  for (const name of names) {
    if (name !== 'embedded' && obstacle !== undefined) {
      describe.skip(`${title}, ${name} (skipped: ${obstacle})`, () =>
        body({ name, open: () => Promise.reject() }));
      continue;
    }
    describe(`${title}, ${name}`, () => {
      let running: Awaited<ReturnType<typeof served>> | undefined;
      beforeAll(async () => {
        running = name === 'embedded' ? embedded() : await served(name);
      });
      afterAll(async () => {
        await running?.remove();
      });
      body({
        name,
        open: (database) => running?.engine.open(database) ?? Promise.reject(new Error('no engine')),
      });
    });
  }
}
