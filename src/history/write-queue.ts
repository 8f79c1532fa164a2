import { randomBytes } from 'node:crypto';
import type { CollectLogger } from '../collect/logger.ts';
import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import { type Batch, joined } from './batch.ts';
import type { HistoryStore, StoreFault, StoreFaultKind } from './store.ts';
import { type Outcome, writeParts } from './write-parts.ts';

export type WriteMode =
  /** Offered rows are on the disk within a moment. */
  | 'writing'
  /** The store answers late or not at all; what is offered waits in memory. */
  | 'lagging'
  /** The disk is full, or no more can wait: from there on what is offered is refused until the store takes rows again. */
  | 'read_only';

/** The state of writing. */
export interface WriteState {
  readonly mode: WriteMode;
  /** The reason for which it is not writing. */
  readonly reason: string | undefined;
  readonly queuedRows: number;
  readonly writtenRows: number;
  /** Rows that came while no more could wait, and come no more, since start. */
  readonly lostRows: number;
  /** Rows that the engine will not take as they are, since start. */
  readonly refusedRows: number;
}

/** A span of time of which samples are missing. */
export interface LostSpan {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly rows: number;
  readonly reason: string;
}

export interface WriteQueueOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: CollectLogger;
  /** Rows that may wait in memory. */
  readonly maxRows: number;
  /** Called after rows are safe on the disk. */
  readonly onWritten?: (batch: Batch) => void;
  /** Called with samples that are missing, once the store takes rows again. */
  readonly onLost?: (lost: LostSpan) => void;
}

/** Rows of one statement, when several batches have been waiting: joining them takes the event loop 1 ms a thousand. */
const MAX_STATEMENT_ROWS = 20_000;
/** Notes that may wait beyond the limit. */
const MAX_NOTES = 5000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;
/** A batch that waits longer than this makes the store late. */
const LATE_MS = 2000;

const WHY: Readonly<Record<StoreFaultKind, string>> = {
  unavailable: 'the store cannot be reached',
  no_space: 'the store has no room',
  busy: 'the store is overloaded',
  refused: 'the store refuses what is written',
};

/** Called once with how a batch ended: on the disk, in part at least, or refused. Not where it was not taken, or the queue is closed before. */
export type OnEnd = (isWritten: boolean) => void;

interface Waiting {
  readonly batch: Batch;
  readonly since: UnixMs;
  readonly onEnd: OnEnd | undefined;
}

/** Batches that are written as one. */
interface Statement {
  readonly batch: Batch;
  readonly parts: ReadonlySet<Batch>;
}

/**
 * Takes rows without ever making the caller wait, and writes them in the order they came. Rows are out of here only
 * when they are safe on the disk.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Waiting[] = [];
  readonly #stop = new AbortController();
  #queuedRows = 0;
  #writtenRows = 0;
  #lostRows = 0;
  #refusedRows = 0;
  #fault: StoreFault | undefined;
  #lost: LostSpan | undefined;
  /** Of the lease under which statements are written, where there is one. */
  #epoch: number | undefined;
  /** Servers of the leases that have lost what they decided last can give two processes one epoch. */
  readonly #process = randomBytes(4).toString('hex');
  /** Statements since start. */
  #statements = 0;
  #running: Promise<void> | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** From now on statements are written under this epoch of a lease, or none. */
  begin(epoch: number | undefined): void {
    this.#epoch = epoch;
  }

  /** Queues rows. False: there is no room. */
  offer(batch: Batch, onEnd?: OnEnd): boolean {
    const rows = batch.lines.length;
    if (rows === 0) return true;
    if (!this.#takes(batch)) {
      if (batch.whenFull !== undefined) this.#lose(batch);
      return false;
    }
    this.#waiting.push({ batch, since: this.#options.clock.now(), onEnd });
    this.#queuedRows += rows;
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
    return true;
  }

  /** True if so many rows would be taken now. */
  hasRoomFor(rows: number): boolean {
    return !this.#stop.signal.aborted && this.#queuedRows + rows <= this.#options.maxRows;
  }

  #takes({ whenFull, lines }: Batch): boolean {
    // A smaller sample in the span of those that were lost would be within a gap.
    if (whenFull === 'gap' && this.#lost !== undefined) return false;
    return this.hasRoomFor(lines.length - (whenFull === 'wait' ? MAX_NOTES : 0));
  }

  /** Time of the oldest row that waits to be written to a table. */
  oldestOf(table: string): UnixMs | undefined {
    let oldest: UnixMs | undefined;
    for (const { batch } of this.#waiting) {
      if (batch.table === table && (oldest === undefined || batch.from < oldest)) oldest = batch.from;
    }
    return oldest;
  }

  /** Since when the oldest rows of a table wait; undefined = none do. They wait in the order in which they came. */
  waitingSince(table: string): UnixMs | undefined {
    return this.#waiting.find(({ batch }) => batch.table === table)?.since;
  }

  state(): WriteState {
    const head = this.#waiting[0];
    const late = head !== undefined && this.#options.clock.now() - head.since > LATE_MS;
    const mode = this.#mode(late);
    return {
      mode,
      reason: mode === 'writing' ? undefined : this.#reason(late),
      queuedRows: this.#queuedRows,
      writtenRows: this.#writtenRows,
      lostRows: this.#lostRows,
      refusedRows: this.#refusedRows,
    };
  }

  #mode(late: boolean): WriteMode {
    if (this.#lost !== undefined || this.#fault?.kind === 'no_space') return 'read_only';
    return this.#fault !== undefined || late ? 'lagging' : 'writing';
  }

  /** In words that may be published: what the store said itself is in the log. */
  #reason(late: boolean): string {
    if (this.#fault !== undefined) return WHY[this.#fault.kind];
    return late ? 'the store answers late' : 'more rows came than can wait';
  }

  /** Resolves when nothing waits any more. Never, while the store takes no rows. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /**
   * Refuses further rows and writes what waits, as long as the store takes it.
   *
   * @returns rows that could not be written
   */
  async close(): Promise<number> {
    this.#stop.abort();
    await this.settled();
    return this.#queuedRows;
  }

  #lose(batch: Batch): void {
    this.#lostRows += batch.lines.length;
    if (batch.whenFull !== 'gap') {
      this.#options.logger.warn({ table: batch.table }, 'history lost notes: no more rows can wait');
      return;
    }
    const reason = this.#fault?.kind ?? (this.#stop.signal.aborted ? 'stopping' : 'queue_full');
    const lost = this.#lost ?? { from: batch.from, to: batch.to, rows: 0, reason };
    this.#lost = {
      from: asMs(Math.min(lost.from, batch.from)),
      to: asMs(Math.max(lost.to, batch.to)),
      rows: lost.rows + batch.lines.length,
      // The queue may be full before a slow store has said why it takes nothing.
      reason: this.#fault?.kind ?? lost.reason,
    };
    if (lost.rows === 0) this.#options.logger.warn({ reason }, 'history is read-only: no more rows can wait');
  }

  async #drain(): Promise<void> {
    for (let next = this.#statement(); next !== undefined; next = this.#statement()) {
      const outcome = await writeParts(next.batch, (part) => this.#persist({ ...part, ...this.#name() }));
      if (outcome === 'stopped') return;
      this.#done(next, outcome);
    }
  }

  /** Tries the same rows until they are written or refused: sent twice, an identical block is stored once. */
  async #persist(batch: Batch): Promise<'written' | 'stopped' | StoreFault> {
    const { logger, timer } = this.#options;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      const fault = await this.#write(batch);
      if (fault === undefined) return 'written';
      if (fault.kind === 'refused') return fault;
      if (this.#fault === undefined) {
        logger.warn({ reason: fault.message }, 'history cannot be written; rows wait in memory');
      }
      this.#fault = fault;
      if (this.#stop.signal.aborted) return 'stopped';
      await sleep(timer, pause, this.#stop.signal);
    }
  }

  /** No two statements of any two holders have the same name. */
  #name(): Pick<Batch, 'token'> {
    if (this.#epoch === undefined) return {};
    this.#statements += 1;
    return { token: `${this.#epoch}-${this.#process}-${this.#statements}` };
  }

  /** The next rows to write: the oldest, and with them what else waits for the same table. */
  #statement(): Statement | undefined {
    const head = this.#waiting[0]?.batch;
    if (head === undefined) return undefined;
    const parts: Batch[] = [];
    let rows = 0;
    for (const { batch } of this.#waiting) {
      if (batch.table !== head.table || (batch.assets === undefined) !== (head.assets === undefined))
        continue;
      if (parts.length > 0 && rows + batch.lines.length > MAX_STATEMENT_ROWS) break;
      parts.push(batch);
      rows += batch.lines.length;
    }
    return { batch: parts.length === 1 ? head : joined(head, parts), parts: new Set(parts) };
  }

  async #write(batch: Batch): Promise<StoreFault | undefined> {
    const result = await this.#options.store.insert(batch);
    return result.ok ? undefined : result.fault;
  }

  #done({ batch, parts }: Statement, { written, refusedLines, refused }: Outcome): void {
    const { logger, onWritten, onLost } = this.#options;
    const rows = batch.lines.length;
    const ended = this.#waiting.filter((waiting) => parts.has(waiting.batch));
    this.#waiting = this.#waiting.filter((waiting) => !parts.has(waiting.batch));
    this.#queuedRows -= rows;
    this.#writtenRows += written;
    this.#refusedRows += rows - written;
    for (const { batch: part, onEnd } of ended) {
      const isWritten = part.lines.some((line) => !refusedLines.has(line));
      onEnd?.(isWritten);
      if (!isWritten && part.whenFull === 'gap') {
        onLost?.({ from: part.from, to: part.to, rows: part.lines.length, reason: 'refused' });
      }
    }
    if (refused !== undefined) {
      logger.warn({ reason: refused.message, rows: rows - written }, 'history refused rows');
    }
    if (written > 0) {
      if (this.#fault !== undefined) logger.info({}, 'history is written again');
      this.#fault = undefined;
      onWritten?.(batch);
    }
    const lost = this.#lost;
    if (lost === undefined || this.#stop.signal.aborted) return;
    this.#lost = undefined;
    onLost?.(lost);
  }
}
