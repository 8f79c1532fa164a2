import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { NodeStore } from './node-store.ts';
import { createDatabase, openServer } from './server.ts';
import { type HistoryStore, notStored, type StoreFault, type StoreResult, stored } from './store.ts';
import { storeFault } from './store-fault.ts';

interface CommonOptions {
  readonly database?: string;
  /** A reader fails after this time where the store does not answer; 6 s without it. */
  readonly readPatienceMs?: number;
}

export type EngineOptions = CommonOptions &
  (
    | { readonly engine: 'embedded'; readonly path: string }
    | {
        readonly engine: 'server';
        /** One address, or those of all nodes of a cluster. */
        readonly urls: readonly string[];
        /** Name of the cluster in the servers' own configuration; none = a single server. */
        readonly cluster?: string | undefined;
      }
  );

export const DEFAULT_DATABASE = 'perpmeter';

/** Opens the engine and brings its tables up to date. */
export async function openStore(options: EngineOptions): Promise<StoreResult<HistoryStore>> {
  const { database = DEFAULT_DATABASE, readPatienceMs } = options;
  if (!/^[a-z_][a-z0-9_]*$/i.test(database)) return notStored('refused', `"${database}" is no database name`);
  if (options.engine === 'embedded') return openFolder(options.path, database, readPatienceMs);
  return openServers(options.urls, options.cluster, database, readPatienceMs);
}

async function openFolder(
  path: string,
  database: string,
  readPatienceMs?: number,
): Promise<StoreResult<HistoryStore>> {
  const pool = await openEmbedded(path, database, readPatienceMs);
  if (!pool.ok) return pool;
  const store = new NodeStore({ engine: 'embedded', pools: [pool.value] });
  const migrated = await migrate(store, { database, cluster: undefined });
  if (migrated.ok) return stored(store);
  await store.close();
  return migrated;
}

async function openServers(
  urls: readonly string[],
  cluster: string | undefined,
  database: string,
  readPatienceMs?: number,
): Promise<StoreResult<HistoryStore>> {
  if (cluster !== undefined && !/^[\w.-]+$/.test(cluster)) {
    return notStored('refused', `"${cluster}" is no cluster name`);
  }
  if (cluster === undefined && urls.length !== 1) {
    return notStored('refused', 'several CLICKHOUSE_URL addresses need the name of their CLICKHOUSE_CLUSTER');
  }
  const engine = cluster === undefined ? 'server' : 'cluster';
  const nodes = urls.map((url) => ({ url, pool: openServer(url, database, readPatienceMs) }));
  const store = new NodeStore({ engine, pools: nodes.map(({ pool }) => pool) });
  const faults: StoreFault[] = [];
  for (const { url, pool } of nodes) {
    const node = new NodeStore({ engine, pools: [pool] });
    const prepared = await prepareNode(url, database, cluster, node);
    if (prepared.ok) continue;
    faults.push({ ...prepared.fault, message: `history server ${hostOf(url)}: ${prepared.fault.message}` });
  }
  // A node that is down has its tables from before, and takes its rows when it is back.
  const fatal =
    faults.find(({ kind }) => kind !== 'unavailable') ??
    (faults.length === urls.length ? faults[0] : undefined);
  if (fatal === undefined) return stored(store);
  await store.close();
  return { ok: false, fault: fatal };
}

async function prepareNode(
  url: string,
  database: string,
  cluster: string | undefined,
  node: HistoryStore,
): Promise<StoreResult<void>> {
  try {
    await createDatabase(url, database);
  } catch (cause) {
    return { ok: false, fault: storeFault(cause) };
  }
  return migrate(node, { database, cluster });
}

/** The address without what may be secret. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'with an unreadable address';
}
