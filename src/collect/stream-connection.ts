import WebSocket from 'ws';
import { NamedTimers } from '../runtime/timer.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { dialSocket, nameError } from './dial-socket.ts';
import { FramePacer } from './frame-pacer.ts';
import { binaryFrame, type Frame, frameBytes, parseFrame } from './frame-reader.ts';
import { ReadAge } from './read-age.ts';

/** A connection that carried data for this long ends a row of failures. */
const SETTLED_MS = 10_000;
/** Longest backoff before a connection that worked is made again for a fresh start. */
const RENEWAL_BACKOFF_MS = 500;
/** Frames that may wait to be sent: for each topic, and besides. */
const WAITING_PER_TOPIC = 4;
const WAITING_BESIDES = 100;
/** Time between two pings that show how far behind a connection is read. */
const PROBE_MS = 10_000;
/** Payload by which their pongs differ from those of pings that keep a connection alive. */
const PROBE = Buffer.from('age');

/** One WebSocket connection with its topics; reconnects until closed. */
export class StreamConnection {
  readonly #options: ConnectionOptions;
  readonly #topics = new Set<string>();
  readonly #pacer: FramePacer;
  /** Topics whose subscription waits for its turn. */
  readonly #queued = new Set<string>();
  #socket: WebSocket | undefined;
  #isOpen = false;
  #closed = false;
  #failures = 0;
  #frameId = 0;
  #openedAt = 0;
  #dataAt = 0;
  #hasData = false;
  readonly #readAge = new ReadAge();
  readonly #timers: NamedTimers<'dial' | 'silence' | 'keepAlive' | 'probe'>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { stream, clock, timer } = options;
    this.#timers = new NamedTimers(timer);
    this.#pacer = new FramePacer(stream.framesPerSecond, clock, timer, (frame) => this.#transmit(frame));
  }

  get topics(): ReadonlySet<string> {
    return this.#topics;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Follows these topics too, from now or from the next connection. */
  follow(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.add(topic);
    if (this.#isOpen) this.#subscribe(topics);
  }

  /** Ends these topics where the venue has a frame for it; else they end with the connection. */
  drop(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.delete(topic);
    const { unsubscribe } = this.#options.stream;
    if (this.#isOpen && unsubscribe !== undefined) this.#inFrames(topics, unsubscribe);
  }

  /**
   * Subscribes again, to be sent a fresh snapshot after a break in a book. A subscription that still waits for its
   * turn does for that: more of them would fill the queue faster than it empties.
   */
  renew(broken: readonly string[]): void {
    const topics = broken.filter((topic) => !this.#queued.has(topic));
    if (!this.#isOpen || topics.length === 0) return;
    const { unsubscribe } = this.#options.stream;
    if (unsubscribe !== undefined) this.#inFrames(topics, unsubscribe);
    // Where too many frames wait, the next connection subscribes to all topics.
    if (this.#isOpen) this.#subscribe(topics);
  }

  /** Begins to connect. */
  open(): void {
    this.#timers.set('dial', this.#options.dialDelay(), () => this.#dial());
  }

  /** Ends the present connection and makes another. */
  restart(): void {
    if (this.#isOpen) this.#retry('renewed', RENEWAL_BACKOFF_MS);
  }

  /** Ends for good, at once. */
  close(): void {
    this.#closed = true;
    this.#teardown('ended');
  }

  #dial(): void {
    const { bases, maxPayloadBytes: maxPayload, stream } = this.#options;
    const socket = dialSocket(`${bases[stream.base]}${stream.path}`, stream, maxPayload);
    if (socket === undefined) {
      this.#retry('bad address');
      return;
    }
    this.#socket = socket;
    let reason = 'closed';
    socket.on('open', () => this.#opened());
    socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    socket.on('pong', (data) => {
      if (data.equals(PROBE)) this.#readAge.answered();
    });
    socket.on('error', (error) => {
      reason = nameError(error);
    });
    socket.on('close', (code) => {
      if (socket === this.#socket) this.#retry(reason === 'closed' ? `closed ${code}` : reason);
    });
  }

  #opened(): void {
    const { clock, stream, stats, line, id } = this.#options;
    stats.connects++;
    this.#isOpen = true;
    this.#guard(() => line?.opened(id));
    this.#hasData = false;
    this.#openedAt = clock.now();
    this.#dataAt = this.#openedAt;
    this.#subscribe([...this.#topics]);
    this.#watchSilence(stream.silenceMs);
    this.#keepAlive();
    this.#probe();
  }

  #received(data: WebSocket.RawData, isBinary: boolean): void {
    const { stats, stream, maxPayloadBytes } = this.#options;
    if (!Buffer.isBuffer(data)) return;
    stats.frames++;
    stats.bytes += data.length;
    const { binary } = stream;
    if (isBinary && binary !== undefined) {
      this.#hear(data, true);
      this.#guard(() => this.#take(binaryFrame(binary(data))));
      return;
    }
    const bytes = frameBytes(data, isBinary, stream.compression, maxPayloadBytes);
    this.#hear(bytes ?? data, bytes === undefined);
    if (bytes === undefined) this.#refuse('frame cannot be unpacked within its bound');
    else this.#guard(() => this.#read(bytes));
  }

  #hear(bytes: Buffer, isBinary: boolean): void {
    const { line, id } = this.#options;
    if (line !== undefined) this.#guard(() => line.frame(id, bytes, isBinary));
  }

  #read(bytes: Buffer): void {
    const { clock, sink, id } = this.#options;
    const now = clock.now();
    if (sink.bytes?.(bytes, this.#readAge.timestampAt(now), id)) this.#noteData(now);
    else this.#take(parseFrame(bytes));
  }

  #take(frame: Frame): void {
    const { stream, clock, sink, id } = this.#options;
    if (frame.kind === 'unreadable') {
      this.#refuse(frame.reason);
      return;
    }
    const pong = stream.pong?.(frame.kind === 'json' ? frame.payload : frame.text);
    if (pong !== undefined) {
      this.#pacer.urgent(pong);
      return;
    }
    if (frame.kind === 'text') return;
    const now = clock.now();
    if (sink.frame(frame.payload, this.#readAge.timestampAt(now), id)) this.#noteData(now);
  }

  /** Told as a failed call is, until the next data. */
  #refuse(reason: string): void {
    this.#options.stats.unreadable++;
    this.#hasData = false;
    this.#options.report(reason);
  }

  #noteData(now: number): void {
    const { stats, report } = this.#options;
    stats.dataFrames++;
    stats.lastDataAt = now;
    this.#dataAt = now;
    if (!this.#hasData) report(undefined);
    this.#hasData = true;
  }

  /** An exception in a socket's event would end the process; a fault in an adapter or sink must not. */
  #guard(run: () => void): void {
    try {
      run();
    } catch {
      this.#options.stats.faults++;
    }
  }

  /** A subscription counts from when it is sent: it may wait for long. */
  #subscribe(topics: readonly string[]): void {
    for (const topic of topics) this.#queued.add(topic);
    const { sink, id, stream } = this.#options;
    this.#inFrames(topics, stream.subscribe, (sent) => {
      for (const topic of sent) this.#queued.delete(topic);
      this.#guard(() => sink.subscribed?.(sent, id));
    });
  }

  #inFrames(
    topics: readonly string[],
    make: (topics: readonly string[], id: number) => readonly string[],
    sent?: (topics: readonly string[]) => void,
  ): void {
    const size = Math.max(1, this.#options.stream.topicsPerFrame);
    for (let i = 0; i < topics.length; i += size) {
      const part = topics.slice(i, i + size);
      this.#guard(() => this.#pacer.push(make(part, ++this.#frameId), () => sent?.(part)));
    }
    // Topics that come and go faster than their frames may be sent: a new connection has its present ones alone
    // to ask for.
    if (this.#pacer.size > WAITING_PER_TOPIC * this.#topics.size + WAITING_BESIDES)
      this.#retry('frames wait', RENEWAL_BACKOFF_MS);
  }

  #transmit(frame: string): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#options.stats.sent++;
    this.#socket.send(frame);
  }

  /** Data, not pings, proves that a stream is alive. */
  #watchSilence(waitMs: number): void {
    this.#timers.set('silence', waitMs, () => {
      const { clock, stream } = this.#options;
      // Without the sign: a clock that was set back must not hide silence.
      const left = stream.silenceMs - Math.abs(clock.now() - this.#dataAt);
      if (left > 0) this.#watchSilence(left);
      else this.#retry('silence');
    });
  }

  #keepAlive(): void {
    const { stream, clock } = this.#options;
    const { keepAlive } = stream;
    if (keepAlive === undefined) return;
    this.#timers.set('keepAlive', keepAlive.everyMs, () => {
      const { frame } = keepAlive;
      if (frame === undefined) this.#socket?.ping();
      else this.#guard(() => this.#pacer.urgent(frame(clock.now())));
      this.#keepAlive();
    });
  }

  /** Data waiting in a connection that is read too far behind is dropped with it. */
  #probe(): void {
    const now = this.#options.clock.now();
    if (this.#readAge.isBehind(now)) {
      this.#retry('behind');
      return;
    }
    if (this.#readAge.ask(now)) this.#socket?.ping(PROBE);
    this.#timers.set('probe', PROBE_MS, () => this.#probe());
  }

  /** Ends the present connection and dials again after a backoff with jitter. */
  #retry(reason: string, longestMs = this.#options.longestBackoffMs): void {
    const { clock, stats, sink, id, report, random, firstBackoffMs } = this.#options;
    const wasOpen = this.#isOpen;
    const settled = wasOpen && this.#hasData && clock.now() - this.#openedAt >= SETTLED_MS;
    this.#teardown(reason);
    if (this.#closed) return;
    stats.reconnects[reason] = (stats.reconnects[reason] ?? 0) + 1;
    this.#failures = settled ? 1 : this.#failures + 1;
    report(reason);
    if (wasOpen) sink.lost?.([...this.#topics], id, reason);
    const ceiling = Math.min(longestMs, firstBackoffMs * 2 ** Math.min(this.#failures - 1, 20));
    // Half of the backoff is certain, so that a host is never hammered; the other half is jitter.
    this.#timers.set('dial', (ceiling * (1 + random())) / 2, () => this.open());
  }

  #teardown(reason: string): void {
    const { line, id } = this.#options;
    if (this.#isOpen) this.#guard(() => line?.closed(id, reason));
    this.#timers.clear();
    this.#pacer.clear();
    this.#queued.clear();
    this.#readAge.reset();
    this.#isOpen = false;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.removeAllListeners('message');
    socket?.terminate();
  }
}
