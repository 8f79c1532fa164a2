import type { Clock } from '../domain/clock.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { monotonicFrom } from '../runtime/monotonic.ts';
import type { Timer } from '../runtime/timer.ts';
import type { PlanContext, Stream } from '../venues/adapter.ts';
import { frameBound } from '../venues/answer-bound.ts';
import type { FrameSink, StreamStats } from './frame-sink.ts';
import type { CollectLogger } from './logger.ts';
import { StreamConnection } from './stream-connection.ts';
import type { TappedLine } from './wire.ts';

export interface StreamReport extends StreamStats {
  readonly connections: number;
  readonly open: number;
  readonly topics: number;
  /** Topics wanted that no connection has room for. */
  readonly topicsLeftOut: number;
}

export interface StreamOptions {
  readonly stream: Stream;
  readonly plan: () => PlanContext;
  /** Addresses in force; the stream names its own. */
  readonly bases: Readonly<Record<string, string>>;
  readonly sink: FrameSink;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly logger: CollectLogger;
  /** A connection failed or sent what is refused (`reason`), or carries data again (undefined). */
  readonly report: (reason: string | undefined) => void;
  /** Default 500 ms, doubling up to `longestBackoffMs` (60 s). */
  readonly firstBackoffMs?: number;
  readonly longestBackoffMs?: number;
  /** Default: four times what the stream declares, also after unpacking. */
  readonly maxPayloadBytes?: number;
  /** Least time between two dials of this stream; default 350 ms. */
  readonly dialGapMs?: number;
  /** Hears frames before they are decoded. */
  readonly line?: TappedLine | undefined;
}

/** The WebSocket transport of one stream: its topics on as few connections as the venue's bounds allow. */
export class StreamTransport {
  readonly #options: StreamOptions;
  readonly #connections = new Map<number, StreamConnection>();
  readonly #stats: StreamStats = {
    connects: 0,
    reconnects: {},
    frames: 0,
    dataFrames: 0,
    lastDataAt: undefined,
    unreadable: 0,
    faults: 0,
    bytes: 0,
    sent: 0,
  };
  readonly #elapsed: () => number;
  #leftOut = 0;
  #nextId = 0;
  #nextDialAt = 0;
  #closed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#elapsed = monotonicFrom(options.clock);
  }

  /** Brings the subscriptions in line with the plan: at start and whenever the contracts change. */
  refresh(): void {
    if (this.#closed) return;
    const { stream, plan, logger, sink } = this.#options;
    const wanted = [...new Set(stream.topics(plan()))];
    const room = stream.topicsPerConnection * stream.maxConnections;
    const leftOut = Math.max(0, wanted.length - room);
    if (leftOut > this.#leftOut)
      logger.warn({ stream: stream.name, leftOut }, 'more topics than connections hold');
    this.#leftOut = leftOut;
    const kept = new Set(wanted.slice(0, room));
    const followed = new Set<string>();
    for (const [id, connection] of this.#connections) {
      const gone = [...connection.topics].filter((topic) => !kept.has(topic));
      if (gone.length > 0) connection.drop(gone);
      for (const topic of connection.topics) followed.add(topic);
      if (connection.topics.size > 0) continue;
      this.#end(id, connection);
      sink.ended?.(id);
    }
    this.#place([...kept].filter((topic) => !followed.has(topic)));
  }

  /** Subscribes again to topics whose continuity is broken. */
  renew(topics: readonly string[]): void {
    for (const connection of this.#connections.values()) {
      const here = topics.filter((topic) => connection.topics.has(topic));
      if (here.length > 0) connection.renew(here);
    }
  }

  /** Connects again where these topics are followed: for venues that send snapshots to new connections only. */
  reconnect(topics: readonly string[]): void {
    for (const connection of this.#connections.values()) {
      if (topics.some((topic) => connection.topics.has(topic))) connection.restart();
    }
  }

  /** Ends all connections for good. */
  close(): void {
    this.#closed = true;
    for (const [id, connection] of this.#connections) this.#end(id, connection);
  }

  stats(): StreamReport {
    const connections = [...this.#connections.values()];
    return {
      ...this.#stats,
      reconnects: { ...this.#stats.reconnects },
      connections: connections.length,
      open: connections.filter((connection) => connection.isOpen).length,
      topics: connections.reduce((sum, connection) => sum + connection.topics.size, 0),
      topicsLeftOut: this.#leftOut,
    };
  }

  #place(topics: readonly string[]): void {
    const { topicsPerConnection } = this.#options.stream;
    let rest = topics;
    for (const connection of this.#connections.values()) {
      const free = topicsPerConnection - connection.topics.size;
      if (free <= 0 || rest.length === 0) continue;
      connection.follow(rest.slice(0, free));
      rest = rest.slice(free);
    }
    while (rest.length > 0) {
      const connection = this.#add();
      connection.follow(rest.slice(0, topicsPerConnection));
      connection.open();
      rest = rest.slice(topicsPerConnection);
    }
  }

  #add(): StreamConnection {
    const {
      firstBackoffMs = 500,
      longestBackoffMs = MINUTE_MS,
      maxPayloadBytes = frameBound(this.#options.stream),
    } = this.#options;
    const { stream, bases, sink, clock, timer, random, report, line } = this.#options;
    const id = this.#nextId++;
    const connection = new StreamConnection({
      stream,
      bases,
      sink,
      clock,
      timer,
      random,
      report,
      line,
      id,
      firstBackoffMs,
      longestBackoffMs,
      maxPayloadBytes,
      stats: this.#stats,
      dialDelay: () => this.#reserveDial(),
    });
    this.#connections.set(id, connection);
    return connection;
  }

  #reserveDial(): number {
    const now = this.#elapsed();
    const at = Math.max(now, this.#nextDialAt);
    this.#nextDialAt = at + (this.#options.dialGapMs ?? 350);
    return at - now;
  }

  #end(id: number, connection: StreamConnection): void {
    connection.close();
    this.#connections.delete(id);
  }
}
