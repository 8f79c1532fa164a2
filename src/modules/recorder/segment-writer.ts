import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { Codec } from './codec.ts';
import { FooterTally } from './footer-tally.ts';
import type { BlockSummary } from './record.ts';
import { indexed, type RecordingFolder, segmentFile } from './recording-folder.ts';
import { FORMAT, type SegmentFooter, writeBlock, writeFooter, writeHeader } from './segment-format.ts';

export interface WriterOptions {
  readonly folder: RecordingFolder;
  readonly codec: Codec;
  readonly clock: Clock;
  /** A segment of this size is closed. */
  readonly segmentBytes: number;
  /** Room on the disk that is left to others, bytes. */
  readonly leaveBytes: number;
  readonly selection: string;
  readonly version: string;
}

interface OpenSegment {
  readonly sequence: number;
  readonly file: FileHandle;
  readonly tally: FooterTally;
  hash: Buffer;
  end: number;
}

/** The disk has no room beyond what is left to others. */
export class DiskFull extends Error {
  readonly code = 'ENOSPC';
}

/**
 * Writes blocks into segments, one call after another. Where one fails, the file ends with the last whole part, and the next
 * call goes on behind it.
 */
export class SegmentWriter {
  readonly #options: WriterOptions;
  #open: OpenSegment | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Bytes of the segment that is open. */
  get openBytes(): number {
    return this.#open?.end ?? 0;
  }

  /**
   * @param written called when the block is in the file; a segment that cannot be closed after that is open on
   * @throws Error where it cannot be written; then nothing of it is in the file
   */
  async write(raw: Buffer, summary: BlockSummary, written: () => void): Promise<number> {
    const { codec, segmentBytes } = this.#options;
    const packed = await codec.pack(raw);
    await this.checkRoom(packed.length);
    const segment = this.#open ?? (await this.#begin());
    this.#open = segment;
    const { records } = summary;
    const block = writeBlock(packed, { rawLength: raw.length, records, previous: segment.hash });
    const offset = segment.end;
    await this.#append(segment, block.bytes);
    segment.hash = block.hash;
    segment.tally.add({ offset, summary });
    written();
    if (segment.end >= segmentBytes) await this.close('size');
    return block.bytes.length;
  }

  /** Closes the segment that is open, if one is, and adds it to the index. */
  async close(reason: SegmentFooter['reason']): Promise<void> {
    const segment = this.#open;
    if (segment === undefined) return;
    const footer = segment.tally.footer(reason);
    const written = writeFooter(footer, segment.hash);
    await this.#append(segment, written.bytes);
    this.#open = undefined;
    await segment.file.close();
    const { sequence, end } = segment;
    await this.#options.folder.add(indexed(sequence, { bytes: end, hash: written.hash, footer }));
  }

  /** Leaves the open segment as it is, for the next start to close. */
  async leave(): Promise<void> {
    await this.#open?.file.close();
    this.#open = undefined;
  }

  /** @throws DiskFull where the disk has less room than is left to others and this */
  async checkRoom(bytes: number): Promise<void> {
    const { folder, leaveBytes } = this.#options;
    const { bavail, bsize } = await statfs(folder.path);
    if (bavail * bsize < leaveBytes + bytes) throw new DiskFull('the disk is full');
  }

  async #begin(): Promise<OpenSegment> {
    const { folder, codec, clock, selection, version } = this.#options;
    const last = folder.segments.at(-1);
    const sequence = (last?.sequence ?? 0) + 1;
    const path = join(folder.path, segmentFile(sequence));
    const header = writeHeader({
      format: FORMAT,
      codec: codec.name,
      sequence,
      previous: last?.hash ?? null,
      selection,
      version,
      startedAt: new Date(clock.now()).toISOString(),
    });
    const file = await open(path, 'wx', 0o600);
    const segment = { sequence, file, tally: new FooterTally(), hash: header.hash, end: 0 };
    try {
      await this.#append(segment, header.bytes);
    } catch (cause) {
      await file.close();
      await rm(path, { force: true });
      throw cause;
    }
    return segment;
  }

  async #append(segment: OpenSegment, bytes: Buffer): Promise<void> {
    const { file, end } = segment;
    try {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, end + at);
        at += bytesWritten;
      }
      await file.datasync();
    } catch (cause) {
      // A part of it in the file would end the chain.
      await file.truncate(end);
      throw cause;
    }
    segment.end = end + bytes.length;
  }
}
