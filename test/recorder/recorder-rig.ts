import type { WireLine } from '../../src/collect/wire.ts';
import { asMs } from '../../src/domain/units.ts';
import { type Codec, ownCodec } from '../../src/modules/recorder/codec.ts';
import type { WireRecord } from '../../src/modules/recorder/record.ts';
import type { RecordsQuery } from '../../src/modules/recorder/record-range.ts';
import { Recorder } from '../../src/modules/recorder/recorder.ts';
import { RecordingFolder } from '../../src/modules/recorder/recording-folder.ts';
import { records } from '../../src/modules/recorder/records.ts';
import { Redaction } from '../../src/modules/recorder/redaction.ts';
import { SegmentWriter } from '../../src/modules/recorder/segment-writer.ts';
import { Selection } from '../../src/modules/recorder/selection.ts';
import { type VerifiedSegment, verifyFolder } from '../../src/modules/recorder/verify-folder.ts';

export const BOOKS: WireLine = { venue: 'binance', kind: 'books', stream: 'stream books' };
export const MARKS: WireLine = { venue: 'okx', kind: 'tickers', stream: 'marks' };

interface RigOptions {
  readonly words?: readonly string[];
  readonly own?: readonly string[];
  readonly segmentBytes?: number;
  readonly leaveBytes?: number;
  readonly codec?: Codec;
  readonly mostPendingBytes?: number;
}

/** A recorder with clocks of its own, which ticks on command. */
export class RecorderRig {
  wall = Date.UTC(2026, 10, 20);
  mono = 5;
  readonly folder: RecordingFolder;
  readonly recorder: Recorder;
  readonly warnings: string[] = [];

  private constructor(folder: RecordingFolder, options: RigOptions) {
    this.folder = folder;
    const clock = { now: () => asMs(this.wall) };
    const {
      words = ['all'],
      own = [],
      segmentBytes = 100_000_000,
      leaveBytes = 0,
      codec = ownCodec,
    } = options;
    const selection = new Selection(words);
    const version = '1';
    const writer = new SegmentWriter({
      folder,
      codec,
      clock,
      segmentBytes,
      leaveBytes,
      selection: selection.text,
      version,
    });
    const warn = (_fields: object, text: string): void => void this.warnings.push(text);
    this.recorder = new Recorder({
      writer,
      selection,
      redaction: new Redaction(own),
      clock,
      mono: () => this.mono,
      logger: { warn, info: warn },
      retain: async () => undefined,
      ...(options.mostPendingBytes !== undefined && { mostPendingBytes: options.mostPendingBytes }),
    });
  }

  static async open(path: string, options: RigOptions = {}): Promise<RecorderRig> {
    return new RecorderRig(await RecordingFolder.open(path), options);
  }

  /** Both clocks go on. */
  pass(ms: number): void {
    this.wall += ms;
    this.mono += ms;
  }

  frame(text: string, line = BOOKS): void {
    this.recorder.frame(line, 0, Buffer.from(text), false);
  }
}

/** The records of a folder that a query asks for, in order; all without one. */
export async function recordsIn(path: string, query: RecordsQuery = {}): Promise<readonly WireRecord[]> {
  const all: WireRecord[] = [];
  for await (const record of records(path, query)) all.push(record);
  return all;
}

export async function verified(path: string): Promise<readonly VerifiedSegment[]> {
  const found: VerifiedSegment[] = [];
  for await (const segment of verifyFolder(path)) found.push(segment);
  return found;
}
