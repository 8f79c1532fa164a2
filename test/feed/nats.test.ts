import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asPrice } from '../../src/domain/units.ts';
import { decodeMessage, encodeMessage } from '../../src/feed/message.ts';
import { serverAdvice } from '../../src/feed/nats/connection.ts';
import { LeaseBucket } from '../../src/feed/nats/lease-bucket.ts';
import { NatsLeases } from '../../src/feed/nats/leases.ts';
import { openNatsFeed } from '../../src/feed/nats/nats-feed.ts';
import type { Feed } from '../../src/feed/ports.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { Relay } from '../pay/relay.ts';
import { until } from '../until.ts';
import { collecting, live, selling } from './feed-hosts.ts';
import { feedPortSuite } from './feed-port.ts';
import { leaderOf, NatsServer, type NatsServers, natsObstacle, startNatsServers } from './nats-server.ts';

const obstacle = natsObstacle();

describe('advice about a NATS server', () => {
  it.each([
    ['2.9.10', 'perpmeter', true],
    ['2.10.27', 'perpmeter', false],
    ['3.0.0-beta', 'perpmeter', false],
    ['2.9.10', undefined, false],
  ])('of version %s in cluster %s is given: %s', (version, cluster, isGiven) => {
    const advice = serverAdvice({ version, ...(cluster !== undefined && { cluster }) });
    expect(advice !== undefined).toBe(isGiven);
  });
});

describe.skipIf(obstacle !== undefined)(`over NATS${obstacle === undefined ? '' : `: ${obstacle}`}`, () => {
  let server: NatsServer;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(() => server.stop());

  const feed = async (): Promise<Feed> => {
    const made = await openNatsFeed({ url: server.url(), clock: systemClock, logger: silentLogger });
    open.push(made);
    return made;
  };
  const leases = async (
    holder = 'one',
    elapsed = () => performance.now(),
    isBetterElsewhere: (venue: string) => boolean = () => false,
    at: Pick<NatsServer, 'url'> = server,
    isStrict = false,
    logger = silentLogger,
  ): Promise<NatsLeases> => {
    const servers = new URL(at.url()).host;
    const options = { servers, maxReconnectAttempts: -1, reconnectTimeWait: 50 };
    const connection: NatsConnection = await connect(options);
    const made = new NatsLeases({
      ...{ connection, holder, elapsed, isBetterElsewhere, isStrict, logger, clock: systemClock },
      isConnected: () => true,
    });
    made.begin();
    open.push({ close: () => made.close().then(() => connection.close()) });
    return made;
  };
  const close = async (): Promise<void> => {
    for (const one of open.splice(0)) await one.close();
  };
  /** A server that does not lead the bucket of leases: a leader that is alone does not know it at once, and forgets what nobody renewed. */
  const notLeading = async (nats: NatsServers): Promise<NatsServer> => {
    const scout = await leases('scout', undefined, undefined, nats.servers[0]);
    scout.strive('kraken', () => {});
    await until(() => expect(scout.epoch('kraken')).toBeDefined());
    const connection = await connect({ servers: nats.servers.map(({ host }) => host) });
    const leader = await until(() => leaderOf(nats.servers, connection));
    await connection.close();
    const found = nats.servers.find((one) => one !== leader);
    if (found === undefined) throw new Error('no other server');
    return found;
  };
  /** Three servers, each reached over a link of its own; `isUsed` is the place of the one that is. */
  const linked = async (
    use: (nats: NatsServers, url: string, isUsed: () => number, links: readonly Relay[]) => Promise<void>,
  ): Promise<void> => {
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
  };

  feedPortSuite('NATS', {
    leases,
    feed,
    seller: async () => {
      const follower = await feed();
      return selling(systemClock, (into) => follower.follow(into));
    },
    close,
  });

  it('leaves a server that is cut off from the others', () =>
    linked(async (nats, url, isUsed) => {
      const follower = await openNatsFeed({ url, clock: systemClock, logger: silentLogger });
      open.push(follower);
      const cutOff = isUsed();
      const other = nats.servers[(cutOff + 1) % 3]?.url() ?? '';
      const publisher = await openNatsFeed({ url: other, clock: systemClock, logger: silentLogger });
      open.push(publisher);
      const { sinks, says } = collecting(systemClock, (local, source) => publisher.publish(local, source));
      const { market } = selling(systemClock, (into) => follower.follow(into));
      const contract = makeInstrument({ venue: 'okx', base: 'BTC' });
      const mark = (price: number): void =>
        sinks.market.quotes(
          'okx',
          [{ symbol: contract.symbol, markPrice: asPrice(price) }],
          systemClock.now(),
        );
      const isTaken = (price: number): Promise<void> =>
        until(() => expect(market.view.contract('okx', contract.symbol)?.markPrice).toBe(price));
      says.set('okx', live('okx', systemClock));
      sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
      sinks.market.instruments('okx', [contract], systemClock.now());
      mark(60_000);
      await isTaken(60_000);
      nats.separate(cutOff, 'silent');
      mark(61_000);
      await isTaken(61_000);
      expect(isUsed()).not.toBe(cutOff);
    }));

  it('leaves a server that is cut off together with one of two holders', () =>
    linked(async (nats, url, isUsed, links) => {
      const cutOff = nats.servers.indexOf(await notLeading(nats));
      for (const [i, link] of links.entries()) link.set(i === cutOff ? 'open' : 'cut');
      const follower = await openNatsFeed({ url, clock: systemClock, logger: silentLogger });
      open.push(follower);
      expect(isUsed()).toBe(cutOff);
      for (const link of links) link.set('open');
      const holders = await Promise.all(
        (['okx', 'gate'] as const).map(async (venue, i) => {
          const at = nats.servers[(cutOff + i) % 3]?.url() ?? '';
          const publisher = await openNatsFeed({ url: at, clock: systemClock, logger: silentLogger });
          open.push(publisher);
          const { sinks, says } = collecting(systemClock, (local, source) =>
            publisher.publish(local, source),
          );
          says.set(venue, live(venue, systemClock));
          sinks.market.venue(makeVenueInfo({ id: venue }), 5000);
          sinks.market.instruments(venue, [makeInstrument({ venue, base: 'BTC' })], systemClock.now());
          return publisher;
        }),
      );
      const { followed } = selling(systemClock, (into) => follower.follow(into));
      await until(() => expect(followed.health.all().map(({ status }) => status)).toEqual(['live', 'live']));
      nats.separate(cutOff, 'silent');
      await until(() => expect(isUsed()).not.toBe(cutOff));
      // Whom it heard still publishes there: it did not leave since nobody was heard.
      await until(() => expect(holders.map((holder) => holder.state().held)).toContainEqual(['okx']));
    }));

  it('leaves a server that is cut off and says nothing of leases, as a collector', () =>
    linked(async (nats, url, isUsed) => {
      const publisher = await openNatsFeed({ url, clock: systemClock, logger: silentLogger });
      open.push(publisher);
      const { sinks } = collecting(systemClock, (local, source) => publisher.publish(local, source));
      sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
      const contract = makeInstrument({ venue: 'okx', base: 'BTC' });
      sinks.market.instruments('okx', [contract], systemClock.now());
      await until(() => expect(publisher.state().held).toEqual(['okx']));
      const cutOff = isUsed();
      nats.separate(cutOff, 'silent');
      await until(() => expect(isUsed()).not.toBe(cutOff));
      await until(() => expect(publisher.state().held).toEqual(['okx']));
    }));

  it('serves a follower that has heard of a later epoch than the holder was given', async () => {
    const [publisher, follower] = [await feed(), await feed()];
    const { sinks, says } = collecting(systemClock, (local, source) => publisher.publish(local, source));
    selling(systemClock, (into) => follower.follow(into));
    const contract = makeInstrument({ venue: 'okx', base: 'BTC' });
    const spy = await connect({ servers: new URL(server.url()).host });
    const epochs: number[] = [];
    spy.subscribe('perpmeter.feed.okx', {
      callback: (_, message) => void epochs.push(decodeMessage(message.string())?.epoch ?? Number.NaN),
    });
    says.set('okx', live('okx', systemClock));
    sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
    sinks.market.instruments('okx', [contract], systemClock.now());
    await until(() => expect(epochs.length).toBeGreaterThan(0));
    await until(() => expect(follower.state().counts.taken).toBeGreaterThan(0));
    // As of a holder before the servers lost what they had decided.
    const later = Math.max(...epochs) + 500;
    spy.publish('perpmeter.feed.okx', encodeMessage({ epoch: later, sequence: 7, part: 0, parts: 0 }, []));
    await until(() => expect(follower.state().behind).toEqual(['okx']));
    await until(() => expect(follower.state().behind).toEqual([]));
    await until(() => expect(epochs.at(-1)).toBeGreaterThan(later));
    await spy.close();
    await close();
  });

  it('keeps its connection and counts where other processes say what cannot be read', async () => {
    const [publisher, follower] = [await feed(), await feed()];
    const { sinks, says } = collecting(systemClock, (local, source) => publisher.publish(local, source));
    const { followed } = selling(systemClock, (into) => follower.follow(into));
    const spy = await connect({ servers: new URL(server.url()).host });
    try {
      says.set('kucoin', live('kucoin', systemClock));
      sinks.market.venue(makeVenueInfo({ id: 'kucoin' }), 5000);
      sinks.market.instruments(
        'kucoin',
        [makeInstrument({ venue: 'kucoin', base: 'BTC' })],
        systemClock.now(),
      );
      await until(() => expect(followed.health.of('kucoin')?.status).toBe('live'));
      for (const text of ['no JSON', 'null', '{"snapshots":7}', '{"books":{"kucoin":5}}'])
        spy.publish('perpmeter.ask', text);
      spy.publish('perpmeter.collectors', '{"report":{"name":"another"},"asks":[]}');
      spy.publish('perpmeter.feed.kucoin', 'no message');
      await until(() => expect(publisher.state().counts.rejected).toBe(5));
      await until(() => expect(follower.state().counts.rejected).toBe(1));
      expect([publisher.state().ok, followed.health.of('kucoin')?.status]).toEqual([true, 'live']);
    } finally {
      await spy.close();
      await close();
    }
  });

  it('gives back its venues and keeps the lease of the history until it is closed', async () => {
    const [first, second] = [await feed(), await feed()];
    const { sinks } = collecting(systemClock, (local, source) => first.publish(local, source));
    const contract = makeInstrument({ venue: 'okx', base: 'BTC' });
    sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
    sinks.market.instruments('okx', [contract], systemClock.now());
    const [held, next] = [first.historyLease(), second.historyLease()];
    held?.strive(() => {});
    await until(() => expect(held?.epoch()).toBeGreaterThan(0));
    await until(() => expect(first.state().held).toEqual(['okx']));
    const epoch = held?.epoch() ?? Number.NaN;
    next?.strive(() => {});
    await first.release();
    expect(first.state().held).toEqual([]);
    expect(held?.epoch()).toBe(epoch);
    await first.close();
    expect(held?.epoch()).toBeUndefined();
    await until(() => expect(next?.epoch()).toBeGreaterThan(epoch));
    await close();
  });

  describe('leases', () => {
    it('goes to whom it is given, at once and under a greater epoch', async () => {
      const [first, second, third] = [await leases('first'), await leases('second'), await leases('third')];
      first.strive('bitget', () => {});
      await until(() => expect(first.epoch('bitget')).toBeDefined());
      const before = first.epoch('bitget') ?? Number.NaN;
      for (const other of [second, third]) other.strive('bitget', () => {});
      let given: number | undefined;
      await until(() => {
        given = first.give('bitget');
        expect(given).toBeDefined();
      });
      expect(first.epoch('bitget')).toBeUndefined();
      await second.accept('bitget', given ?? Number.NaN);
      expect(second.epoch('bitget')).toBeGreaterThan(before);
      // What was taken on once cannot be taken on again.
      await third.accept('bitget', given ?? Number.NaN);
      expect([first, second, third].map((one) => one.held())).toEqual([[], ['bitget'], []]);
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
        first.strive(venue, () => {});
        await until(() => expect(first.epoch(venue)).toBeDefined());
      }
      await until(() => expect(first.renewals).toBeGreaterThan(2 * venues.length));
      await first.close();
      const direct = await connect({ servers: new URL(server.url()).host });
      const { kv } = await new LeaseBucket({
        ...{ connection: direct, logger: silentLogger, ttlMs: 3000, callMs: 1000 },
      }).open();
      const held = await Promise.all(venues.map((venue) => kv.get(venue)));
      expect(held.map((entry) => entry?.operation)).toEqual(venues.map(() => 'DEL'));
      await direct.close();
      await close();
      await link.stop();
    });

    it('has a greater epoch where its holder lost it and takes it again below a raised one', async () => {
      const made = await leases('first');
      const direct = await connect({ servers: new URL(server.url()).host });
      const { kv, madeAt } = await new LeaseBucket({
        ...{ connection: direct, logger: silentLogger, ttlMs: 3000, callMs: 5000 },
      }).open();
      const count = async (to: number): Promise<void> => {
        const at = (madeAt + (await kv.put('count', ''))) % 10_000;
        for (let left = (to - at + 10_000) % 10_000; left > 0; left -= 500)
          await Promise.all(Array.from({ length: Math.min(left, 500) }, () => kv.put('count', '')));
      };
      // An epoch is raised by what it is within ten thousand: the next one is raised by less.
      await count(9_980);
      const epochs: number[] = [];
      made.strive('lbank', (epoch) => epochs.push(epoch));
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

    it('leaves a free lease to others that reach its venue', async () => {
      const elsewhere = new Set(['mexc']);
      const first = await leases('first', undefined, (venue) => elsewhere.has(venue));
      for (const venue of ['mexc', 'gate']) first.strive(venue, () => {});
      await until(() => expect(first.renewals).toBeGreaterThan(1));
      expect(first.held()).toEqual(['gate']);
      elsewhere.clear();
      await until(() => expect(first.held()).toEqual(['mexc', 'gate']));
      await close();
    });

    it('counts on where the server has lost its store', async () => {
      const lost = await NatsServer.start();
      try {
        const epochs: number[] = [];
        const made = await leases('first', undefined, undefined, lost);
        made.strive('okx', (epoch) => epochs.push(epoch));
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

    it('is raised above an epoch that somebody has heard, with its next renewal, and unless it is of the future', async () => {
      const epochs: number[] = [];
      const made = await leases('first');
      made.strive('phemex', (epoch) => epochs.push(epoch));
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

    it('is not raised where it cannot be renewed: it may be held by another by then', async () => {
      const paused = await NatsServer.start();
      try {
        const epochs: number[] = [];
        const made = await leases('first', undefined, undefined, paused);
        made.strive('okx', (epoch) => epochs.push(epoch));
        await until(() => expect(made.renewals).toBeGreaterThan(0));
        paused.signal('SIGSTOP');
        made.heard('okx', (epochs[0] ?? Number.NaN) + 1000);
        await until(() => expect(made.held()).toEqual([]));
        expect(epochs).toHaveLength(1);
        // What is taken after that is greater all the same.
        paused.signal('SIGCONT');
        await until(() => expect(epochs).toHaveLength(2));
        expect(epochs[1]).toBeGreaterThan((epochs[0] ?? Number.NaN) + 1000);
        await close();
      } finally {
        await paused.stop();
      }
    });

    it('says once why no bucket is made while one of three servers is down, and makes it when that is back', async () => {
      const nats = await startNatsServers(3);
      const said: unknown[][] = [];
      const logger = { ...silentLogger, warn: (...line: unknown[]) => void said.push(line) };
      const [, other, last] = nats.servers;
      try {
        await last?.end('SIGKILL');
        const made = await leases('first', undefined, undefined, other, false, logger);
        for (const venue of ['okx', 'gate']) made.strive(venue, () => {});
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
      const [first, second] = [await leases('first'), await leases('second')];
      const epochs: number[] = [];
      first.strive('okx', (epoch) => epochs.push(epoch));
      await until(() => expect(first.held()).toEqual(['okx']));
      second.strive('okx', (epoch) => epochs.push(epoch));
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
      const [first, second] = [
        await leases('first', () => performance.now() + later),
        await leases('second'),
      ];
      first.strive('history', () => {});
      await until(() => expect(first.epoch('history')).toBeDefined());
      const before = first.epoch('history') ?? Number.NaN;
      await first.decline('history');
      expect(first.epoch('history')).toBeUndefined();
      second.strive('history', () => {});
      await until(() => expect(second.epoch('history')).toBeGreaterThan(before));
      await second.decline('history');
      const { renewals } = first;
      first.strive('other', () => {});
      await until(() => expect(first.renewals).toBeGreaterThan(renewals));
      expect(first.epoch('history')).toBeUndefined();
      later = 5000;
      await until(() => expect(first.epoch('history')).toBeGreaterThan(before));
      await close();
    });

    it('ends a strict lease in time where the servers have no leader, and holds others on', async () => {
      const nats = await startNatsServers(3);
      try {
        const alone = await notLeading(nats);
        const others = nats.servers.filter((one) => one !== alone);
        const strict = await leases('strict', undefined, undefined, alone, true);
        const lasting = await leases('lasting', undefined, undefined, alone);
        strict.strive('history', () => {});
        lasting.strive('okx', () => {});
        await until(() => expect(Math.min(strict.renewals, lasting.renewals)).toBeGreaterThan(0));
        for (const other of others) await other.end('SIGKILL');
        await until(() => expect(strict.epoch('history')).toBeUndefined());
        expect(lasting.epoch('okx')).toBeGreaterThan(0);
        await close();
      } finally {
        await nats.stop();
      }
    });

    it('is held again under its epoch where it was over and nobody could take it', async () => {
      let stopped = 0;
      const [first, second] = [
        await leases('first', () => performance.now() + stopped),
        await leases('second'),
      ];
      const epochs: number[] = [];
      first.strive('bitget', (epoch) => epochs.push(epoch));
      await until(() => expect(first.renewals).toBeGreaterThan(0));
      second.strive('bitget', () => {});
      stopped = 3000;
      expect(first.epoch('bitget')).toBeUndefined();
      await until(() => expect(first.epoch('bitget')).toBe(epochs[0]));
      expect([epochs.length, second.held()]).toEqual([1, []]);
      await close();
    });

    it('is held on where its time was over before it was known that the servers have no leader', async () => {
      const nats = await startNatsServers(3);
      try {
        const alone = await notLeading(nats);
        const others = nats.servers.filter((one) => one !== alone);
        let stopped = 0;
        const lasting = await leases('lasting', () => performance.now() + stopped, undefined, alone);
        lasting.strive('okx', () => {});
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

    it('ends a lease that could not be renewed, before the server gives it to another', async () => {
      let stopped = 0;
      const [first, second] = [
        await leases('first', () => performance.now() + stopped),
        await leases('second'),
      ];
      first.strive('kraken', () => {});
      await until(() => expect(first.epoch('kraken')).toBeDefined());
      const before = first.epoch('kraken') ?? Number.NaN;
      second.strive('kraken', () => {});
      // As after a SIGSTOP that was longer than anybody waits for a leader.
      stopped = 15_000;
      expect(first.epoch('kraken')).toBeUndefined();
      await until(() => expect([...first.held(), ...second.held()]).toHaveLength(1));
      expect(first.epoch('kraken') ?? second.epoch('kraken')).toBeGreaterThan(before);
      await close();
    });
  });
});
