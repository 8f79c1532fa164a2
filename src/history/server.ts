import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { ConnectionPool } from './connection-pool.ts';
import { ROLE_CLIENTS, ROLE_SETTINGS } from './settings.ts';
import type { ConnectionRole } from './store.ts';

type ServerRole = Exclude<ConnectionRole, 'control'>;

/** Longer than the longest statement may take, so that the engine ends it and not the connection. */
const REQUEST_TIMEOUT_MS: Readonly<Record<ServerRole, number>> = {
  read: 25_000,
  write: 65_000,
  maintain: 905_000,
};

/** Of a ping, which no statement delays. */
const PING_TIMEOUT_MS = 2000;

/** A server that does not answer must not keep the service from stopping. */
const CUT_AFTER_MS = 3000;

/** Every fault comes back as a value: the client's own log would say it twice. */
const QUIET = { level: ClickHouseLogLevel.OFF };

/**
 * Clients of one ClickHouse server over HTTP. Nothing is sent yet.
 *
 * @param url with user and password where the server wants them: `http://user:secret@host:8123`
 */
export function openServer(url: string, database: string, readPatienceMs?: number): ConnectionPool {
  const open = (role: ServerRole): ClickHouseClient[] =>
    Array.from({ length: ROLE_CLIENTS[role] }, () =>
      createClient({
        url,
        database,
        max_open_connections: 1,
        request_timeout: REQUEST_TIMEOUT_MS[role],
        clickhouse_settings: { ...ROLE_SETTINGS[role] },
        application: 'perpmeter',
        log: QUIET,
      }),
    );
  const clients = { read: open('read'), write: open('write'), maintain: open('maintain'), control: [] };
  const ping = createClient({ url, request_timeout: PING_TIMEOUT_MS, max_open_connections: 1, log: QUIET });
  return new ConnectionPool(clients, CUT_AFTER_MS, readPatienceMs, ping);
}

/** Makes the database where it is missing. */
export async function createDatabase(url: string, database: string): Promise<void> {
  const client = createClient({ url, request_timeout: 10_000, log: QUIET });
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic` });
  } finally {
    await client.close();
  }
}
