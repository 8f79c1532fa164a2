import { readFileSync } from 'node:fs';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { NatsLeases } from '../../src/modules/cluster/nats/leases.ts';
import { type NatsFeed, openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { until } from '../until.ts';
import { selling } from './feed-hosts.ts';
import { feedPortSuite } from './feed-port.ts';
import { NatsServer, type NatsUser, natsObstacle } from './nats-server.ts';

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

    const feed = async (user: NatsUser): Promise<NatsFeed> => {
      const made = await openNatsFeed({ url: server.url(user), clock: systemClock, logger: silentLogger });
      open.push(made);
      return made;
    };
    const raw = async (user: NatsUser): Promise<NatsConnection> => {
      const { host, username, password } = new URL(server.url(user));
      const connection = await connect({ servers: host, user: username, pass: password });
      open.push(connection);
      return connection;
    };
    const close = async (): Promise<void> => {
      for (const one of open.splice(0)) await one.close();
    };
    afterEach(close);
    /** Subjects for which the server refuses a connection from now on. */
    const refusals = (connection: NatsConnection): string[] => {
      const list: string[] = [];
      const watch = async (): Promise<void> => {
        for await (const status of connection.status())
          if (status.type === 'error') list.push(status.error.message);
      };
      void watch();
      return list;
    };

    const leases = async (): Promise<NatsLeases> => {
      const connection = await raw('collector');
      const elapsed = (): number => performance.now();
      const options = { connection, elapsed, holder: 'one', isConnected: () => true };
      const made = new NatsLeases({ ...options, logger: silentLogger, clock: systemClock });
      made.begin();
      return made;
    };
    for (const reader of ['seller', 'recorder'] as const) {
      feedPortSuite(`least-privilege, read by a ${reader}`, {
        leases,
        close,
        feed: () => feed('collector'),
        seller: async () => {
          const follower = await feed(reader);
          return selling(systemClock, (into) => follower.follow(into));
        },
      });
    }

    it('turns away who has no account', async () => {
      await expect(
        openNatsFeed({ url: server.url(), clock: systemClock, logger: silentLogger }),
      ).rejects.toThrow(/authorization/i);
    });

    /** Publishes each, and expects the server to refuse it. */
    const expectRefused = async (user: NatsUser, subjects: readonly string[]): Promise<void> => {
      const connection = await raw(user);
      const refused = refusals(connection);
      for (const subject of subjects) {
        connection.publish(subject, 'forged');
        await until(() =>
          expect(refused.join().toLowerCase()).toContain(`publish to "${subject}"`.toLowerCase()),
        );
      }
    };

    it('keeps a seller from writing the feed and from the leases', () =>
      expectRefused('seller', [
        'perpmeter.feed.binance',
        '$KV.perpmeter_leases.binance',
        '$KV.perpmeter_leases.history',
        '$JS.API.STREAM.DELETE.KV_perpmeter_leases',
      ]));

    it('a recorder: no right to write the feed, venue leases or the bucket', () =>
      expectRefused('recorder', [
        'perpmeter.feed.binance',
        'perpmeter.collectors',
        '$KV.perpmeter_leases.binance',
        '$JS.API.STREAM.CREATE.KV_perpmeter_leases',
        '$JS.API.STREAM.DELETE.KV_perpmeter_leases',
      ]));

    it('a recorder: takes the history lease that a collector gives up', async () => {
      // Recorders find the bucket that a collector has made.
      const collecting = await feed('collector');
      const made = collecting.historyLease();
      made?.campaign(() => {});
      await until(() => expect(made?.epoch()).toBeGreaterThan(0));
      const before = made?.epoch() ?? Number.NaN;
      const recording = await feed('recorder');
      const lease = recording.historyLease();
      lease?.campaign(() => {});
      await made?.resign();
      await until(() => expect(lease?.epoch()).toBeGreaterThan(before));
      expect(made?.epoch()).toBeUndefined();
    });

    it('the account of a seller: told once why it writes no history', async () => {
      const said: string[] = [];
      const logger = { ...silentLogger, warn: (...line: unknown[]) => void said.push(JSON.stringify(line)) };
      const seller = await openNatsFeed({ url: server.url('seller'), clock: systemClock, logger });
      open.push(seller);
      seller.historyLease()?.campaign(() => {});
      await until(() => expect(said.join()).toMatch(/permissions violation/i));
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('the lease cannot be taken');
    });

    it('a collector: neither asks as a seller nor takes the bucket away', async () => {
      const collector = await raw('collector');
      const refused = refusals(collector);
      collector.publish('perpmeter.ask', '{}');
      await until(() => expect(refused.join()).toMatch(/publish to "perpmeter\.ask"/i));
      collector.publish('$JS.API.STREAM.DELETE.KV_perpmeter_leases', '');
      await until(() => expect(refused.join()).toMatch(/STREAM\.DELETE/));
    });
  },
);
