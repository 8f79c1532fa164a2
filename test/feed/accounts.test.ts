import { readFileSync } from 'node:fs';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { NatsLeases } from '../../src/feed/nats/leases.ts';
import { openNatsFeed } from '../../src/feed/nats/nats-feed.ts';
import type { Feed } from '../../src/feed/ports.ts';
import { until } from '../until.ts';
import { selling } from './feed-hosts.ts';
import { feedPortSuite } from './feed-port.ts';
import { NatsServer, natsObstacle } from './nats-server.ts';

const obstacle = natsObstacle();
const ACCOUNTS = readFileSync(new URL('../../ops/nats/accounts.conf', import.meta.url), 'utf8');

describe.skipIf(obstacle !== undefined)(
  `the accounts of ops/nats${obstacle === undefined ? '' : `: ${obstacle}`}`,
  () => {
    let server: NatsServer;
    const open: { close(): Promise<void> }[] = [];
    beforeAll(async () => {
      server = await NatsServer.start(ACCOUNTS);
    });
    afterAll(() => server.stop());

    const feed = async (user: 'collector' | 'seller'): Promise<Feed> => {
      const made = await openNatsFeed({ url: server.url(user), clock: systemClock, logger: silentLogger });
      open.push(made);
      return made;
    };
    const raw = async (user: 'collector' | 'seller'): Promise<NatsConnection> => {
      const { host, username, password } = new URL(server.url(user));
      const connection = await connect({ servers: host, user: username, pass: password });
      open.push(connection);
      return connection;
    };
    const close = async (): Promise<void> => {
      for (const one of open.splice(0)) await one.close();
    };
    afterEach(close);
    /** What the server refuses a connection from now on. */
    const refusals = (connection: NatsConnection): string[] => {
      const list: string[] = [];
      const watch = async (): Promise<void> => {
        for await (const status of connection.status())
          if (status.type === 'error') list.push(status.error.message);
      };
      void watch();
      return list;
    };

    feedPortSuite('least-privilege', {
      leases: async () => {
        const connection = await raw('collector');
        const elapsed = (): number => performance.now();
        const made = new NatsLeases({
          connection,
          holder: 'one',
          elapsed,
          isConnected: () => true,
          logger: silentLogger,
        });
        made.begin();
        return made;
      },
      feed: () => feed('collector'),
      seller: async () => {
        const follower = await feed('seller');
        return selling(systemClock, (into) => follower.follow(into));
      },
      close,
    });

    it('turns away who has no account', async () => {
      await expect(
        openNatsFeed({ url: server.url(), clock: systemClock, logger: silentLogger }),
      ).rejects.toThrow(/authorization/i);
    });

    it('keeps a seller from writing the feed and from the leases', async () => {
      const seller = await raw('seller');
      const refused = refusals(seller);
      seller.publish('perpmeter.feed.binance', 'forged');
      await until(() => expect(refused.join()).toMatch(/publish to "perpmeter\.feed\.binance"/i));
      seller.publish('$KV.perpmeter_leases.binance', 'forged');
      await until(() => expect(refused.join()).toMatch(/publish to "\$KV\.perpmeter_leases\.binance"/i));
      seller.publish('$JS.API.STREAM.DELETE.KV_perpmeter_leases', '');
      await until(() => expect(refused.join()).toMatch(/STREAM\.DELETE/));
    });

    it('keeps a collector from asking as a seller, and from taking the bucket away', async () => {
      const collector = await raw('collector');
      const refused = refusals(collector);
      collector.publish('perpmeter.ask', '{}');
      await until(() => expect(refused.join()).toMatch(/publish to "perpmeter\.ask"/i));
      collector.publish('$JS.API.STREAM.DELETE.KV_perpmeter_leases', '');
      await until(() => expect(refused.join()).toMatch(/STREAM\.DELETE/));
    });
  },
);
