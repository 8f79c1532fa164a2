import { connect } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asPrice } from '../../src/domain/units.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { decodeMessage, encodeMessage } from '../../src/modules/cluster/message.ts';
import { serverAdvice } from '../../src/modules/cluster/nats/connection.ts';
import { openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { until } from '../until.ts';
import { collecting, live, selling } from './feed-hosts.ts';
import { feedPortSuite } from './feed-port.ts';
import { close, feed, leases, linked, notLeading, open, overNats, server } from './nats-rig.ts';

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

overNats(() => {
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
      const { sinks, says } = collecting(systemClock, (source) => publisher.publish(source));
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
          const { sinks, says } = collecting(systemClock, (source) => publisher.publish(source));
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
      // A holder that it heard still publishes there: it did not leave since nobody was heard.
      await until(() => expect(holders.map((holder) => holder.state().held)).toContainEqual(['okx']));
    }));

  it('a server that is cut off from leases: a collector leaves it', () =>
    linked(async (nats, url, isUsed) => {
      const publisher = await openNatsFeed({ url, clock: systemClock, logger: silentLogger });
      open.push(publisher);
      const { sinks } = collecting(systemClock, (source) => publisher.publish(source));
      sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
      const contract = makeInstrument({ venue: 'okx', base: 'BTC' });
      sinks.market.instruments('okx', [contract], systemClock.now());
      await until(() => expect(publisher.state().held).toEqual(['okx']));
      const cutOff = isUsed();
      nats.separate(cutOff, 'silent');
      await until(() => expect(isUsed()).not.toBe(cutOff));
      await until(() => expect(publisher.state().held).toEqual(['okx']));
    }));

  it('a follower that heard of a later epoch: served all the same', async () => {
    const publisher = await feed();
    const follower = await feed();
    const { sinks, says } = collecting(systemClock, (source) => publisher.publish(source));
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

  it('unreadable messages: the connection stays, and counts them', async () => {
    const publisher = await feed();
    const follower = await feed();
    const { sinks, says } = collecting(systemClock, (source) => publisher.publish(source));
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

  it('gives back its venues, keeps the history lease until closed', async () => {
    const first = await feed();
    const second = await feed();
    const { sinks } = collecting(systemClock, (source) => first.publish(source));
    const contract = makeInstrument({ venue: 'okx', base: 'BTC' });
    sinks.market.venue(makeVenueInfo({ id: 'okx' }), 5000);
    sinks.market.instruments('okx', [contract], systemClock.now());
    const held = first.historyLease();
    const next = second.historyLease();
    held.campaign(() => {});
    await until(() => expect(held.epoch()).toBeGreaterThan(0));
    await until(() => expect(first.state().held).toEqual(['okx']));
    const epoch = held.epoch() ?? Number.NaN;
    next.campaign(() => {});
    await first.release();
    expect(first.state().held).toEqual([]);
    expect(held.epoch()).toBe(epoch);
    await first.close();
    expect(held.epoch()).toBeUndefined();
    await until(() => expect(next.epoch()).toBeGreaterThan(epoch));
    await close();
  });
});
