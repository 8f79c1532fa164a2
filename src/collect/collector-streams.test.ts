import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig, rows } from '../../test/collect/collector-rig.ts';
import { tinyCall, tinyPoll } from '../../test/collect/tiny-venue.ts';
import { type Peer, serveWs, type WsLoopback } from '../../test/collect/ws-loopback.ts';
import { RESTATE_MS } from './standing-quotes.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

describe('Collector streams', () => {
  let sockets: WsLoopback;
  beforeEach(async () => {
    sockets = await serveWs();
  });
  afterEach(() => sockets.close());

  const stream = {
    name: 'marks',
    base: 'ws',
    path: '/ws',
    call: tinyCall('v', 'marks'),
    topics: (plan: { readonly instruments: readonly { readonly symbol: string }[] }) =>
      plan.instruments.map((i) => i.symbol),
    subscribe: (topics: readonly string[]) => [topics.join(',')],
    topicsPerConnection: 10,
    topicsPerFrame: 10,
    framesPerSecond: 100,
    maxConnections: 1,
    compression: 'none',
    silenceMs: 10_000,
    repeats: true,
  } as const;
  const firstPeer = async (): Promise<Peer> => {
    await rig.until(() => expect(sockets.peers[0]?.received).toHaveLength(1));
    const [peer] = sockets.peers;
    if (peer === undefined) throw new Error('no peer');
    return peer;
  };

  it('refuse a frame beyond the declared bound, and harm nobody else', async () => {
    const polls = [tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 5000 })];
    const bases = { rest: `${rig.server.url}/v`, ws: sockets.url };
    const streams = [{ ...stream, normalBytes: 100 }];
    const made = rig.collect([rig.venueAt('v', { polls, bases, streams }), rig.venueAt('w')]);
    await made.start();
    const peer = await firstPeer();
    peer.send([{ symbol: 'A', mark: '7', more: 'x'.repeat(300) }]);
    await rig.until(() => expect(rig.sink.events).toContain('quotes v A'), 0);
    peer.send([{ symbol: 'B', mark: '7', more: 'x'.repeat(400) }]);
    const reason = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    await rig.until(() => expect(made.health.of('v')?.lastError).toBe(`stream marks: ${reason}`), 0);
    expect(made.stats().venues.v?.streams['stream marks']?.reconnects).toEqual({ [reason]: 1 });
    expect(rig.sink.events).not.toContain('quotes v B');
    const before = rig.sink.count('w');
    await rig.until(() => expect(rig.sink.count('w')).toBeGreaterThan(before));
    expect(made.health.of('w')).toMatchObject({ status: 'live', lastError: undefined });
    await rig.until(() => expect(sockets.peers[1]?.received).toHaveLength(1));
    sockets.peers[1]?.send([{ symbol: 'B', mark: '7' }]);
    await rig.until(() => expect(made.health.of('v')?.lastError).toBeUndefined(), 0);
  });

  it('follow the listed contracts and feed the sink as polls do', async () => {
    const polls = [tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 5000 })];
    const bases = { rest: `${rig.server.url}/v`, ws: sockets.url };
    const made = rig.collect([rig.venueAt('v', { polls, bases, streams: [stream] })]);
    await made.start();
    const peer = await firstPeer();
    expect(peer.path).toBe('/ws');
    expect(peer.received).toEqual(['A,B']);
    peer.send([{ symbol: 'A', mark: '7' }]);
    await rig.until(() => expect(rig.sink.events).toContain('quotes v A'), 0);
    expect(made.health.of('v')?.status).toBe('live');
    expect(made.stats().venues.v?.streams['stream marks']).toMatchObject({
      dataFrames: 1,
      quotes: 1,
      topics: 2,
      lastDataAt: expect.any(Number),
    });
    peer.send({ error: 'bad topic' });
    await rig.until(
      () => expect(made.health.of('v')?.lastError).toMatch(/stream marks: nothing readable/),
      0,
    );
    peer.send([{ symbol: 'A', mark: '7' }]);
    await rig.until(() => expect(made.health.of('v')?.lastError).toBeUndefined(), 0);
    peer.socket.send('['.repeat(100_000));
    await rig.until(() => expect(made.health.of('v')?.lastError).toMatch(/stream marks: frame is nested/), 0);
    peer.send([{ symbol: 'A', mark: '7' }]);
    await rig.until(() => expect(made.health.of('v')?.lastError).toBeUndefined(), 0);
    rig.answers['/v/instruments'] = rows('A', 'B', 'C');
    await rig.until(() => expect(peer.received).toEqual(['A,B', 'C']), 500);
  });

  it('silent contracts beside others: asked for again, each alone', async () => {
    rig.answers['/v/instruments'] = rows('A', 'B', 'C');
    const polls = [tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 600_000 })];
    const bases = { rest: `${rig.server.url}/v`, ws: sockets.url };
    const streams = [{ ...stream, silenceMs: 3_600_000 }];
    await rig.collect([rig.venueAt('v', { polls, bases, streams })]).start();
    const peer = await firstPeer();
    peer.send([{ symbol: 'B', mark: '7' }]);
    await rig.until(() => expect(rig.sink.events).toContain('quotes v B'), 0);
    await rig.until(() => expect(peer.received).toEqual(['A,B,C', 'A', 'C']), 2000);
  });

  describe('of a venue that states changes alone', () => {
    const open = async (): Promise<Peer> => {
      const polls = [tinyPoll('v', 'instruments', { kind: 'instruments', everyMs: 600_000 })];
      const bases = { rest: `${rig.server.url}/v`, ws: sockets.url };
      const topics = () => ['all'];
      const streams = [{ ...stream, topics, silenceMs: 60_000, repeats: false }];
      await rig.collect([rig.venueAt('v', { polls, bases, streams })]).start();
      const peer = await firstPeer();
      peer.send([
        { symbol: 'A', mark: '5' },
        { symbol: 'B', mark: '7' },
      ]);
      await rig.until(() => expect(rig.sink.events).toContain('quotes v A,B'), 0);
      return peer;
    };
    const restated = () => rig.sink.events.filter((event) => event.startsWith('restated'));

    it('restate a quiet contract while others change', async () => {
      const peer = await open();
      await rig.time.advance(RESTATE_MS);
      peer.send([{ symbol: 'B', mark: '8' }]);
      await rig.until(() => expect(restated()).toEqual(['restated v A,B']), 0);
    });

    it('restate nothing that was said on a connection that is gone', async () => {
      const peer = await open();
      peer.socket.close();
      await rig.until(() => expect(sockets.peers[1]?.received).toHaveLength(1));
      await rig.time.advance(RESTATE_MS);
      sockets.peers[1]?.send([{ symbol: 'B', mark: '8' }]);
      await rig.until(() => expect(rig.sink.events.at(-1)).toBe('quotes v B'), 0);
      expect(restated()).toEqual([]);
    });
  });
});
