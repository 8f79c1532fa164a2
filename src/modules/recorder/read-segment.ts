import { readFile } from 'node:fs/promises';
import { reasonOf } from '../../runtime/reason-of.ts';
import { readBlock, summaryOf } from './block.ts';
import { type Codec, codecOf } from './codec.ts';
import type { BlockSummary, WireRecord } from './record.ts';
import {
  isFooterAt,
  readFooter,
  readHeader,
  readPackedBlock,
  type SegmentFooter,
  type SegmentHeader,
} from './segment-format.ts';

/** A block with its place in the file. */
export interface PlacedBlock {
  readonly offset: number;
  readonly summary: BlockSummary;
}

/** All that a segment's file says of itself. */
export interface SegmentReading {
  readonly header: SegmentHeader | undefined;
  readonly blocks: readonly PlacedBlock[];
  /** Absent while it is open, or after a kill. */
  readonly footer: SegmentFooter | undefined;
  /** Hash of the last whole part, which the next part continues. */
  readonly hash: Buffer | undefined;
  /** The place behind the last whole part, and the bytes behind it. */
  readonly end: number;
  readonly tornBytes: number;
  /** The reason for which it is not read further; undefined where only its end is missing. */
  readonly fault: string | undefined;
}

type Take = (records: readonly WireRecord[]) => void;

/** Reads a segment from its first byte to its last: hashes, checksums, and every record. */
export async function readSegment(path: string, take?: Take): Promise<SegmentReading> {
  const file = await readFile(path);
  const head = readHeader(file);
  if (head === undefined || typeof head === 'string') {
    const nothing = { header: undefined, blocks: [], footer: undefined, hash: undefined };
    return { ...nothing, end: 0, tornBytes: file.length, fault: head };
  }
  const codec = codecOf(head.header.codec);
  const start = { header: head.header, hash: head.hash, end: head.end };
  if (codec !== undefined) return readParts(file, { ...start, codec, take });
  const fault = `it is packed by ${head.header.codec}, which this Node.js has not: 22.15 and newer have`;
  return { ...start, blocks: [], footer: undefined, tornBytes: 0, fault };
}

interface Start {
  readonly header: SegmentHeader;
  readonly hash: Buffer;
  readonly end: number;
  readonly codec: Codec;
  readonly take: Take | undefined;
}

async function readParts(file: Buffer, { header, codec, take, ...start }: Start): Promise<SegmentReading> {
  const blocks: PlacedBlock[] = [];
  let { hash, end } = start;
  const ended = (fault?: string, footer?: SegmentFooter): SegmentReading => ({
    header,
    blocks,
    footer,
    hash,
    end,
    tornBytes: file.length - end,
    fault,
  });
  while (end < file.length && !isFooterAt(file, end)) {
    const part = readPackedBlock(file, end, hash);
    if (part === undefined || typeof part === 'string') return ended(part);
    const records = await unpacked(codec, part.packed, part.rawLength);
    if (typeof records === 'string') return ended(`the block at ${end}: ${records}`);
    take?.(records);
    blocks.push({ offset: end, summary: summaryOf(records) });
    hash = part.hash;
    end = part.end;
  }
  if (end === file.length) return ended();
  const last = readFooter(file, end, hash);
  if (last === undefined || typeof last === 'string') return ended(last);
  hash = last.hash;
  end = last.end;
  return ended(undefined, last.footer);
}

async function unpacked(
  codec: Codec,
  packed: Buffer,
  rawLength: number,
): Promise<readonly WireRecord[] | string> {
  try {
    return readBlock(await codec.unpack(packed, rawLength));
  } catch (cause) {
    return reasonOf(cause);
  }
}
