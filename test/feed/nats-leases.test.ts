import { connect } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { LeaseBucket } from '../../src/modules/cluster/nats/lease-bucket.ts';
import { Relay } from '../pay/relay.ts';
import { until } from '../until.ts';
import { close, leases, notLeading, overNats, server } from './nats-rig.ts';
import { startNatsServers } from './nats-server.ts';

overNats(() => {
  describe('a lease', () => {
    it('goes to whom it is given, at once and under a greater epoch', async () => {
      const first = await leases('first');
      const second = await leases('second');
      const third = await leases('third');
      first.campaign('bitget', () => {});
      await until(() => expect(first.epoch('bitget')).toBeDefined());
      const before = first.epoch('bitget') ?? Number.NaN;
      for (const other of [second, third]) other.campaign('bitget', () => {});
      let given: number | undefined;
      await until(() => {
        given = first.give('bitget');
        expect(given).toBeDefined();
      });
      expect(first.epoch('bitget')).toBeUndefined();
      await second.accept('bitget', given ?? Number.NaN);
      expect(second.epoch('bitget')).toBeGreaterThan(before);
      // A lease that was taken on once cannot be taken on again.
      await third.accept('bitget', given ?? Number.NaN);
      expect([first, second, third].map((leases) => leases.held())).toEqual([[], ['bitget'], []]);
      await close();
    });

    it('is free at once where it is given back while it is being renewed', async () => {
      const link = await Relay.start(server.port);
      const slow = { url: () => `nats://127.0.0.1:${link.port}` };
      const first = await leases('first', undefined, undefined, slow);
      link.set('slow');
      // Each is renewed at another moment, and half a second passes until that is answered.
      const venues = ['htx', 'bingx', 'mexc', 'gate', 'deribit'];
      for (const venue of venues) {
        first.campaign(venue, () => {});
        await until(() => expect(first.epoch(venue)).toBeDefined());
      }
      await until(() => expect(first.renewals).toBeGreaterThan(2 * venues.length));
      await first.close();
      const direct = await connect({ servers: new URL(server.url()).host });
      const { kv } = await new LeaseBucket({
        connection: direct,
        logger: silentLogger,
        ttlMs: 3000,
        callMs: 1000,
      }).open();
      const held = await Promise.all(venues.map((venue) => kv.get(venue)));
      expect(held.map((entry) => entry?.operation)).toEqual(venues.map(() => 'DEL'));
      await direct.close();
      await close();
      await link.stop();
    });

    it('leaves a free lease to others that reach its venue', async () => {
      const elsewhere = new Set(['mexc']);
      const first = await leases('first', undefined, (venue) => elsewhere.has(venue));
      for (const venue of ['mexc', 'gate']) first.campaign(venue, () => {});
      await until(() => expect(first.renewals).toBeGreaterThan(1));
      expect(first.held()).toEqual(['gate']);
      elsewhere.clear();
      await until(() => expect(first.held()).toEqual(['mexc', 'gate']));
      await close();
    });

    it('one of three servers down: no bucket, told once, made later', async () => {
      const nats = await startNatsServers(3);
      const said: unknown[][] = [];
      const logger = { ...silentLogger, warn: (...line: unknown[]) => void said.push(line) };
      const [, other, last] = nats.servers;
      try {
        await last?.end('SIGKILL');
        const made = await leases('first', undefined, undefined, other, false, logger);
        for (const venue of ['okx', 'gate']) made.campaign(venue, () => {});
        // Servers that have just begun may say something else first.
        const ofPeers = () => said.filter((line) => JSON.stringify(line).includes('no suitable peers'));
        await until(() => expect(ofPeers()).not.toEqual([]));
        expect(ofPeers()).toEqual([
          [expect.objectContaining({ advice: expect.any(String) }), expect.stringContaining('bucket')],
        ]);
        expect(made.unansweredMs).toBe(0);
        await last?.begin();
        await until(() => expect(made.held()).toEqual(['okx', 'gate']));
        expect(ofPeers()).toHaveLength(1);
        await close();
      } finally {
        await nats.stop();
      }
    });

    it('has one holder, and a greater epoch for the next', async () => {
      const first = await leases('first');
      const second = await leases('second');
      const epochs: number[] = [];
      first.campaign('okx', (epoch) => epochs.push(epoch));
      await until(() => expect(first.held()).toEqual(['okx']));
      second.campaign('okx', (epoch) => epochs.push(epoch));
      // Long enough for both to have asked several times.
      await until(() => expect(first.renewals).toBeGreaterThan(1));
      expect(second.epoch('okx')).toBeUndefined();
      await first.close();
      await until(() => expect(second.held()).toEqual(['okx']));
      expect(epochs).toHaveLength(2);
      expect(epochs[1]).toBeGreaterThan(epochs[0] ?? Number.NaN);
      await close();
    });

    it('leaves a lease to others for five seconds where it was declined', async () => {
      let later = 0;
      const first = await leases('first', () => performance.now() + later);
      const second = await leases('second');
      first.campaign('history', () => {});
      await until(() => expect(first.epoch('history')).toBeDefined());
      const before = first.epoch('history') ?? Number.NaN;
      await first.resign('history');
      expect(first.epoch('history')).toBeUndefined();
      second.campaign('history', () => {});
      await until(() => expect(second.epoch('history')).toBeGreaterThan(before));
      await second.resign('history');
      const { renewals } = first;
      first.campaign('other', () => {});
      await until(() => expect(first.renewals).toBeGreaterThan(renewals));
      expect(first.epoch('history')).toBeUndefined();
      later = 5000;
      await until(() => expect(first.epoch('history')).toBeGreaterThan(before));
      await close();
    });

    it('servers without a leader: a strict lease ends, others stay', async () => {
      const nats = await startNatsServers(3);
      try {
        const alone = await notLeading(nats);
        const others = nats.servers.filter((server) => server !== alone);
        const strict = await leases('strict', undefined, undefined, alone, true);
        const lasting = await leases('lasting', undefined, undefined, alone);
        strict.campaign('history', () => {});
        lasting.campaign('okx', () => {});
        await until(() => expect(Math.min(strict.renewals, lasting.renewals)).toBeGreaterThan(0));
        for (const other of others) await other.end('SIGKILL');
        await until(() => expect(strict.epoch('history')).toBeUndefined());
        expect(lasting.epoch('okx')).toBeGreaterThan(0);
        await close();
      } finally {
        await nats.stop();
      }
    });

    it('its time over before the loss of the leader is known: held on', async () => {
      const nats = await startNatsServers(3);
      try {
        const alone = await notLeading(nats);
        const others = nats.servers.filter((server) => server !== alone);
        let stopped = 0;
        const lasting = await leases('lasting', () => performance.now() + stopped, undefined, alone);
        lasting.campaign('okx', () => {});
        await until(() => expect(lasting.renewals).toBeGreaterThan(0));
        const epoch = lasting.epoch('okx');
        for (const other of others) await other.end('SIGKILL');
        stopped = 3000;
        expect(lasting.epoch('okx')).toBeUndefined();
        await until(() => expect(lasting.epoch('okx')).toBe(epoch));
        // Not for longer than servers take to choose one.
        stopped = 18_000;
        await until(() => expect(lasting.unansweredMs).toBeGreaterThan(16_000));
        expect(lasting.held()).toEqual([]);
        await close();
      } finally {
        await nats.stop();
      }
    });

    it('a lease that could not be renewed: ends before the next holder', async () => {
      let stopped = 0;
      const first = await leases('first', () => performance.now() + stopped);
      const second = await leases('second');
      first.campaign('kraken', () => {});
      await until(() => expect(first.epoch('kraken')).toBeDefined());
      const before = first.epoch('kraken') ?? Number.NaN;
      second.campaign('kraken', () => {});
      // As after a SIGSTOP that was longer than anybody waits for a leader.
      stopped = 15_000;
      expect(first.epoch('kraken')).toBeUndefined();
      await until(() => expect([...first.held(), ...second.held()]).toHaveLength(1));
      expect(first.epoch('kraken') ?? second.epoch('kraken')).toBeGreaterThan(before);
      await close();
    });
  });
});
