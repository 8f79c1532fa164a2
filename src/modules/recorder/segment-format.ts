import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { CodecName } from './codec.ts';
import type { Gap } from './record.ts';

/** Version of the form of segments. */
export const FORMAT = 1;

const HEADER_MAGIC = Buffer.from('PMREC1\r\n');
const BLOCK_MAGIC = 0x4b4c4250;
const FOOTER_MAGIC = 0x52544650;
const END_MAGIC = Buffer.from('PMREND1\n');
const HASH_BYTES = 32;
/** Magic, packed length, raw length, records, CRC-32 of what is packed; the hash follows. */
const BLOCK_FIELDS = 20;
/** Bytes of a block before what is packed. */
export const BLOCK_HEAD = BLOCK_FIELDS + HASH_BYTES;
const FOOTER_FIELDS = 8;
/** The footer's whole length, and the magic of the end. */
const FOOTER_TAIL = 4 + END_MAGIC.length;
/** A longer header or footer is none. */
const LONGEST_JSON = 64 * 1024 * 1024;
/** A longer block is none. */
export const LONGEST_BLOCK = 256 * 1024 * 1024;

export interface SegmentHeader {
  readonly format: number;
  readonly codec: CodecName;
  readonly sequence: number;
  /** Hash of the footer of the segment before; null for the first of a folder. */
  readonly previous: string | null;
  /** Venues and kinds that are recorded, as the operator named them. */
  readonly selection: string;
  readonly version: string;
  readonly startedAt: string;
}

/** A block in the index: its place, its time and its venues by their place in `venues`. */
export type IndexedBlock = readonly [offset: number, from: number, to: number, venues: readonly number[]];

export interface SegmentFooter {
  /** The reason for which it was closed. `recovered`: the recorder ended before it could close it. */
  readonly reason: 'size' | 'age' | 'clock' | 'stop' | 'recovered';
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly rawBytes: number;
  readonly disconnects: number;
  readonly gaps: readonly Gap[];
  /** Bytes of a torn tail that were cut off. */
  readonly cutBytes: number;
  readonly venues: readonly (readonly [venue: string, records: number])[];
  readonly blocks: readonly IndexedBlock[];
}

const hashOf = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Bytes of a part of a segment, and the hash that the next part continues. */
export interface Chained {
  readonly bytes: Buffer;
  readonly hash: Buffer;
}

export function writeHeader(header: SegmentHeader): Chained {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const hash = hashOf(HEADER_MAGIC, length, json);
  return { bytes: Buffer.concat([HEADER_MAGIC, length, json, hash]), hash };
}

export function writeBlock(
  packed: Buffer,
  { rawLength, records, previous }: { rawLength: number; records: number; previous: Buffer },
): Chained {
  const fields = Buffer.alloc(BLOCK_FIELDS);
  [BLOCK_MAGIC, packed.length, rawLength, records, crc32(packed)].forEach((value, i) => {
    fields.writeUInt32LE(value, 4 * i);
  });
  const hash = hashOf(previous, fields, packed);
  return { bytes: Buffer.concat([fields, hash, packed]), hash };
}

export function writeFooter(footer: SegmentFooter, previous: Buffer): Chained {
  const json = Buffer.from(JSON.stringify(footer));
  const fields = Buffer.alloc(FOOTER_FIELDS);
  fields.writeUInt32LE(FOOTER_MAGIC, 0);
  fields.writeUInt32LE(json.length, 4);
  const hash = hashOf(previous, fields, json);
  const whole = Buffer.alloc(4);
  whole.writeUInt32LE(FOOTER_FIELDS + json.length + HASH_BYTES + FOOTER_TAIL);
  return { bytes: Buffer.concat([fields, json, hash, whole, END_MAGIC]), hash };
}

/** A part that was read, and the place behind it. */
interface ReadPart {
  readonly hash: Buffer;
  readonly end: number;
}

/** A text says what is wrong; undefined: the bytes end before it does. */
type Read<Part> = (Part & ReadPart) | string | undefined;

export function readHeader(file: Buffer): Read<{ readonly header: SegmentHeader }> {
  const jsonAt = HEADER_MAGIC.length + 4;
  if (file.length < jsonAt) return undefined;
  if (!file.subarray(0, HEADER_MAGIC.length).equals(HEADER_MAGIC)) return 'it is no segment';
  const jsonEnd = jsonAt + file.readUInt32LE(HEADER_MAGIC.length);
  if (jsonEnd - jsonAt > LONGEST_JSON) return 'its header is too long';
  const end = jsonEnd + HASH_BYTES;
  if (file.length < end) return undefined;
  const hash = file.subarray(jsonEnd, end);
  if (!hashOf(file.subarray(0, jsonEnd)).equals(hash)) return 'its header is damaged';
  const header = JSON.parse(file.toString('utf8', jsonAt, jsonEnd)) as SegmentHeader;
  if (header.format !== FORMAT) return `its format is ${header.format}, and this program reads ${FORMAT}`;
  return { header, hash, end };
}

/** @param previous hash of the part before */
export function readPackedBlock(
  file: Buffer,
  at: number,
  previous: Buffer,
): Read<{ readonly packed: Buffer; readonly rawLength: number; readonly records: number }> {
  if (file.length < at + BLOCK_HEAD) return undefined;
  const fields = file.subarray(at, at + BLOCK_FIELDS);
  const length = fields.readUInt32LE(4);
  const rawLength = fields.readUInt32LE(8);
  if (fields.readUInt32LE(0) !== BLOCK_MAGIC || length > LONGEST_BLOCK || rawLength > LONGEST_BLOCK)
    return `no block begins at ${at}`;
  const end = at + BLOCK_HEAD + length;
  if (file.length < end) return undefined;
  const packed = file.subarray(at + BLOCK_HEAD, end);
  if (crc32(packed) !== fields.readUInt32LE(16)) return `the block at ${at} is damaged (CRC)`;
  const hash = file.subarray(at + BLOCK_FIELDS, at + BLOCK_HEAD);
  if (!hashOf(previous, fields, packed).equals(hash)) return `the block at ${at} is out of the chain`;
  return { packed, rawLength, records: fields.readUInt32LE(12), hash, end };
}

/** True if a footer begins there. */
export const isFooterAt = (file: Buffer, at: number): boolean =>
  file.length >= at + 4 && file.readUInt32LE(at) === FOOTER_MAGIC;

export function readFooter(
  file: Buffer,
  at: number,
  previous: Buffer,
): Read<{ readonly footer: SegmentFooter }> {
  if (file.length < at + FOOTER_FIELDS) return undefined;
  const jsonAt = at + FOOTER_FIELDS;
  const jsonEnd = jsonAt + file.readUInt32LE(at + 4);
  if (jsonEnd - jsonAt > LONGEST_JSON) return 'its footer is too long';
  const end = jsonEnd + HASH_BYTES + FOOTER_TAIL;
  if (file.length < end) return undefined;
  const hash = file.subarray(jsonEnd, jsonEnd + HASH_BYTES);
  const expected = hashOf(previous, file.subarray(at, jsonEnd));
  const tail = jsonEnd + HASH_BYTES;
  const isWhole =
    expected.equals(hash) &&
    file.readUInt32LE(tail) === end - at &&
    file.subarray(tail + 4, end).equals(END_MAGIC);
  if (!isWhole) return 'its footer is damaged';
  if (file.length > end) return `${file.length - end} bytes follow its footer`;
  return { footer: JSON.parse(file.toString('utf8', jsonAt, jsonEnd)) as SegmentFooter, hash, end };
}
