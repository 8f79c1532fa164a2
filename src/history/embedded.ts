import { mkdirSync } from 'node:fs';
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { reasonOf } from '../runtime/reason-of.ts';
import { ConnectionPool } from './connection-pool.ts';
import { CONNECTION_ROLES, ENGINE_ARGUMENTS, ROLE_CLIENTS, setStatements } from './settings.ts';
import { type ConnectionRole, notStored, type StoreResult, stored } from './store.ts';

type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>;
/** The engine's own package, as far as it is used. */
interface Engine {
  /** Starts the engine on a folder, or joins the one that runs on it. */
  readonly start: (path: string) => { close(): void };
  readonly connect: (options: { path: string }) => unknown;
}

/**
 * The reason for which the embedded engine cannot be used here, with the remedy; undefined where it can. Loads
 * it.
 */
export async function engineFault(): Promise<string | undefined> {
  const engine = await loadEngine();
  return engine.ok ? undefined : engine.fault.message;
}

/** The engine itself is an optional package of 170 MB: a host that writes to a ClickHouse server does without. */
async function loadEngine(): Promise<StoreResult<Engine>> {
  try {
    const [{ Session }, { createChdbConnection }] = await Promise.all([
      import('chdb'),
      import('chdb/connection'),
    ]);
    const start = (path: string) => new Session(path, { connectionArgs: ENGINE_ARGUMENTS });
    return stored({ start, connect: createChdbConnection });
  } catch (cause) {
    const reason = reasonOf(cause).split('\n')[0] ?? '';
    return notStored(
      'unavailable',
      `the embedded engine does not load (${reason}); npm install chdb, or set CLICKHOUSE_URL`,
    );
  }
}

function connectError(path: string, cause: unknown): string {
  const text = reasonOf(cause);
  if (/only one active data directory/.test(text)) {
    return `this process has another history folder open; ${path} cannot be opened beside it`;
  }
  return `history folder ${path} cannot be opened: another process holds it, or it cannot be written (${text})`;
}

/** One client on a session of the engine. The package's type is another copy of the same contract: the one cast. */
function clientOf(connect: Engine['connect'], path: string): ClickHouseClient {
  return createClient({
    connection: connect({ path }) as Connection,
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/**
 * Opens the embedded engine on a folder. One process at a time can hold it. Sessions of one folder run in parallel,
 * statements of one session one after another.
 *
 * @param database made where it is missing, and used by every session
 */
export async function openEmbedded(
  path: string,
  database: string,
  readPatienceMs?: number,
): Promise<StoreResult<ConnectionPool>> {
  const engine = await loadEngine();
  if (!engine.ok) return engine;
  const opened: { close(): unknown }[] = [];
  const open = (role: ConnectionRole) =>
    Array.from({ length: ROLE_CLIENTS[role] }, () => {
      const client = clientOf(engine.value.connect, path);
      opened.push(client);
      return client;
    });
  try {
    mkdirSync(path, { recursive: true });
    // The engine's start arguments hold for all its sessions, also after the one that started it is closed.
    const starter = engine.value.start(path);
    opened.push(starter);
    const clients = {
      read: open('read'),
      write: open('write'),
      maintain: open('maintain'),
      control: open('control'),
    };
    starter.close();
    for (const role of CONNECTION_ROLES) {
      for (const client of clients[role]) {
        await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic` });
        await client.command({ query: `USE ${database}` });
        await client.command({ query: setStatements(role) });
      }
    }
    return stored(new ConnectionPool(clients, undefined, readPatienceMs));
  } catch (cause) {
    await Promise.allSettled(opened.map(async (session) => session.close()));
    return notStored('unavailable', connectError(path, cause));
  }
}
