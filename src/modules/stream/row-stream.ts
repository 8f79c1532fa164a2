import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beatOrCut, HEARTBEAT_MS, ServerSentEvents, STUCK_MS } from '../../api/http/event-sink.ts';
import type { EventStream } from '../../api/http/event-stream.ts';
import type { Failure } from '../../domain/errors.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { ChangeLog, type Resumption, type StreamRow } from './change-log.ts';

export interface RowStreamOptions {
  readonly rows: () => Iterable<StreamRow>;
  /** Changed rows that are kept for readers that come back. */
  readonly keptRows: number;
  /** Period at which rows are compared while somebody reads, ms; default 1000. */
  readonly everyMs?: number;
  /** Readers at a time; default 1000. */
  readonly maxReaders?: number;
  /** Readers of one client address; default 20. */
  readonly maxOfAddress?: number;
  /** Default 15 s. */
  readonly heartbeatMs?: number;
  /** A reader that takes nothing for so long is cut off, ms; default 60 s. */
  readonly stuckMs?: number;
}

/** Counts of a stream, since start. */
export interface StreamCounts {
  readers: number;
  opened: number;
  /** Readers that were turned away because all places were taken. */
  refused: number;
  /** Times that a slow reader got several changes as one, or all rows again. */
  conflated: number;
}

interface Reader {
  readonly sink: ServerSentEvents;
  readonly address: string;
  /** The sequence of what was written last. */
  sent: number;
}

const DEFAULTS = {
  everyMs: 1000,
  maxReaders: 1000,
  maxOfAddress: 20,
  heartbeatMs: HEARTBEAT_MS,
  stuckMs: STUCK_MS,
} as const;
/**
 * Rows are compared for this long after the last reader has gone, so that one that comes back goes on where it
 * was.
 */
const LINGER_MS = MINUTE_MS;
/** Readers that a change is written to at once, before other work of the process has its turn. */
const TURN = 100;

/**
 * Rows and their changes to many readers, as server-sent events: `snapshot`, then `change` after `change`, each
 * numbered. A reader that waits gets nothing; when it reads again, what it missed is conflated and called so.
 * Nothing waits in memory for a reader but what its connection holds.
 */
export class RowStream implements EventStream {
  readonly counts: StreamCounts = { readers: 0, opened: 0, refused: 0, conflated: 0 };
  readonly #options: Required<RowStreamOptions>;
  readonly #log: ChangeLog;
  readonly #readers = new Set<Reader>();
  readonly #addresses = new Map<string, number>();
  #timers: readonly NodeJS.Timeout[] = [];
  /** Readers that the last change has not been written to yet. */
  #unserved: Iterator<Reader> | undefined;
  #emptySince = 0;
  #closed = false;

  constructor(options: RowStreamOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#log = new ChangeLog(randomUUID().slice(0, 8), options.keptRows);
  }

  /** Takes a request as a reader; or says why it is none, and leaves the response alone. */
  open(request: IncomingMessage, response: ServerResponse, address: string): Failure | undefined {
    const refusal = this.#refusal(address);
    if (refusal !== undefined) {
      this.counts.refused += 1;
      return refusal;
    }
    if (this.#timers.length === 0) this.#start();
    const reader: Reader = { sink: new ServerSentEvents(response), address, sent: this.#log.last };
    this.#enter(reader);
    this.#begin(reader, this.#log.resume(request.headers['last-event-id']?.toString()));
    return undefined;
  }

  /** Number of the last change. */
  get sequence(): number {
    return this.#log.last;
  }

  /** Looks at the rows and tells every reader what has changed, some of them at a time. */
  tick(): void {
    if (this.#log.look(this.#options.rows()) === undefined) return;
    const isServing = this.#unserved !== undefined;
    this.#unserved = [...this.#readers].values();
    if (!isServing) this.#serve();
  }

  /** A payment must not wait until a thousand readers are written to. */
  #serve(): void {
    for (let served = 0; served < TURN; served += 1) {
      const next = this.#unserved?.next();
      if (next === undefined || next.done === true || this.#closed) {
        this.#unserved = undefined;
        return;
      }
      const reader = next.value;
      if (reader.sink.waitsSince === undefined && this.#readers.has(reader)) this.#catchUp(reader);
    }
    setImmediate(() => this.#serve());
  }

  /** Tells every reader to come back, and takes no more. */
  close(): void {
    this.#closed = true;
    this.#stop();
    for (const { sink } of this.#readers) {
      sink.send('closing', '{}');
      sink.end();
    }
  }

  #refusal(address: string): Failure | undefined {
    const { maxReaders, maxOfAddress } = this.#options;
    if (this.#closed) {
      const detail = 'The service is restarting. The stream can be opened again in a moment.';
      return { code: 'shutting_down', detail, retryAfterSeconds: 5 };
    }
    if (this.#readers.size >= maxReaders) {
      const detail = `All ${maxReaders} places of this stream are taken.`;
      return { code: 'stream_full', detail, retryAfterSeconds: 30 };
    }
    if ((this.#addresses.get(address) ?? 0) < maxOfAddress) return undefined;
    const detail = `${maxOfAddress} streams are open from this address.`;
    return { code: 'rate_limited', detail, retryAfterSeconds: 30 };
  }

  #enter(reader: Reader): void {
    const { sink, address } = reader;
    this.#readers.add(reader);
    this.#addresses.set(address, (this.#addresses.get(address) ?? 0) + 1);
    this.counts.opened += 1;
    this.counts.readers = this.#readers.size;
    sink.begin({ taken: () => this.#catchUp(reader), closed: () => this.#left(reader) });
  }

  #left(reader: Reader): void {
    const { address } = reader;
    this.#readers.delete(reader);
    const left = (this.#addresses.get(address) ?? 1) - 1;
    if (left === 0) this.#addresses.delete(address);
    else this.#addresses.set(address, left);
    this.counts.readers = this.#readers.size;
    if (this.#readers.size === 0) this.#emptySince = performance.now();
  }

  #begin(reader: Reader, resumption: Resumption): void {
    if ('snapshot' in resumption) {
      this.#write(reader, this.#log.snapshot(resumption.snapshot), this.#log.last);
      return;
    }
    // Changes beyond the reader's buffer follow when it has drained.
    for (const { frame, sequence } of resumption.changes) {
      if (reader.sink.waitsSince === undefined) this.#write(reader, frame, sequence);
    }
  }

  #write(reader: Reader, frame: Buffer, sequence: number): void {
    reader.sent = sequence;
    reader.sink.write(frame);
  }

  /** Sends the changes that a reader has missed: one as it is, several as one. */
  #catchUp(reader: Reader): void {
    const missed = this.#log.since(reader.sent);
    if (missed === undefined) {
      this.counts.conflated += 1;
      this.#write(reader, this.#log.snapshot('behind'), this.#log.last);
      return;
    }
    const [first] = missed;
    if (first === undefined) return;
    if (missed.length === 1) {
      this.#write(reader, first.frame, first.sequence);
      return;
    }
    this.counts.conflated += 1;
    this.#write(reader, this.#log.conflated(missed), this.#log.last);
  }

  #start(): void {
    this.#log.look(this.#options.rows());
    this.#emptySince = performance.now();
    const { everyMs, heartbeatMs } = this.#options;
    this.#timers = [setInterval(() => this.#turn(), everyMs), setInterval(() => this.#beat(), heartbeatMs)];
    for (const timer of this.#timers) timer.unref();
  }

  #stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #turn(): void {
    if (this.#readers.size > 0 || performance.now() - this.#emptySince < LINGER_MS) this.tick();
    else {
      this.#stop();
      this.#log.forget();
    }
  }

  #beat(): void {
    const now = performance.now();
    for (const { sink } of this.#readers) beatOrCut(sink, now, this.#options.stuckMs);
  }
}
