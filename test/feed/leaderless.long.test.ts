import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { until } from '../until.ts';
import { collecting } from './feed-hosts.ts';
import { natsObstacle, startNatsServers } from './nats-server.ts';

const obstacle = natsObstacle();

describe.skipIf(obstacle !== undefined)(
  `a feed whose servers have no leader${obstacle === undefined ? '' : `: ${obstacle}`}`,
  () => {
    it('the servers without a quorum: not ok in fifteen seconds', async () => {
      const nats = await startNatsServers(3);
      const [alone, ...others] = nats.servers;
      const url = alone?.url() ?? '';
      const publisher = await openNatsFeed({ url, clock: systemClock, logger: silentLogger });
      try {
        const { sinks } = collecting(systemClock, (source) => publisher.publish(source));
        sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
        sinks.market.instruments('okx', [makeInstrument({ venue: 'okx', base: 'BTC' })], systemClock.now());
        await until(() => expect(publisher.state().held).toEqual(['okx']));
        for (const other of others) await other.end('SIGKILL');
        await until(() => expect(publisher.state()).toMatchObject({ ok: false, held: [] }));
        for (const other of others) await other.begin();
        await until(() => expect(publisher.state()).toMatchObject({ ok: true, held: ['okx'] }));
      } finally {
        await publisher.close();
        await nats.stop();
      }
    });
  },
);
