const FIRST_BYTES = 64 * 1024;
const LONGEST_VARINT = 8;

/** Bytes that grow at their end. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^53, in groups of seven bits, the lowest first. */
  varint(value: number): void {
    this.#reserve(LONGEST_VARINT);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  bytes(data: Uint8Array): void {
    this.#reserve(data.length);
    this.#bytes.set(data, this.#length);
    this.#length += data.length;
  }

  /** The bytes so far; the next `clear` gives them up. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Reads what `ByteWriter` has written. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws RangeError behind the end */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the block ends within a number');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** @throws RangeError behind the end */
  bytes(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the block ends within a payload');
    const read = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return read;
  }

  get rest(): number {
    return this.#bytes.length - this.#at;
  }
}
