import {
  isFooterAt,
  readFooter,
  readHeader,
  readPackedBlock,
  type SegmentFooter,
  type SegmentHeader,
} from './segment-format.ts';

/** A block as it lies in the file, its checksum and its place in the chain proven. */
export interface PackedBlock {
  readonly offset: number;
  readonly packed: Buffer;
  /** Bytes that come out of it. */
  readonly rawLength: number;
}

/** Goes through the parts of a segment's file, and holds each against its checksum and the chain. Nothing is unpacked. */
export class SegmentWalk {
  readonly header: SegmentHeader | undefined;
  readonly #file: Buffer;
  #hash: Buffer | undefined;
  #end = 0;
  #footer: SegmentFooter | undefined;
  #fault: string | undefined;

  constructor(file: Buffer) {
    this.#file = file;
    const head = readHeader(file);
    if (typeof head === 'string') this.#fault = head;
    if (head === undefined || typeof head === 'string') return;
    this.header = head.header;
    this.#hash = head.hash;
    this.#end = head.end;
  }

  /** Absent while the segment is open, after a kill, and until all blocks were gone through. */
  get footer(): SegmentFooter | undefined {
    return this.#footer;
  }

  /** Hash of the last whole part, which the next part continues. */
  get hash(): Buffer | undefined {
    return this.#hash;
  }

  /** The place behind the last whole part. */
  get end(): number {
    return this.#end;
  }

  /** The reason for which it is not read further; undefined where only its end is missing. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Its blocks in their order, up to the footer, to a fault, or to a torn end. Called once. */
  *blocks(): Generator<PackedBlock> {
    const file = this.#file;
    while (this.#hash !== undefined && this.#end < file.length && !isFooterAt(file, this.#end)) {
      const offset = this.#end;
      const part = readPackedBlock(file, offset, this.#hash);
      if (typeof part === 'string') this.#fault = part;
      if (part === undefined || typeof part === 'string') return;
      yield { offset, packed: part.packed, rawLength: part.rawLength };
      this.#hash = part.hash;
      this.#end = part.end;
    }
    this.#takeFooter();
  }

  #takeFooter(): void {
    if (this.#hash === undefined || this.#end === this.#file.length) return;
    const last = readFooter(this.#file, this.#end, this.#hash);
    if (typeof last === 'string') this.#fault = last;
    if (last === undefined || typeof last === 'string') return;
    this.#footer = last.footer;
    this.#hash = last.hash;
    this.#end = last.end;
  }
}
