import { readFile } from 'node:fs/promises';
import { reasonOf } from '../../runtime/reason-of.ts';
import { readBlock, summaryOf } from './block.ts';
import { type Codec, codecOf } from './codec.ts';
import type { BlockSummary, WireRecord } from './record.ts';
import type { SegmentFooter, SegmentHeader } from './segment-format.ts';
import { type PackedBlock, SegmentWalk } from './segment-walk.ts';

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

/** Reads a segment from its first byte to its last: hashes, checksums, and every record. */
export async function readSegment(path: string): Promise<SegmentReading> {
  const file = await readFile(path);
  const walk = new SegmentWalk(file);
  const blocks: PlacedBlock[] = [];
  const ended = (fault: string | undefined): SegmentReading => {
    const { header, footer, hash, end } = walk;
    return { header, blocks, footer, hash, end, tornBytes: file.length - end, fault };
  };
  if (walk.header === undefined) return ended(walk.fault);
  const codec = codecIn(walk.header);
  if (typeof codec === 'string') return { ...ended(codec), tornBytes: 0 };
  for (const block of walk.blocks()) {
    const records = await unpackBlock(codec, block);
    if (typeof records === 'string') return ended(records);
    blocks.push({ offset: block.offset, summary: summaryOf(records) });
  }
  return ended(walk.fault);
}

/** The codec of a segment; a text where this Node.js has it not. */
export const codecIn = ({ codec }: SegmentHeader): Codec | string =>
  codecOf(codec) ?? `it is packed by ${codec}, which this Node.js has not: 22.15 and newer have`;

/** The records of a block, in the order in which they came; a text says why it cannot be read. */
export async function unpackBlock(
  codec: Codec,
  { offset, packed, rawLength }: PackedBlock,
): Promise<readonly WireRecord[] | string> {
  try {
    return readBlock(await codec.unpack(packed, rawLength));
  } catch (cause) {
    return `the block at ${offset}: ${reasonOf(cause)}`;
  }
}
