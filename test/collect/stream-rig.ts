import { afterEach, beforeEach, expect } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { type StreamOptions, StreamTransport } from '../../src/collect/stream.ts';
import { isWire } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import type { Stream } from '../../src/venues/adapter.ts';
import { until } from '../until.ts';
import { ManualTime } from './manual-time.ts';
import { instrument, tinyCall } from './tiny-venue.ts';
import { type Peer, serveWs, type WsLoopback } from './ws-loopback.ts';

/** Topics that a client has subscribed to, in order. */
export const subscribed = (peer: Peer | undefined): string[] =>
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

/** A stream on time of its own, before a loopback server. */
export class StreamRig {
  readonly time = new ManualTime();
  readonly frames: unknown[] = [];
  readonly lost: string[] = [];
  /** Connections that were ended, by number. */
  readonly ended: number[] = [];
  readonly reports: (string | undefined)[] = [];
  server: WsLoopback;
  /** The contracts that are live. */
  symbols = ['A', 'B', 'C'];
  #transport: StreamTransport | undefined;

  constructor(server: WsLoopback) {
    this.server = server;
  }

  open(stream: Partial<Stream> = {}, options: Partial<StreamOptions> = {}): StreamTransport {
    const made = new StreamTransport({
      stream: { ...base, ...stream },
      plan: () => ({
        instruments: this.symbols.map((symbol) => instrument('v', symbol)),
        now: asMs(this.time.now),
      }),
      bases: { ws: this.server.url },
      sink: {
        frame: (payload) => {
          this.frames.push(payload);
          return Array.isArray(payload);
        },
        lost: (topics, _connection, reason) => this.lost.push(`${topics.join(',')}: ${reason}`),
        ended: (connection) => this.ended.push(connection),
      },
      clock: this.time.clock,
      timer: this.time.timer,
      random: () => 1,
      logger: silentLogger,
      report: (reason) => this.reports.push(reason),
      dialGapMs: 0,
      ...options,
    });
    this.#transport = made;
    made.refresh();
    return made;
  }

  /** Moves time in small steps while the sockets do their part, until the condition holds. */
  async until(condition: () => void, stepMs = 0): Promise<void> {
    await until(async () => {
      await this.time.advance(stepMs);
      condition();
    });
  }

  /** The client that connected as the n-th, once it has. */
  async peerAt(index: number): Promise<Peer> {
    await this.until(() => expect(this.server.peers.length).toBeGreaterThan(index));
    const peer = this.server.peers[index];
    if (peer === undefined) throw new Error('no such peer');
    return peer;
  }

  async close(): Promise<void> {
    this.#transport?.close();
    await this.server.close();
  }
}

/** A fresh rig for every test; after each, no timer waits. */
export function eachWithStream(use: (rig: StreamRig) => void): void {
  let rig: StreamRig;
  beforeEach(async () => {
    rig = new StreamRig(await serveWs());
    use(rig);
  });
  afterEach(async () => {
    await rig.close();
    expect(rig.time.pending).toBe(0);
  });
}
