import '../cli/run-cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { CLUSTER_VENUES, Cluster } from './cluster.ts';
import { healthOf, type Member, soldRows } from './member.ts';
import { type NatsServer, natsObstacle } from './nats-server.ts';

const obstacle = natsObstacle();
const ALL = CLUSTER_VENUES.length;

describe.skipIf(obstacle !== undefined)(
  `two collectors and two sellers${obstacle === undefined ? '' : `: ${obstacle}`}`,
  () => {
    let cluster: Cluster;
    let first: Member;
    let second: Member;
    let sellers: readonly Member[];

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
    const heldBy = (member: Member, count: number): Promise<void> =>
      until(async () => expect((await healthOf(member)).feed.holds).toBe(count), 100);
    const epochs = (): readonly number[] =>
      CLUSTER_VENUES.map((venue) => cluster.published.get(venue)?.epoch ?? 0);

    beforeAll(async () => {
      cluster = await Cluster.start();
      first = await cluster.collector(1);
      sellers = [await cluster.seller('a'), await cluster.seller('b')];
    });
    afterAll(() => cluster.stop());

    it('sells what the holder of the leases collects, at every seller', async () => {
      await heldBy(first, ALL);
      await served();
      expect((await healthOf(first)).roles).toEqual(['collect']);
      expect((await healthOf(sellers[0] as Member)).roles).toEqual(['sell']);
      const unsold = await fetch(`${first.url}/v1/perp/snapshot?ticker=BTC`);
      expect(unsold.status).toBe(404);
    });

    it('leaves what a collector cannot reach to one that can', async () => {
      first.venues?.set('silent');
      await until(async () => expect((await healthOf(first)).venues.live).toBe(0), 100);
      second = await cluster.collector(2);
      await heldBy(second, ALL);
      expect((await healthOf(first)).feed.unreached.toSorted()).toEqual([...CLUSTER_VENUES]);
      await served();
      // A request made while it was silent is never answered.
      first.venues?.set('cut');
      first.venues?.set('open');
      await until(async () => {
        const { feed, venues } = await healthOf(first);
        expect([feed.unreached, venues.live]).toEqual([[], ALL]);
      }, 100);
    });

    it('a stopped holder: the stand-by goes on, and its later data is lost', async () => {
      const before = epochs();
      const held = (await healthOf(second)).feed.holds;
      second.child.process.kill('SIGSTOP');
      await heldBy(first, ALL);
      await served();
      const taken = epochs().filter((epoch, i) => epoch > (before[i] ?? 0));
      expect(taken.length).toBeGreaterThanOrEqual(held);
      second.child.process.kill('SIGCONT');
      // It answers again, and knows what it holds.
      await until(async () => {
        const [a, b] = await Promise.all([first, second].map((process) => healthOf(process)));
        expect((a?.feed.holds ?? 0) + (b?.feed.holds ?? 0)).toBe(ALL);
      }, 100);
      await served();
    });

    it('goes on with the other when a holder is killed', async () => {
      first.child.process.kill('SIGKILL');
      await heldBy(second, ALL);
      await served();
    });

    it('the server of the feed killed, store lost: it goes on', async () => {
      const before = epochs();
      const [server] = cluster.servers as readonly [NatsServer];
      await server.end('SIGKILL');
      await until(async () => {
        for (const seller of sellers) {
          expect((await healthOf(seller)).feed.behind).toHaveLength(ALL);
          expect(await soldRows(seller, 'BTC')).toEqual([]);
        }
      }, 100);
      server.forget();
      await server.begin();
      // Until the server says that it knows nothing of a lease, its holder goes on under the epoch that it had.
      await until(async () => {
        for (const [i, epoch] of epochs().entries()) expect(epoch).toBeGreaterThan(before[i] ?? 0);
      }, 100);
      await served();
    });
  },
);
