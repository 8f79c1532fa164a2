import {
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
  type ServerInfo,
} from '@nats-io/transport-node';
import type { CollectLogger } from '../../../collect/logger.ts';

/** A server that is silent is given up after two to three times this. */
const PING_MS = 700;
const RECONNECT_MS = 250;
/** A server that takes a connection and says nothing keeps a client from the next for so long. */
const CONNECT_MS = 2000;

/**
 * Connects to one of the servers of `NATS_URL`, and says what to do where it is too old. Rejects where it does
 * not answer, or refuses.
 *
 * @param url nats://user:password@host:4222, tls:// for TLS; the servers of a cluster comma separated
 * @returns the connection, and how many servers it can be connected to
 */
export async function connectTo(
  url: string,
  logger: CollectLogger,
): Promise<{ readonly connection: NatsConnection; readonly servers: number }> {
  const options = connectionOptions(url);
  const connection = await connect(options);
  const advice = connection.info && serverAdvice(connection.info);
  if (advice !== undefined) logger.warn({ server: connection.info?.version, advice }, 'feed: an old server');
  return { connection, servers: options.servers.length };
}

/**
 * Advice about a server; undefined = none. Servers of a cluster before 2.10 that are killed can leave the bucket
 * of the leases with a leader and without taking a write, for minutes (docs/feed.md).
 */
export function serverAdvice({
  version,
  cluster,
}: Pick<ServerInfo, 'version' | 'cluster'>): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 2 || (major === 2 && minor < 10);
  return cluster !== undefined && isOld ? 'use NATS 2.10 or newer for a cluster' : undefined;
}

function connectionOptions(url: string): NodeConnectionOptions & { readonly servers: readonly string[] } {
  const addresses = url.split(',').map((server) => new URL(server.trim()));
  const [{ username, password, protocol } = { username: '', password: '', protocol: '' }] = addresses;
  return {
    servers: addresses.map(({ host }) => host),
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' && { tls: {} }),
    name: 'perpmeter',
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    // A server that refuses twice in a row, as while its accounts are changed, would end the client for good.
    ignoreAuthErrorAbort: true,
  };
}
