import type { CollectLogger } from '../../collect/logger.ts';
import type { WireAnswer, WireLine, WireTap } from '../../collect/wire.ts';
import type { Clock } from '../../domain/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { BlockBuilder } from './block.ts';
import { ClockWatch } from './clock-watch.ts';
import { OpenGap } from './open-gap.ts';
import { type BlockSummary, type Gap, OWN_LINE, type RecordType } from './record.ts';
import type { Redaction } from './redaction.ts';
import type { SegmentFooter } from './segment-format.ts';
import { DiskFull, type SegmentWriter } from './segment-writer.ts';
import type { Selection } from './selection.ts';

/** A block is written each second, and sooner where it is as large as this. */
const BLOCK_BYTES = 4 * 1024 * 1024;
const MOST_PENDING = 64 * 1024 * 1024;
const RETRY_MS = 5 * SECOND_MS;
const OVERLOAD = 'overload';
const NOTHING = Buffer.alloc(0);

export interface RecorderOptions {
  readonly writer: SegmentWriter;
  readonly selection: Selection;
  readonly redaction: Redaction;
  readonly clock: Clock;
  /** Monotonic time, ms. */
  readonly mono: () => number;
  readonly logger: CollectLogger;
  /** Frees room; called when a segment was closed, and before recording resumes. */
  readonly retain: () => Promise<unknown>;
  /** Bytes that may wait to be written, default 64 MiB: more than that is an overload, and a gap. */
  readonly mostPendingBytes?: number;
}

export interface RecorderCounts {
  readonly messages: number;
  readonly rawBytes: number;
  readonly storedBytes: number;
  readonly dropped: number;
  readonly gaps: Readonly<Record<string, number>>;
}

/** Takes what comes from the wire into blocks, and has them written in the background. Collecting never waits for it. */
export class Recorder implements WireTap {
  readonly #options: RecorderOptions;
  readonly #block = new BlockBuilder();
  readonly #watch = new ClockWatch();
  readonly #counts = { messages: 0, rawBytes: 0, storedBytes: 0, dropped: 0 };
  readonly #gaps: Record<string, number> = {};
  #gap: OpenGap | undefined;
  #writing: Promise<void> = Promise.resolve();
  #resuming: Promise<void> | undefined;
  #pending = 0;
  #retryAt = 0;
  #segmentSince: number;
  #ticker: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#segmentSince = options.mono();
  }

  get counts(): RecorderCounts {
    return { ...this.#counts, gaps: { ...this.#gaps } };
  }

  /** The reason for which nothing is recorded at present. */
  get pausedBy(): string | undefined {
    return this.#gap?.reason;
  }

  /** Begins; the time since the last record of an earlier run is a gap. */
  start(earlier: Gap | undefined): void {
    if (earlier !== undefined) this.#tellGap(earlier);
    this.#ticker = setInterval(() => void this.tick(), SECOND_MS);
    this.#ticker.unref();
  }

  /** Writes what there is, the gap of a pause too, and closes the segment. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    this.#flush();
    await this.#writing;
    if (this.#gap !== undefined) await this.#resume();
    this.#flush();
    await this.#writing;
    const { writer, logger } = this.#options;
    try {
      await writer.close('stop');
    } catch (cause) {
      logger.warn({ reason: reasonOf(cause) }, 'the last segment is closed at the next start');
      await writer.leave();
    }
  }

  opened(line: WireLine, connection: number): void {
    this.#take('opened', line, connection, NOTHING);
    this.#options.redaction.opened(line, connection);
  }

  frame(line: WireLine, connection: number, bytes: Buffer, isBinary: boolean): void {
    if (!this.#options.selection.has(line)) return;
    const { payload, masked } = this.#options.redaction.frame(line, connection, bytes);
    this.#append(isBinary ? 'binary' : 'text', line, { connection, payload, masked });
  }

  closed(line: WireLine, connection: number, reason: string): void {
    this.#take('disconnect', line, connection, Buffer.from(reason));
  }

  answer(answer: WireAnswer): void {
    if (!this.#options.selection.has(answer.line)) return;
    const { payload, masked } = this.#options.redaction.answer(answer);
    this.#append('answer', answer.line, { connection: 0, payload, masked });
  }

  /** Writes what has come, and looks whether a pause may end. Called each second. */
  async tick(): Promise<void> {
    const { mono } = this.#options;
    if (this.#gap !== undefined && this.#pending === 0 && mono() >= this.#retryAt) await this.#resume();
    const isOld = mono() - this.#segmentSince >= HOUR_MS;
    this.#flush(isOld ? 'age' : undefined);
    await this.#writing;
  }

  #take(type: RecordType, line: WireLine, connection: number, payload: Buffer): void {
    if (this.#options.selection.has(line)) this.#append(type, line, { connection, payload, masked: false });
  }

  #append(
    type: RecordType,
    line: WireLine,
    { connection, payload, masked }: { connection: number; payload: Buffer; masked: boolean },
  ): void {
    if (this.#gap !== undefined) {
      this.#gap.drop(payload.length);
      this.#counts.dropped += 1;
      return;
    }
    const { clock, mono } = this.#options;
    const times = { wall: clock.now(), mono: mono() };
    this.#followClock(times);
    this.#block.add({ type, line, connection, payload, masked, ...times });
    this.#counts.messages += 1;
    this.#counts.rawBytes += payload.length;
    if (this.#block.bytes >= BLOCK_BYTES) this.#flush();
  }

  /** A step of the clock ends the segment: within one, wall clock and monotonic time agree. */
  #followClock(times: { readonly wall: number; readonly mono: number }): void {
    const stepMs = this.#watch.look(times.wall, times.mono);
    if (stepMs === undefined) return;
    this.#flush('clock');
    const payload = Buffer.from(JSON.stringify({ stepMs }));
    this.#block.add({ type: 'clock', line: OWN_LINE, connection: 0, payload, masked: false, ...times });
    this.#options.logger.warn({ stepMs }, 'the clock was set: a new segment is recorded');
  }

  #tellGap(gap: Gap): void {
    const { clock, mono } = this.#options;
    const payload = Buffer.from(JSON.stringify(gap));
    const times = { wall: clock.now(), mono: mono() };
    this.#followClock(times);
    this.#block.add({ type: 'gap', line: OWN_LINE, connection: 0, payload, masked: false, ...times }, gap);
    this.#gaps[gap.reason] = (this.#gaps[gap.reason] ?? 0) + 1;
  }

  /** Hands the block on to be written, behind those before it. */
  #flush(closeAs?: SegmentFooter['reason']): void {
    if (closeAs !== undefined) this.#segmentSince = this.#options.mono();
    if (this.#block.isEmpty && closeAs === undefined) return;
    const sealed = this.#block.isEmpty ? undefined : this.#block.seal();
    const size = sealed?.raw.length ?? 0;
    this.#pending += size;
    if (this.#pending > (this.#options.mostPendingBytes ?? MOST_PENDING)) this.#pause(OVERLOAD);
    this.#writing = this.#writing.then(async () => {
      await this.#write(sealed, closeAs);
      this.#pending -= size;
    });
  }

  async #write(
    sealed: { readonly raw: Buffer; readonly summary: BlockSummary } | undefined,
    closeAs: SegmentFooter['reason'] | undefined,
  ): Promise<void> {
    const { writer, retain } = this.#options;
    let unwritten = sealed?.summary;
    try {
      if (this.#gap !== undefined && this.#gap.reason !== OVERLOAD) throw new DiskFull(this.#gap.reason);
      const before = writer.openBytes;
      if (sealed !== undefined)
        this.#counts.storedBytes += await writer.write(sealed.raw, sealed.summary, () => {
          unwritten = undefined;
        });
      if (closeAs !== undefined) await writer.close(closeAs);
      if (writer.openBytes < before) await retain();
    } catch (cause) {
      const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
      this.#pause(isFull ? 'disk full' : 'write failed');
      if (unwritten !== undefined) this.#gap?.lose(unwritten);
      this.#counts.dropped += unwritten?.records ?? 0;
    }
  }

  #pause(reason: string): void {
    const { clock, mono, logger } = this.#options;
    this.#retryAt = mono() + RETRY_MS;
    if (this.#gap !== undefined) return;
    this.#gap = new OpenGap(reason, clock.now());
    logger.warn({ reason }, 'recording pauses');
  }

  /** Tells the gap of a pause, where there is room again. */
  #resume(): Promise<void> {
    this.#resuming ??= this.#tryToResume().finally(() => {
      this.#resuming = undefined;
    });
    return this.#resuming;
  }

  async #tryToResume(): Promise<void> {
    const { writer, retain, clock, mono, logger } = this.#options;
    try {
      await retain();
      await writer.checkRoom(BLOCK_BYTES);
    } catch {
      this.#retryAt = mono() + RETRY_MS;
      return;
    }
    const gap = this.#gap?.end(clock.now());
    this.#gap = undefined;
    if (gap !== undefined) this.#tellGap(gap);
    logger.info({ reason: gap?.reason, dropped: gap?.records }, 'recording goes on');
  }
}
