import { mkdirSync } from 'node:fs';
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { LendingDesk } from './lanes.ts';
import { ROLE_CLIENTS, ROLES, setStatements } from './settings.ts';
import { notStored, type Role, type StoreResult, stored } from './store.ts';

type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>;
type Connect = (options: { path: string }) => unknown;

/** Why the embedded engine cannot be used here, and what to do; undefined where it can. Loads it. */
export async function engineFault(): Promise<string | undefined> {
  const engine = await loadEngine();
  return engine.ok ? undefined : engine.fault.message;
}

/** The engine itself is an optional package of 170 MB: a host that writes to a ClickHouse server does without. */
async function loadEngine(): Promise<StoreResult<Connect>> {
  try {
    const { createChdbConnection } = await import('chdb/connection');
    return stored(createChdbConnection);
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    return notStored(
      'unavailable',
      `the embedded engine does not load (${reason}); npm install chdb, or set CLICKHOUSE_URL`,
    );
  }
}

function connectError(path: string, cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/only one active data directory/.test(text)) {
    return `this process has another history folder open; ${path} cannot be opened beside it`;
  }
  return `history folder ${path} cannot be opened: another process holds it, or it cannot be written (${text})`;
}

/** One client on a session of the engine. The package's type is another copy of the same contract: the one cast. */
function clientOf(connect: Connect, path: string): ClickHouseClient {
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
): Promise<StoreResult<LendingDesk>> {
  const engine = await loadEngine();
  if (!engine.ok) return engine;
  const opened: ClickHouseClient[] = [];
  const open = (role: Role) =>
    Array.from({ length: ROLE_CLIENTS[role] }, () => {
      const client = clientOf(engine.value, path);
      opened.push(client);
      return client;
    });
  try {
    mkdirSync(path, { recursive: true });
    const lanes = { read: open('read'), write: open('write'), maintain: open('maintain') };
    for (const role of ROLES) {
      for (const client of lanes[role]) {
        await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic` });
        await client.command({ query: `USE ${database}` });
        await client.command({ query: setStatements(role) });
      }
    }
    return stored(new LendingDesk(lanes, undefined, readPatienceMs));
  } catch (cause) {
    await Promise.allSettled(opened.map((client) => client.close()));
    return notStored('unavailable', connectError(path, cause));
  }
}
