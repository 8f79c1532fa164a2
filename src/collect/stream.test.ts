import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../../test/collect/manual-time.ts';
import { eachWithStream, type StreamRig, subscribed } from '../../test/collect/stream-rig.ts';
import { isWire } from '../domain/read.ts';
import { FRAMES_A_TURN } from './dial-socket.ts';

/** A burst of two megabytes, which a socket is read for in one turn unless something stops it. */
const FRAMES = 500;
const FRAME_BYTES = 4096;
/** Node.js reads this much of a socket at once. */
const CHUNK_BYTES = 65_536;

let rig: StreamRig;
eachWithStream((made) => {
  rig = made;
});

describe('StreamTransport during a burst', () => {
  it('a large backlog: read in pieces, with requests answered in between', async () => {
    let turn = 0;
    const turns = new Map<number, number>();
    const order: unknown[] = [];
    const frame = (payload: unknown): boolean => {
      turns.set(turn, (turns.get(turn) ?? 0) + 1);
      order.push(isWire(payload) ? payload.n : undefined);
      return true;
    };
    rig.open({}, { sink: { frame } });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toHaveLength(3));
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const filler = 'x'.repeat(FRAME_BYTES);
    for (let n = 0; n < FRAMES; n++) peer.socket.send(`{"n":${n},"filler":"${filler}"}`);
    await rig
      .until(() => expect(order).toHaveLength(FRAMES))
      .finally(() => {
        isOver = true;
      });
    expect(order).toEqual(Array.from({ length: FRAMES }, (_, n) => n));
    expect(Math.max(...turns.values())).toBeLessThanOrEqual(FRAMES_A_TURN + CHUNK_BYTES / FRAME_BYTES + 1);
  });
});

describe('StreamTransport subscribes', () => {
  it('at connect: within the limits of topics per frame and connection', async () => {
    rig.symbols = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const stream = rig.open({ topicsPerConnection: 3, topicsPerFrame: 2, maxConnections: 2 });
    await rig.until(() => expect(rig.server.peers.flatMap(subscribed)).toHaveLength(6), 1);
    expect(rig.server.peers.map(subscribed).sort()).toEqual([
      ['A', 'B', 'C'],
      ['D', 'E', 'F'],
    ]);
    expect(rig.server.peers[0]?.received).toHaveLength(2);
    expect(rig.server.peers[0]?.path).toBe('/stream');
    expect(rig.server.peers[0]?.userAgent).toBe('perpmeter');
    expect(stream.stats()).toMatchObject({ connections: 2, topics: 6, topicsLeftOut: 2, open: 2, sent: 4 });
  });

  it('not faster than the venue takes frames', async () => {
    rig.open({ topicsPerFrame: 1, framesPerSecond: 2 });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A']));
    await rig.time.advance(499);
    await settled();
    expect(rig.time.nextAt).toBe(rig.time.now + 1);
    await rig.time.advance(1);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B']));
    await rig.time.advance(500);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C']));
  });

  it('to what is listed later, and ends what is delisted', async () => {
    const unsubscribe = (topics: readonly string[]) => [JSON.stringify({ op: 'unsub', args: topics })];
    const stream = rig.open({ unsubscribe });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C']));
    rig.symbols = ['B', 'C', 'D'];
    stream.refresh();
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C', 'D']), 1);
    expect(peer.received).toContain('{"op":"unsub","args":["A"]}');
    expect(stream.stats().topics).toBe(3);
  });

  it('no capacity: over another connection; one without topics closes', async () => {
    const stream = rig.open({ topicsPerConnection: 2 });
    await rig.until(() => expect(rig.server.peers).toHaveLength(2));
    await rig.until(() => expect(rig.server.peers.flatMap(subscribed).sort()).toEqual(['A', 'B', 'C']));
    rig.symbols = ['A', 'B'];
    stream.refresh();
    expect(stream.stats()).toMatchObject({ connections: 1, topics: 2 });
    expect(rig.ended).toEqual([1]);
    rig.symbols = [];
    stream.refresh();
    expect(stream.stats()).toMatchObject({ connections: 0, topics: 0 });
    expect(rig.ended).toEqual([1, 0]);
    expect(rig.lost).toEqual([]);
  });

  it('topics that change faster than frames may be sent: a new connection', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `T${i}`);
    const unsubscribe = (topics: readonly string[]) => [JSON.stringify({ op: 'unsub', args: topics })];
    rig.symbols = many;
    const stream = rig.open({ unsubscribe, topicsPerFrame: 1, framesPerSecond: 1 });
    await rig.peerAt(0);
    await rig.until(() => expect(stream.stats().sent).toBe(1));
    for (const symbols of [['T0'], many, ['T0']]) {
      rig.symbols = symbols;
      stream.refresh();
    }
    expect(stream.stats().reconnects).toEqual({ 'frames wait': 1 });
    await rig.until(() => expect(rig.server.peers).toHaveLength(2), 100);
    const next = await rig.peerAt(1);
    await rig.until(() => expect(subscribed(next)).toEqual(['T0']), 100);
    expect(stream.stats()).toMatchObject({ topics: 1, open: 1 });
  });

  it('a gap amid too many frames: mended once, by the new connection', async () => {
    const unsubscribe = (topics: readonly string[]) => [JSON.stringify({ op: 'unsub', args: topics })];
    rig.symbols = Array.from({ length: 53 }, (_, i) => `T${i}`);
    const stream = rig.open({ unsubscribe, topicsPerFrame: 1, framesPerSecond: 0.2 });
    await rig.peerAt(0);
    await rig.until(() => expect(stream.stats().sent).toBe(1));
    rig.symbols = ['T0'];
    stream.refresh();
    stream.renew(['T0']);
    expect(stream.stats().reconnects).toEqual({ 'frames wait': 1 });
    await rig.until(() => expect(rig.server.peers).toHaveLength(2), 100);
    const next = await rig.peerAt(1);
    for (let i = 0; i < 4; i++) {
      await rig.time.advance(5000);
      await settled();
    }
    expect(subscribed(next)).toEqual(['T0']);
  });

  it('again to topics with a sequence gap', async () => {
    const stream = rig.open();
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toHaveLength(3));
    stream.renew(['B', 'X']);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C', 'B']), 1);
  });

  it('again, but not while the first subscription is still queued', async () => {
    const stream = rig.open({ topicsPerFrame: 1, framesPerSecond: 2 });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A']));
    for (let i = 0; i < 5; i++) stream.renew(['A', 'B', 'C']);
    for (let i = 0; i < 8; i++) {
      await rig.time.advance(500);
      await settled();
    }
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C', 'A']));
  });
});

describe('StreamTransport reads', () => {
  const row = [{ symbol: 'A', mark: '1' }];

  it.each([
    ['none', JSON.stringify(row)],
    ['none', Buffer.from(JSON.stringify(row))],
    ['gzip', gzipSync(JSON.stringify(row))],
    ['gzip', Buffer.from(JSON.stringify(row))],
  ] as const)('frames with compression %s', async (compression, data) => {
    const stream = rig.open({ compression });
    (await rig.peerAt(0)).socket.send(data);
    await rig.until(() => expect(rig.frames).toEqual([row]));
    expect(stream.stats()).toMatchObject({ frames: 1, dataFrames: 1, bytes: data.length, unreadable: 0 });
    expect(rig.reports).toEqual([undefined]);
  });

  it.each([
    ['permessage-deflate', 'permessage-deflate'],
    ['none', ''],
  ] as const)('with compression %s frames that the protocol packs by "%s"', async (compression, agreed) => {
    rig.open({ compression });
    const peer = await rig.peerAt(0);
    expect(peer.socket.extensions).toBe(agreed);
    peer.send(row);
    await rig.until(() => expect(rig.frames).toEqual([row]));
  });

  it('binary messages: in the form of the venue, unknown ones counted', async () => {
    const binary = (message: Uint8Array) => (message[0] === 7 ? [{ symbol: 'A', mark: '7' }] : undefined);
    const stream = rig.open({ binary });
    const peer = await rig.peerAt(0);
    peer.socket.send(Buffer.from([7, 1]));
    peer.socket.send(Buffer.from([8, 1]));
    peer.send(row);
    await rig.until(() => expect(rig.frames).toEqual([[{ symbol: 'A', mark: '7' }], row]));
    expect(stream.stats()).toMatchObject({ frames: 3, dataFrames: 2, unreadable: 1 });
  });

  it('no frame above the size limit after decompression by the protocol', async () => {
    const limits = { maxPayloadBytes: 10_000, firstBackoffMs: 10 };
    const stream = rig.open({ compression: 'permessage-deflate' }, limits);
    (await rig.peerAt(0)).socket.send('0'.repeat(1_000_000));
    await rig.until(() => expect(rig.server.peers).toHaveLength(2), 10);
    expect(rig.frames).toEqual([]);
    expect(Object.keys(stream.stats().reconnects)).toEqual(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH']);
  });

  it('frames that cannot be decompressed: nothing, and it continues', async () => {
    const stream = rig.open({ compression: 'gzip' }, { maxPayloadBytes: 10_000 });
    const peer = await rig.peerAt(0);
    peer.socket.send(gzipSync(Buffer.alloc(1_000_000, '0')));
    peer.socket.send(Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    peer.socket.send('x'.repeat(100));
    peer.socket.send(gzipSync(JSON.stringify(row)));
    await rig.until(() => expect(rig.frames).toEqual([row]));
    expect(stream.stats()).toMatchObject({ frames: 4, unreadable: 3, connects: 1 });
    expect(rig.reports[0]).toBe('frame cannot be unpacked within its bound');
  });

  it('brackets without end: refused with a reason until data comes again', async () => {
    const stream = rig.open();
    const peer = await rig.peerAt(0);
    peer.send(row);
    peer.socket.send('['.repeat(500_000));
    await rig.until(() => expect(rig.reports).toEqual([undefined, 'frame is nested deeper than 32']));
    expect(stream.stats()).toMatchObject({ frames: 2, unreadable: 1, open: 1 });
    peer.send(row);
    await rig.until(() => expect(rig.reports).toHaveLength(3));
    expect(rig.reports[2]).toBeUndefined();
  });

  it('a frame above the size limit: closes it and opens another', async () => {
    const stream = rig.open({}, { maxPayloadBytes: 1000, firstBackoffMs: 10 });
    (await rig.peerAt(0)).socket.send('x'.repeat(2000));
    await rig.until(() => expect(rig.server.peers).toHaveLength(2), 10);
    expect(Object.keys(stream.stats().reconnects)).toEqual(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH']);
  });

  it('pings in frames and answers them ahead of queued subscriptions', async () => {
    const pong = (frame: unknown): string | undefined => {
      if (frame === 'Ping') return 'Pong';
      return isWire(frame) && typeof frame.ping === 'number' ? `{"pong":${frame.ping}}` : undefined;
    };
    rig.open({ pong, framesPerSecond: 0.001, topicsPerFrame: 1 });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(peer.received).toHaveLength(1));
    peer.send({ ping: 7 });
    peer.socket.send('Ping');
    await rig.until(() => expect(peer.received.slice(1)).toEqual(['{"pong":7}', 'Pong']));
    expect(rig.frames).toEqual([]);
  });

  it('on when the sink or the adapter throws', async () => {
    const broken = vi.fn(() => {
      throw new Error('sink');
    });
    const stream = rig.open({}, { sink: { frame: broken } });
    (await rig.peerAt(0)).send(row);
    await rig.until(() => expect(broken).toHaveBeenCalled());
    expect(stream.stats()).toMatchObject({ faults: 1, open: 1, dataFrames: 0 });
  });
});
