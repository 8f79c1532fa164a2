import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eachWithStream, type StreamRig, subscribed } from '../../test/collect/stream-rig.ts';
import { serveWs } from '../../test/collect/ws-loopback.ts';

let rig: StreamRig;
eachWithStream((made) => {
  rig = made;
});

describe('StreamTransport keep-alive and reconnection', () => {
  it('sends keep-alive frames', async () => {
    rig.open({ keepAlive: { everyMs: 20_000, frame: (now) => JSON.stringify({ op: 'ping', now }) } });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toHaveLength(3));
    await rig.time.advance(20_000);
    await rig.until(() =>
      expect(peer.received.at(-1)).toBe(JSON.stringify({ op: 'ping', now: rig.time.now })),
    );
  });

  it('reconnects after a drop with a growing backoff and subscribes again', async () => {
    const stream = rig.open({}, { firstBackoffMs: 1000, longestBackoffMs: 3000 });
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const peer = await rig.peerAt(i);
      await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B', 'C']));
      peer.socket.terminate();
      await rig.until(() => expect(stream.stats().open).toBe(0));
      waits.push((rig.time.nextAt ?? 0) - rig.time.now);
      await rig.time.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([1000, 2000, 3000, 3000]);
    await rig.peerAt(4);
    await rig.until(() =>
      expect(stream.stats()).toMatchObject({ connects: 5, reconnects: { 'closed 1006': 4 } }),
    );
    expect(rig.lost).toEqual(Array(4).fill('A,B,C: closed 1006'));
  });

  it('resets the backoff once a connection has carried data for a while', async () => {
    const stream = rig.open({}, { firstBackoffMs: 1000 });
    const drop = async (index: number, afterMs: number): Promise<number> => {
      const peer = await rig.peerAt(index);
      peer.send([{ symbol: 'A' }]);
      await rig.until(() => expect(stream.stats().dataFrames).toBe(index + 1));
      await rig.time.advance(afterMs);
      peer.socket.terminate();
      await rig.until(() => expect(stream.stats().open).toBe(0));
      const wait = (rig.time.nextAt ?? 0) - rig.time.now;
      await rig.time.advance(wait);
      return wait;
    };
    expect([await drop(0, 0), await drop(1, 0), await drop(2, 10_000)]).toEqual([1000, 2000, 1000]);
  });

  it('pings or acknowledgements without data: the connection is replaced', async () => {
    const stream = rig.open({ silenceMs: 5000, pong: (frame) => (frame === 'ping' ? 'pong' : undefined) });
    const peer = await rig.peerAt(0);
    peer.send([{ symbol: 'A' }]);
    await rig.until(() => expect(rig.frames).toHaveLength(1));
    await rig.time.advance(4000);
    peer.send({ ok: true });
    peer.socket.send('ping');
    await rig.until(() => expect(stream.stats().frames).toBe(3));
    await rig.time.advance(999);
    expect(stream.stats().open).toBe(1);
    const closed = once(peer.socket, 'close');
    await rig.time.advance(1);
    await closed;
    expect(stream.stats().reconnects).toEqual({ silence: 1 });
    expect(rig.reports).toEqual([undefined, 'silence']);
    await rig.time.advance(500);
    await rig.peerAt(1);
  });

  it('spaces out dials', async () => {
    rig.open({ topicsPerConnection: 1 }, { dialGapMs: 400 });
    await rig.peerAt(0);
    await rig.time.advance(399);
    expect(rig.server.peers).toHaveLength(1);
    await rig.time.advance(1);
    await rig.peerAt(1);
    await rig.time.advance(400);
    await rig.peerAt(2);
  });

  it('nobody listens, or refused: retries and reports the reason', async () => {
    await rig.server.close();
    let welcome = false;
    const stream = rig.open({}, { firstBackoffMs: 10 });
    await rig.until(() => expect(stream.stats().reconnects).toEqual({ ECONNREFUSED: 1 }));
    const port = Number(new URL(rig.server.url).port);
    rig.server = await serveWs(
      () => {},
      () => welcome,
      port,
    );
    await rig.until(() => expect(stream.stats().reconnects['HTTP 401']).toBeGreaterThan(0), 1000);
    welcome = true;
    await rig.until(() => expect(stream.stats().open).toBe(1), 5000);
    expect(rig.reports.slice(0, 2)).toEqual(['ECONNREFUSED', 'HTTP 401']);
  });

  it('a missing or invalid address: retries and reports the reason', async () => {
    const unnamed = rig.open({ base: 'nowhere' }, { firstBackoffMs: 10 });
    await rig.until(() => expect(unnamed.stats().reconnects['bad address']).toBeGreaterThan(1), 100);
    unnamed.close();
    const unread = rig.open({}, { bases: { ws: 'not an address' }, firstBackoffMs: 10 });
    await rig.until(() => expect(unread.stats().reconnects['bad address']).toBeGreaterThan(1), 100);
    expect(rig.reports.every((reason) => reason === 'bad address')).toBe(true);
  });

  it('replaces a silent connection where the clock was set back meanwhile', async () => {
    const stream = rig.open({ silenceMs: 5000 });
    const peer = await rig.peerAt(0);
    peer.send([{ symbol: 'A' }]);
    await rig.until(() => expect(rig.frames).toHaveLength(1));
    rig.time.setBack(3_600_000);
    const closed = once(peer.socket, 'close');
    await rig.time.advance(5000);
    expect(stream.stats().reconnects).toEqual({ silence: 1 });
    await closed;
    await rig.time.advance(500);
    const next = await rig.peerAt(1);
    await rig.until(() => expect(subscribed(next)).toEqual(['A', 'B', 'C']), 1);
  });

  it('a clock set back: dialling and subscribing go on', async () => {
    const limits = { topicsPerConnection: 2, topicsPerFrame: 1, framesPerSecond: 2 };
    const stream = rig.open(limits, { dialGapMs: 400 });
    const peer = await rig.peerAt(0);
    await rig.until(() => expect(subscribed(peer)).toEqual(['A']));
    rig.time.setBack(3_600_000);
    rig.symbols = ['A', 'B', 'C', 'D', 'E'];
    stream.refresh();
    await rig.time.advance(2000);
    await rig.until(() => expect(rig.server.peers).toHaveLength(3));
    await rig.until(() => expect(subscribed(peer)).toEqual(['A', 'B']));
  });

  it('dials and sends nothing after it is closed', async () => {
    const stream = rig.open({ silenceMs: 1000 });
    const peer = await rig.peerAt(0);
    const closed = once(peer.socket, 'close');
    stream.close();
    await closed;
    stream.refresh();
    expect(rig.time.pending).toBe(0);
    expect(rig.server.peers).toHaveLength(1);
    expect(rig.lost).toEqual([]);
  });
});

describe('a connection that is read late', () => {
  const row = [{ symbol: 'A', mark: '1' }];

  it('frames are dated by the last answered ping; silence reconnects', async () => {
    const times: number[] = [];
    const sink = {
      frame: (_: unknown, at: number) => times.push(at) > 0,
      lost: (_topics: readonly string[], _connection: number, reason: string) => rig.lost.push(reason),
    };
    const stream = rig.open({ silenceMs: 600_000 }, { sink });
    const start = rig.time.now;
    const peer = await rig.peerAt(0);
    await once(peer.socket, 'ping');
    peer.send(row);
    await rig.until(() => expect(times).toEqual([start]));
    // It goes on to send, and reads no more: as one whose answers stand behind much that was sent before.
    peer.socket.pause();
    await rig.time.advance(11_000);
    peer.send(row);
    await rig.until(() => expect(times.slice(1)).toEqual([start + 11_000]));
    await rig.time.advance(5000);
    peer.send(row);
    await rig.until(() => expect(times.slice(2)).toEqual([start]));
    await rig.time.advance(30_000);
    expect(rig.lost).toEqual([]);
    await rig.time.advance(4000);
    expect(rig.lost).toEqual(['behind']);
    expect(stream.stats().reconnects).toEqual({ behind: 1 });
  });
});
