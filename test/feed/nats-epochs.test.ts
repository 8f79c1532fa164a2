import { connect } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { LeaseBucket } from '../../src/modules/cluster/nats/lease-bucket.ts';
import { until } from '../until.ts';
import { close, leases, overNats, server } from './nats-rig.ts';
import { NatsServer } from './nats-server.ts';

overNats(() => {
  describe('a lease', () => {
    it('a lost lease taken again below a raised epoch: a greater one', async () => {
      const made = await leases('first');
      const direct = await connect({ servers: new URL(server.url()).host });
      const { kv, madeAt } = await new LeaseBucket({
        connection: direct,
        logger: silentLogger,
        ttlMs: 3000,
        callMs: 5000,
      }).open();
      const count = async (to: number): Promise<void> => {
        const at = (madeAt + (await kv.put('count', ''))) % 10_000;
        for (let left = (to - at + 10_000) % 10_000; left > 0; left -= 500)
          await Promise.all(Array.from({ length: Math.min(left, 500) }, () => kv.put('count', '')));
      };
      // An epoch is raised by what it is within ten thousand: the next one is raised by less.
      await count(9_980);
      const epochs: number[] = [];
      made.campaign('lbank', (epoch) => epochs.push(epoch));
      await until(() => expect(epochs).toHaveLength(1));
      made.heard('lbank', (epochs[0] ?? Number.NaN) + 1000);
      await until(() => expect(epochs).toHaveLength(2));
      await count(100);
      await kv.delete('lbank');
      await until(() => expect(epochs).toHaveLength(3));
      expect(epochs[2]).toBeGreaterThan(epochs[1] ?? Number.NaN);
      await direct.close();
      await close();
    });

    it('counts on where the server has lost its store', async () => {
      const lost = await NatsServer.start();
      try {
        const epochs: number[] = [];
        const made = await leases('first', undefined, undefined, lost);
        made.campaign('okx', (epoch) => epochs.push(epoch));
        await until(() => expect(made.renewals).toBeGreaterThan(2));
        await lost.end('SIGKILL');
        lost.forget();
        await lost.begin();
        await until(() => expect(epochs).toHaveLength(2));
        expect(epochs[1]).toBeGreaterThan(epochs[0] ?? Number.NaN);
        await until(() => expect(made.epoch('okx')).toBe(epochs[1]));
        await close();
      } finally {
        await lost.stop();
      }
    });

    it('an epoch that was heard: raised above it with the renewal', async () => {
      const epochs: number[] = [];
      const made = await leases('first');
      made.campaign('phemex', (epoch) => epochs.push(epoch));
      await until(() => expect(epochs).toHaveLength(1));
      const [first = Number.NaN] = epochs;
      made.heard('phemex', systemClock.now() + 7_200_000);
      made.heard('phemex', first);
      const { renewals } = made;
      await until(() => expect(made.renewals).toBeGreaterThan(renewals + 1));
      expect(made.epoch('phemex')).toBe(first);
      made.heard('phemex', first + 1000);
      await until(() => expect(made.epoch('phemex')).toBeGreaterThan(first + 1000));
      expect(epochs).toEqual([first, made.epoch('phemex')]);
      await close();
    });

    it('a lease that cannot be renewed: its epoch is not raised', async () => {
      const paused = await NatsServer.start();
      try {
        const epochs: number[] = [];
        const made = await leases('first', undefined, undefined, paused);
        made.campaign('okx', (epoch) => epochs.push(epoch));
        await until(() => expect(made.renewals).toBeGreaterThan(0));
        paused.signal('SIGSTOP');
        made.heard('okx', (epochs[0] ?? Number.NaN) + 1000);
        await until(() => expect(made.held()).toEqual([]));
        expect(epochs).toHaveLength(1);
        // A lease taken after that has a greater epoch all the same.
        paused.signal('SIGCONT');
        await until(() => expect(epochs).toHaveLength(2));
        expect(epochs[1]).toBeGreaterThan((epochs[0] ?? Number.NaN) + 1000);
        await close();
      } finally {
        await paused.stop();
      }
    });

    it('over, and taken by nobody: held again under its epoch', async () => {
      let stopped = 0;
      const first = await leases('first', () => performance.now() + stopped);
      const second = await leases('second');
      const epochs: number[] = [];
      first.campaign('bitget', (epoch) => epochs.push(epoch));
      await until(() => expect(first.renewals).toBeGreaterThan(0));
      second.campaign('bitget', () => {});
      stopped = 3000;
      expect(first.epoch('bitget')).toBeUndefined();
      await until(() => expect(first.epoch('bitget')).toBe(epochs[0]));
      expect([epochs.length, second.held()]).toEqual([1, []]);
      await close();
    });
  });
});
