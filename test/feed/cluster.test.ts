import '../cli/run-cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { CLUSTER_VENUES, Cluster, healthOf, type Member, soldRows } from './cluster.ts';
import { type NatsServer, natsObstacle } from './nats-server.ts';

const obstacle = natsObstacle();
const ALL = CLUSTER_VENUES.length;

describe.skipIf(obstacle !== undefined)(
  `two collectors and two sellers${obstacle === undefined ? '' : `: ${obstacle}`}`,
  () => {
    let cluster: Cluster;
    let collectors: readonly Member[];
    let sellers: readonly Member[];

    /** How many venues each collector publishes. */
    const holds = (): Promise<readonly number[]> =>
      Promise.all(collectors.map(async (one) => (await healthOf(one)).feed.holds));

    /** Waits until every seller has all that is published and sells it. */
    const served = async (): Promise<void> => {
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
    const heldBy = (one: Member, count: number): Promise<void> =>
      until(async () => expect((await healthOf(one)).feed.holds).toBe(count), 100);
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

    it('sells what the holders of the leases collect, at every seller, and shares the leases', async () => {
      const [first, second] = collectors as [Member, Member];
      await served();
      expect((await healthOf(second)).roles).toEqual(['collect']);
      expect((await healthOf(sellers[0] as Member)).roles).toEqual(['sell']);
      const unsold = await fetch(`${first.url}/v1/perp/snapshot?ticker=BTC`);
      expect(unsold.status).toBe(404);
      await until(async () => expect((await holds()).toSorted()).toEqual([1, 2]), 100);
      await served();
    });

    it('leaves what a collector cannot reach to the other, which can', async () => {
      const [first, second] = collectors as [Member, Member];
      first.venues?.set('silent');
      await heldBy(second, ALL);
      const { unreached } = (await healthOf(first)).feed;
      expect(unreached.length).toBeGreaterThan(0);
      await served();
      // What was asked while it was silent is never answered.
      first.venues?.set('cut');
      first.venues?.set('open');
      await until(async () => expect((await healthOf(first)).feed.unreached).toEqual([]), 100);
      await until(async () => expect((await holds()).toSorted()).toEqual([1, 2]), 100);
    });

    it('goes on with the stand-by when a holder was stopped, and takes nothing of the stopped one later', async () => {
      const [first, second] = collectors as [Member, Member];
      const before = epochs();
      const held = (await healthOf(first)).feed.holds;
      expect(held).toBeGreaterThan(0);
      first.child.process.kill('SIGSTOP');
      await heldBy(second, ALL);
      await served();
      expect(epochs().filter((epoch, i) => epoch > (before[i] ?? 0))).toHaveLength(held);
      first.child.process.kill('SIGCONT');
      // It answers again, and knows that it holds nothing.
      await heldBy(first, 0);
      await served();
    });

    it('goes on with the other when a holder is killed', async () => {
      const [first, second] = collectors as [Member, Member];
      second.child.process.kill('SIGKILL');
      await heldBy(first, ALL);
      await served();
    });

    it('goes on after the server of the feed was killed, and has lost its store', async () => {
      const before = epochs();
      const [server] = cluster.servers as readonly [NatsServer];
      server.signal('SIGKILL');
      await until(async () => {
        for (const seller of sellers) {
          expect((await healthOf(seller)).feed.behind).toHaveLength(ALL);
          expect(await soldRows(seller, 'BTC')).toEqual([]);
        }
      }, 100);
      server.forget();
      await server.begin();
      await served();
      for (const [i, epoch] of epochs().entries()) expect(epoch).toBeGreaterThan(before[i] ?? 0);
    });
  },
);
