import { type CollectLogger, silentLogger } from '../collect/logger.ts';
import { openEmbedded } from './embedded.ts';
import { backUpFolder, noteUpgraded } from './folder-backup.ts';
import { GuardedStore, MIN_ROOM_BYTES, noRoomFault } from './guarded-store.ts';
import { checkVersion, foundVersion, migrate, NEWEST_HISTORY } from './migrate.ts';
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
    | {
        readonly engine: 'embedded';
        readonly path: string;
        /** With less room than this on its disk, or than 16 MB, nothing is written. */
        readonly minFreeBytes?: number;
      }
    | {
        readonly engine: 'server';
        /** One address, or those of all nodes of a cluster. */
        readonly urls: readonly string[];
        /** Name of the cluster in the servers' own configuration; none = a single server. */
        readonly cluster?: string | undefined;
        /** True if another process makes the tables: an account that may only read is enough then. */
        readonly readsOnly?: boolean;
      }
  );

export const DEFAULT_DATABASE = 'perpmeter';

/** Opens the engine and brings its tables up to date, or holds them to this build's version where it only reads. */
export async function openStore(
  options: EngineOptions,
  logger: CollectLogger = silentLogger,
): Promise<StoreResult<HistoryStore>> {
  const { database = DEFAULT_DATABASE, readPatienceMs } = options;
  if (!/^[a-z_][a-z0-9_]*$/i.test(database)) return notStored('refused', `"${database}" is no database name`);
  if (options.engine === 'embedded') return openGuarded(options, database, logger);
  return openServers(options, database, readPatienceMs);
}

async function openGuarded(
  { path, minFreeBytes = 0, readPatienceMs }: Extract<EngineOptions, { readonly engine: 'embedded' }>,
  database: string,
  logger: CollectLogger,
): Promise<StoreResult<HistoryStore>> {
  const reopen = () => openFolder(path, database, readPatienceMs);
  const opened = await reopen();
  if (!opened.ok) return opened;
  return stored(GuardedStore.over(opened.value, { path, minFreeBytes, logger, reopen }));
}

/** A folder of an older version is copied before it is upgraded, while the engine is not on it. */
async function openFolder(
  path: string,
  database: string,
  readPatienceMs?: number,
): Promise<StoreResult<HistoryStore>> {
  const open = async (): Promise<StoreResult<HistoryStore>> => {
    const pool = await openEmbedded(path, database, readPatienceMs);
    return pool.ok ? stored(new NodeStore({ engine: 'embedded', pools: [pool.value] })) : pool;
  };
  let store = await open();
  if (!store.ok) return store;
  const found = await foundVersion(store.value);
  const full = found.ok && found.value < NEWEST_HISTORY ? await noRoomFault(path, MIN_ROOM_BYTES) : undefined;
  if (full !== undefined) {
    await store.value.close();
    return full;
  }
  if (found.ok && found.value > 0 && found.value < NEWEST_HISTORY) {
    await store.value.close();
    const copied = await backUpFolder(path, found.value);
    if (!copied.ok) return copied;
    store = await open();
    if (!store.ok) return store;
  }
  const migrated = found.ok ? await migrate(store.value, { database, cluster: undefined }) : found;
  if (migrated.ok) noteUpgraded(path);
  if (migrated.ok) return store;
  await store.value.close();
  return migrated;
}

async function openServers(
  { urls, cluster, readsOnly = false }: Extract<EngineOptions, { readonly engine: 'server' }>,
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
    const prepared = readsOnly ? await checkVersion(node) : await prepareNode(url, database, cluster, node);
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
