import '../cli/run-cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { CLUSTER_VENUES, Cluster, healthOf, type Member, soldRows } from './cluster.ts';
import { natsObstacle } from './nats-server.ts';

const obstacle = natsObstacle();
const ALL = CLUSTER_VENUES.length;

describe.skipIf(obstacle !== undefined)(
  `two collectors and two sellers${obstacle === undefined ? '' : `: ${obstacle}`}`,
  () => {
    let cluster: Cluster;
    let collectors: readonly Member[];
    let sellers: readonly Member[];

    /** Waits until a collector publishes everything, and every seller has it and sells it. */
    const served = async (by: Member): Promise<void> => {
      await until(async () => expect((await healthOf(by)).feed.holds).toBe(ALL), 100);
      for (const seller of sellers) {
        await until(async () => {
          const { feed, venues } = await healthOf(seller);
          expect([feed.behind, venues.live]).toEqual([[], ALL]);
          const rows = await soldRows(seller, 'BTC');
          expect(rows.map(({ venue }) => venue).sort()).toEqual([...CLUSTER_VENUES]);
          for (const { venue, mark } of rows) expect(cluster.published.get(venue)?.marks).toContain(mark);
        }, 100);
      }
    };
    const epochs = (): readonly number[] =>
      CLUSTER_VENUES.map((venue) => cluster.published.get(venue)?.epoch ?? 0);

    beforeAll(async () => {
      cluster = await Cluster.start();
      const first = await cluster.collector(1);
      await until(async () => expect((await healthOf(first)).feed.holds).toBe(ALL), 100);
      collectors = [first, await cluster.collector(2)];
      sellers = [await cluster.seller('a'), await cluster.seller('b')];
    });
    afterAll(() => cluster.stop());

    it('sells what the holder of the leases collects, at every seller', async () => {
      const [first, second] = collectors as [Member, Member];
      await served(first);
      const standBy = await healthOf(second);
      expect([standBy.roles, standBy.feed.holds]).toEqual([['collect'], 0]);
      expect((await healthOf(sellers[0] as Member)).roles).toEqual(['sell']);
      const unsold = await fetch(`${first.url}/v1/perp/snapshot?ticker=BTC`);
      expect(unsold.status).toBe(404);
    });

    it('goes on with the stand-by when the holder was stopped, and takes nothing of the stopped one later', async () => {
      const [first, second] = collectors as [Member, Member];
      const before = epochs();
      first.child.process.kill('SIGSTOP');
      await served(second);
      for (const [i, epoch] of epochs().entries()) expect(epoch).toBeGreaterThan(before[i] ?? 0);
      first.child.process.kill('SIGCONT');
      // It answers again, and knows that it holds nothing.
      await until(async () => expect((await healthOf(first)).feed.holds).toBe(0), 100);
      await served(second);
    });

    it('goes on with the other when the holder is killed', async () => {
      const [first, second] = collectors as [Member, Member];
      const before = epochs();
      second.child.process.kill('SIGKILL');
      await served(first);
      for (const [i, epoch] of epochs().entries()) expect(epoch).toBeGreaterThan(before[i] ?? 0);
    });

    it('goes on after the server of the feed was killed', async () => {
      const [first] = collectors as [Member, Member];
      cluster.nats.signal('SIGKILL');
      await until(async () => {
        for (const seller of sellers) {
          expect((await healthOf(seller)).feed.behind).toHaveLength(ALL);
          expect(await soldRows(seller, 'BTC')).toEqual([]);
        }
      }, 100);
      await cluster.nats.begin();
      await served(first);
    });
  },
);
