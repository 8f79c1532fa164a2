import { once } from 'node:events';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualTime, settled } from '../../test/collect/manual-time.ts';
import { instrument, tinyCall } from '../../test/collect/tiny-venue.ts';
import { type Peer, serveWs, type WsLoopback } from '../../test/collect/ws-loopback.ts';
import { isWire } from '../domain/read.ts';
import { asMs } from '../domain/units.ts';
import type { Stream } from '../venues/adapter.ts';
import { silentLogger } from './logger.ts';
import { type StreamOptions, StreamTransport } from './stream.ts';
import { failed } from './transport-failure.ts';

/** Polls of a condition are quick, patience is long: the machine may be busy. */
const WAIT = { interval: 2, timeout: 30_000 };

let time: ManualTime;
let server: WsLoopback;
let transport: StreamTransport | undefined;
let symbols: string[];
const frames: unknown[] = [];
const lost: string[] = [];
const reports: (string | undefined)[] = [];

const subscribed = (peer: Peer | undefined): string[] =>
  (peer?.received ?? []).flatMap((text) => {
    const frame: unknown = JSON.parse(text);
    return isWire(frame) && frame.op === 'sub' && Array.isArray(frame.args) ? frame.args.map(String) : [];
  });

const base: Stream = {
  name: 'marks',
  base: 'ws',
  path: '/stream',
  call: tinyCall('v', 'marks'),
  topics: (plan) => plan.instruments.map((i) => i.symbol),
  subscribe: (topics, id) => [JSON.stringify({ op: 'sub', args: topics, id })],
  topicsPerConnection: 100,
  topicsPerFrame: 100,
  framesPerSecond: 1000,
  maxConnections: 10,
  compression: 'none',
  silenceMs: 30_000,
};

function open(stream: Partial<Stream> = {}, options: Partial<StreamOptions> = {}): StreamTransport {
  const made = new StreamTransport({
    stream: { ...base, ...stream },
    plan: () => ({ instruments: symbols.map((symbol) => instrument('v', symbol)), now: asMs(time.now) }),
    address: async () => ({ ok: true, value: `${server.url}/stream` }),
    sink: {
      frame: (payload) => {
        frames.push(payload);
        return Array.isArray(payload);
      },
      lost: (topics, _connection, reason) => lost.push(`${topics.join(',')}: ${reason}`),
    },
    clock: time.clock,
    timer: time.timer,
    random: () => 1,
    logger: silentLogger,
    report: (reason) => reports.push(reason),
    dialGapMs: 0,
    ...options,
  });
  transport = made;
  made.refresh();
  return made;
}

/** Moves time in small steps while the sockets do their part, until the condition holds. */
async function until(condition: () => void, stepMs = 0): Promise<void> {
  await vi.waitFor(async () => {
    await time.advance(stepMs);
    condition();
  }, WAIT);
}

const peerAt = async (index: number): Promise<Peer> => {
  await until(() => expect(server.peers.length).toBeGreaterThan(index));
  const peer = server.peers[index];
  if (peer === undefined) throw new Error('no such peer');
  return peer;
};

beforeEach(async () => {
  time = new ManualTime();
  symbols = ['A', 'B', 'C'];
  frames.length = 0;
  lost.length = 0;
  reports.length = 0;
  server = await serveWs();
});

afterEach(async () => {
  transport?.close();
  await server.close();
  expect(time.pending).toBe(0);
});

describe('StreamTransport subscribes', () => {
  it('at connect, in frames and connections within the bounds of the venue', async () => {
    symbols = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const stream = open({ topicsPerConnection: 3, topicsPerFrame: 2, maxConnections: 2 });
    await until(() => expect(server.peers.flatMap(subscribed)).toHaveLength(6), 1);
    expect(server.peers.map(subscribed).sort()).toEqual([
      ['A', 'B', 'C'],
      ['D', 'E', 'F'],
    ]);
    expect(server.peers[0]?.received).toHaveLength(2);
    expect(server.peers[0]?.path).toBe('/stream');
    expect(stream.stats()).toMatchObject({ connections: 2, topics: 6, topicsLeftOut: 2, open: 2, sent: 4 });
  });

  it('not faster than the venue takes frames', async () => {
    open({ topicsPerFrame: 1, framesPerSecond: 2 });
    const peer = await peerAt(0);
    await until(() => expect(subscribed(peer)).toEqual(['A']));
    await time.advance(499);
    await settled();
    expect(time.nextAt).toBe(time.now + 1);
    await time.advance(1);
    await until(() => expect(subscribed(peer)).toEqual(['A', 'B']));
    await time.advance(500);
    await until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C']));
  });

  it('to what is listed later, and ends what is delisted', async () => {
    const unsubscribe = (topics: readonly string[]) => [JSON.stringify({ op: 'unsub', args: topics })];
    const stream = open({ unsubscribe });
    const peer = await peerAt(0);
    await until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C']));
    symbols = ['B', 'C', 'D'];
    stream.refresh();
    await until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C', 'D']), 1);
    expect(peer.received).toContain('{"op":"unsub","args":["A"]}');
    expect(stream.stats().topics).toBe(3);
  });

  it('by opening a connection more when there is no room, and closing one with nothing left', async () => {
    const stream = open({ topicsPerConnection: 2 });
    await until(() => expect(server.peers).toHaveLength(2));
    await until(() => expect(server.peers.flatMap(subscribed).sort()).toEqual(['A', 'B', 'C']));
    symbols = ['A', 'B'];
    stream.refresh();
    expect(stream.stats()).toMatchObject({ connections: 1, topics: 2 });
    symbols = [];
    stream.refresh();
    expect(stream.stats()).toMatchObject({ connections: 0, topics: 0 });
    expect(lost).toEqual([]);
  });

  it('anew to topics whose continuity broke', async () => {
    const stream = open();
    const peer = await peerAt(0);
    await until(() => expect(subscribed(peer)).toHaveLength(3));
    stream.renew(['B', 'X']);
    await until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C', 'B']), 1);
  });
});

describe('StreamTransport reads', () => {
  const row = [{ symbol: 'A', mark: '1' }];

  it.each([
    ['none', JSON.stringify(row)],
    ['none', Buffer.from(JSON.stringify(row))],
    ['gzip', gzipSync(JSON.stringify(row))],
    ['gzip', Buffer.from(JSON.stringify(row))],
    ['deflate', deflateSync(JSON.stringify(row))],
    ['deflate', deflateRawSync(JSON.stringify(row))],
  ] as const)('frames with compression %s', async (compression, data) => {
    const stream = open({ compression });
    (await peerAt(0)).socket.send(data);
    await until(() => expect(frames).toEqual([row]));
    expect(stream.stats()).toMatchObject({ frames: 1, dataFrames: 1, bytes: data.length, unreadable: 0 });
    expect(reports).toEqual([undefined]);
  });

  it('nothing from frames that cannot be unpacked, bombs included, and goes on', async () => {
    const stream = open({ compression: 'gzip' }, { maxPayloadBytes: 10_000 });
    const peer = await peerAt(0);
    peer.socket.send(gzipSync(Buffer.alloc(1_000_000, '0')));
    peer.socket.send(Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    peer.socket.send('x'.repeat(100));
    peer.socket.send(gzipSync(JSON.stringify(row)));
    await until(() => expect(frames).toEqual([row]));
    expect(stream.stats()).toMatchObject({ frames: 4, unreadable: 3, connects: 1 });
  });

  it('no frame over the cap: the connection ends and another is made', async () => {
    const stream = open({}, { maxPayloadBytes: 1000, firstBackoffMs: 10 });
    (await peerAt(0)).socket.send('x'.repeat(2000));
    await until(() => expect(server.peers).toHaveLength(2), 10);
    expect(Object.keys(stream.stats().reconnects)).toEqual(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH']);
  });

  it("pings carried in frames by the venue's answer, ahead of waiting subscriptions", async () => {
    const pong = (frame: unknown): string | undefined => {
      if (frame === 'Ping') return 'Pong';
      return isWire(frame) && typeof frame.ping === 'number' ? `{"pong":${frame.ping}}` : undefined;
    };
    open({ pong, framesPerSecond: 0.001, topicsPerFrame: 1 });
    const peer = await peerAt(0);
    await until(() => expect(peer.received).toHaveLength(1));
    peer.send({ ping: 7 });
    peer.socket.send('Ping');
    await until(() => expect(peer.received.slice(1)).toEqual(['{"pong":7}', 'Pong']));
    expect(frames).toEqual([]);
  });

  it('on when the sink or the adapter fails', async () => {
    const broken = vi.fn(() => {
      throw new Error('sink');
    });
    const stream = open({}, { sink: { frame: broken } });
    (await peerAt(0)).send(row);
    await until(() => expect(broken).toHaveBeenCalled());
    expect(stream.stats()).toMatchObject({ faults: 1, open: 1, dataFrames: 0 });
  });
});

describe('StreamTransport stays connected', () => {
  it('with keep-alive frames', async () => {
    open({ keepAlive: { everyMs: 20_000, frame: (now) => JSON.stringify({ op: 'ping', now }) } });
    const peer = await peerAt(0);
    await until(() => expect(subscribed(peer)).toHaveLength(3));
    await time.advance(20_000);
    await until(() => expect(peer.received.at(-1)).toBe(JSON.stringify({ op: 'ping', now: time.now })));
  });

  it('and reconnects after a drop with a growing backoff, subscribing again', async () => {
    const stream = open({}, { firstBackoffMs: 1000, longestBackoffMs: 3000 });
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const peer = await peerAt(i);
      await until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C']));
      peer.socket.terminate();
      await until(() => expect(stream.stats().open).toBe(0));
      waits.push((time.nextAt ?? 0) - time.now);
      await time.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([1000, 2000, 3000, 3000]);
    await peerAt(4);
    await until(() =>
      expect(stream.stats()).toMatchObject({ connects: 5, reconnects: { 'closed 1006': 4 } }),
    );
    expect(lost).toEqual(Array(4).fill('A,B,C: closed 1006'));
  });

  it('and begins the backoff anew once a connection has carried data for a while', async () => {
    const stream = open({}, { firstBackoffMs: 1000 });
    const drop = async (index: number, afterMs: number): Promise<number> => {
      const peer = await peerAt(index);
      peer.send([{ symbol: 'A' }]);
      await until(() => expect(stream.stats().dataFrames).toBe(index + 1));
      await time.advance(afterMs);
      peer.socket.terminate();
      await until(() => expect(stream.stats().open).toBe(0));
      const wait = (time.nextAt ?? 0) - time.now;
      await time.advance(wait);
      return wait;
    };
    expect([await drop(0, 0), await drop(1, 0), await drop(2, 10_000)]).toEqual([1000, 2000, 1000]);
  });

  it('by data, not by pings or acknowledgements: a silent connection is replaced', async () => {
    const stream = open({ silenceMs: 5000, pong: (frame) => (frame === 'ping' ? 'pong' : undefined) });
    const peer = await peerAt(0);
    peer.send([{ symbol: 'A' }]);
    await until(() => expect(frames).toHaveLength(1));
    await time.advance(4000);
    peer.send({ ok: true });
    peer.socket.send('ping');
    await until(() => expect(stream.stats().frames).toBe(3));
    await time.advance(999);
    expect(stream.stats().open).toBe(1);
    const closed = once(peer.socket, 'close');
    await time.advance(1);
    await closed;
    expect(stream.stats().reconnects).toEqual({ silence: 1 });
    expect(reports).toEqual([undefined, 'silence']);
    await time.advance(500);
    await peerAt(1);
  });

  it('and keeps its distance between dials', async () => {
    open({ topicsPerConnection: 1 }, { dialGapMs: 400 });
    await peerAt(0);
    await time.advance(399);
    expect(server.peers).toHaveLength(1);
    await time.advance(1);
    await peerAt(1);
    await time.advance(400);
    await peerAt(2);
  });

  it('when nobody listens, or the upgrade is refused: tries again and says why', async () => {
    await server.close();
    let welcome = false;
    const stream = open({}, { firstBackoffMs: 10 });
    await until(() => expect(stream.stats().reconnects).toEqual({ ECONNREFUSED: 1 }));
    const port = Number(new URL(server.url).port);
    server = await serveWs(
      () => {},
      () => welcome,
      port,
    );
    await until(() => expect(stream.stats().reconnects['HTTP 401']).toBeGreaterThan(0), 1000);
    welcome = true;
    await until(() => expect(stream.stats().open).toBe(1), 5000);
    expect(reports.slice(0, 2)).toEqual(['ECONNREFUSED', 'HTTP 401']);
  });

  it('asking for an address anew each time, and surviving a failed handshake', async () => {
    let n = 0;
    const address = async () => {
      n++;
      if (n === 1) return failed('timeout', 'late');
      if (n === 2) throw new Error('broken');
      if (n === 3) return { ok: true, value: 'not an address' } as const;
      return { ok: true, value: `${server.url}/token-${n}` } as const;
    };
    const stream = open({}, { address, firstBackoffMs: 10 });
    await until(() => expect(server.peers).toHaveLength(1), 100);
    const peer = await peerAt(0);
    expect(peer.path).toBe('/token-4');
    expect(stream.stats().reconnects).toEqual({
      'handshake timeout': 1,
      'handshake refused': 1,
      'bad address': 1,
    });
  });

  it('until it is closed: nothing is dialled or sent after that', async () => {
    const stream = open({ silenceMs: 1000 });
    const peer = await peerAt(0);
    const closed = once(peer.socket, 'close');
    stream.close();
    await closed;
    stream.refresh();
    expect(time.pending).toBe(0);
    expect(server.peers).toHaveLength(1);
    expect(lost).toEqual([]);
  });
});
