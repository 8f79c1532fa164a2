import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { NatsLeases } from '../../src/modules/cluster/nats/leases.ts';
import { type NatsFeed, openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { Relay } from '../pay/relay.ts';
import { until } from '../until.ts';
import { leaderOf, NatsServer, type NatsServers, natsObstacle, startNatsServers } from './nats-server.ts';

const obstacle = natsObstacle();

/** The server of the file that runs. */
export let server: NatsServer;
/** Objects that a test has opened: `close` ends each. */
export const open: { close(): Promise<void> }[] = [];

/** Tests over a server of their file's own; skipped where none can be started. */
export function overNats(tests: () => void): void {
  describe.skipIf(obstacle !== undefined)(`over NATS${obstacle === undefined ? '' : `: ${obstacle}`}`, () => {
    beforeAll(async () => {
      server = await NatsServer.start();
    });
    afterAll(() => server.stop());
    tests();
  });
}

/** A feed over this server. */
export async function feed(): Promise<NatsFeed> {
  const made = await openNatsFeed({ url: server.url(), clock: systemClock, logger: silentLogger });
  open.push(made);
  return made;
}

/** The leases of one holder. */
export async function leases(
  holder = 'one',
  elapsed = () => performance.now(),
  isBetterElsewhere: (venue: string) => boolean = () => false,
  at: Pick<NatsServer, 'url'> = server,
  isStrict = false,
  logger = silentLogger,
): Promise<NatsLeases> {
  const servers = new URL(at.url()).host;
  const options = { servers, maxReconnectAttempts: -1, reconnectTimeWait: 50 };
  const connection: NatsConnection = await connect(options);
  const made = new NatsLeases({
    connection,
    holder,
    elapsed,
    isBetterElsewhere,
    isStrict,
    logger,
    clock: systemClock,
    isConnected: () => true,
  });
  made.begin();
  open.push({ close: () => made.close().then(() => connection.close()) });
  return made;
}

/** Ends what the test has opened. */
export async function close(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

/** A server that does not lead the bucket of leases: a leader that is alone does not know it at once, and forgets what nobody renewed. */
export async function notLeading(nats: NatsServers): Promise<NatsServer> {
  const scout = await leases('scout', undefined, undefined, nats.servers[0]);
  scout.campaign('kraken', () => {});
  await until(() => expect(scout.epoch('kraken')).toBeDefined());
  const connection = await connect({ servers: nats.servers.map(({ host }) => host) });
  const leader = await until(() => leaderOf(nats.servers, connection));
  await connection.close();
  const found = nats.servers.find((server) => server !== leader);
  if (found === undefined) throw new Error('no other server');
  return found;
}

/** Three servers, each reached over a link of its own; `isUsed` is the place of the one that is. */
export async function linked(
  use: (nats: NatsServers, url: string, isUsed: () => number, links: readonly Relay[]) => Promise<void>,
): Promise<void> {
  const nats = await startNatsServers(3);
  const links = await Promise.all(nats.servers.map(({ port }) => Relay.start(port)));
  try {
    const url = links.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
    await use(nats, url, () => links.findIndex((link) => link.isUsed), links);
  } finally {
    await close();
    await Promise.all(links.map((link) => link.stop()));
    await nats.stop();
  }
}
