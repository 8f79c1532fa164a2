import { MAX_SEQUENCE } from '../domain/book.ts';
import { readMs } from '../domain/read.ts';
import type { LevelList } from './book-frame.ts';

const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const BRACE = 125;
/** Below are control characters, which no JSON string holds. */
const BLANK = 32;

/** Powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);
/** Largest number of digits that a double holds exactly whatever they are. */
const EXACT_DIGITS = 15;
/** Longest number that is read here. */
const MAX_DIGITS = 40;
/** Names remembered by one table; a venue lists fewer contracts. */
const MAX_NAMES = 8192;
const MAX_NAME_LENGTH = 64;

/** Bounds of a plausible level, the same as of the decoders. */
const PRICE_BELOW = 1e15;
const SIZE_BELOW = 1e24;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes that must stand in a frame as they are. */
export type Literal = Uint8Array;

/** The bytes of a text. */
export function literal(text: string): Literal {
  return encoder.encode(text);
}

interface Name {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** True if a string of a frame needs no decoding: no escape, no control character. */
function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= BLANK && byte !== BACKSLASH);
}

/** The names that stand in frames, each held once: reading a known one leaves no garbage. */
class NameTable {
  #slots: (Name | undefined)[] = new Array<Name | undefined>(256).fill(undefined);
  #count = 0;

  /** The name that stands in `bytes` from `from` to before `to`; '' where it is not plain. */
  intern(bytes: Uint8Array, from: number, to: number): string {
    const mask = this.#slots.length - 1;
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot];
      // A copy: `slice` of a Buffer is a view, which holds the whole frame in memory, and changes with it.
      if (known === undefined) return this.#add(new Uint8Array(bytes.subarray(from, to)), slot);
      if (known.bytes.length === to - from && startsWith(bytes, from, known.bytes)) return known.text;
    }
  }

  #add(bytes: Uint8Array, slot: number): string {
    if (!isPlain(bytes)) return '';
    const text = decoder.decode(bytes);
    if (this.#count >= MAX_NAMES) return text;
    this.#slots[slot] = { bytes, text };
    this.#count++;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return text;
  }

  #grow(): void {
    const names = this.#slots.filter((name) => name !== undefined);
    this.#slots = new Array<Name | undefined>(this.#slots.length * 4).fill(undefined);
    this.#count = 0;
    for (const { bytes } of names) this.intern(bytes, 0, bytes.length);
  }
}

function startsWith(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

/**
 * Reads the frame shapes that come most, byte by byte, where the order of keys is known. It accepts less than JSON:
 * what it does not accept is for the JSON parser to judge. It never accepts what JSON would not.
 */
export class FrameScanner {
  readonly #names = new NameTable();
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;

  /** Begins to read a frame: the first `length` bytes. */
  begin(bytes: Uint8Array, length: number): void {
    this.#bytes = bytes;
    this.#at = 0;
    this.#end = length;
  }

  /** Moves over these bytes if they stand here. */
  skip(expected: Literal): boolean {
    const at = this.#at;
    const after = at + expected.length;
    if (after > this.#end || !startsWith(this.#bytes, at, expected)) return false;
    this.#at = after;
    return true;
  }

  /** True at the end of the frame. */
  ended(): boolean {
    return this.#at === this.#end;
  }

  /** A name up to the quote that ends it, which is not taken; '' where there is no plain one. */
  name(): string {
    const bytes = this.#bytes;
    const from = this.#at;
    const last = Math.min(this.#end, from + MAX_NAME_LENGTH);
    let to = from;
    while (to < last && bytes[to] !== QUOTE) to++;
    if (to === last) return '';
    this.#at = to;
    return this.#names.intern(bytes, from, to);
  }

  /** A number without sign and exponent, as JSON writes it; NaN where none stands. */
  number(): number {
    const bytes = this.#bytes;
    const end = this.#end;
    const from = this.#at;
    let at = from;
    let mantissa = 0;
    let code = 0;
    for (; at < end; at++) {
      code = bytes[at] as number;
      if (code < ZERO || code > NINE) break;
      mantissa = mantissa * 10 + (code - ZERO);
    }
    const whole = at - from;
    if (whole === 0 || (whole > 1 && bytes[from] === ZERO)) return Number.NaN;
    if (at === end || code !== POINT) {
      this.#at = at;
      return whole <= EXACT_DIGITS ? mantissa : this.#long(from, at);
    }
    const decimalsFrom = ++at;
    for (; at < end; at++) {
      code = bytes[at] as number;
      if (code < ZERO || code > NINE) break;
      mantissa = mantissa * 10 + (code - ZERO);
    }
    const decimals = at - decimalsFrom;
    if (decimals === 0) return Number.NaN;
    this.#at = at;
    // Both are exact, so their quotient is the nearest double: what the JSON parser gives.
    if (whole + decimals <= EXACT_DIGITS) return mantissa / (POWERS[decimals] as number);
    return this.#long(from, at);
  }

  /** A time in ms; NaN where none stands, or one that no decoder would take. */
  time(): number {
    return readMs(this.number()) ?? Number.NaN;
  }

  /** A sequence number; NaN where none stands, or one that no decoder would take. */
  sequence(): number {
    const sequence = this.number();
    return sequence <= MAX_SEQUENCE ? sequence : Number.NaN;
  }

  /**
   * Adds the levels `[["price","size"],…]`; further strings of a level are passed over. False where anything else
   * stands, or a level that is not plausible.
   */
  quotedLevels(into: LevelList): boolean {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== OPEN) return false;
    if (bytes[this.#at + 1] === CLOSE) {
      this.#at += 2;
      return this.#at <= this.#end;
    }
    for (;;) {
      // At the bracket or comma before a level.
      if (bytes[this.#at + 1] !== OPEN || bytes[this.#at + 2] !== QUOTE) return false;
      this.#at += 3;
      const price = this.number();
      if (!(price > 0 && price < PRICE_BELOW) || !this.#between()) return false;
      const size = this.number();
      if (!(size >= 0 && size < SIZE_BELOW) || !this.#levelEnd()) return false;
      into.add(price, size);
      const code = bytes[this.#at];
      if (code === COMMA) continue;
      this.#at++;
      return code === CLOSE && this.#at <= this.#end;
    }
  }

  /**
   * Adds the levels `[{"price":…,"size":…},…]` under whatever names. False where anything else stands, or a level
   * that is not plausible.
   *
   * @param priceKey all that stands before the price: `{"price":`
   * @param sizeKey all that stands between price and size: `,"size":`
   */
  keyedLevels(into: LevelList, priceKey: Literal, sizeKey: Literal): boolean {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== OPEN) return false;
    this.#at++;
    if (bytes[this.#at] === CLOSE) {
      this.#at++;
      return this.#at <= this.#end;
    }
    for (;;) {
      if (!this.skip(priceKey)) return false;
      const price = this.number();
      if (!(price > 0 && price < PRICE_BELOW) || !this.skip(sizeKey)) return false;
      const size = this.number();
      if (!(size >= 0 && size < SIZE_BELOW) || bytes[this.#at] !== BRACE) return false;
      into.add(price, size);
      const code = bytes[this.#at + 1];
      this.#at += 2;
      if (code !== COMMA) return code === CLOSE && this.#at <= this.#end;
    }
  }

  /** A number of more digits than are exact. */
  #long(from: number, to: number): number {
    if (to - from > MAX_DIGITS) return Number.NaN;
    return Number(decoder.decode(this.#bytes.subarray(from, to)));
  }

  /** `","` between two strings. */
  #between(): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    if (bytes[at] !== QUOTE || bytes[at + 1] !== COMMA || bytes[at + 2] !== QUOTE) return false;
    this.#at = at + 3;
    return true;
  }

  /** `"]` at the end of a level, with further strings of digits before it where the venue adds some. */
  #levelEnd(): boolean {
    const bytes = this.#bytes;
    while (bytes[this.#at + 1] === COMMA) {
      if (!this.#between()) return false;
      let at = this.#at;
      for (; at < this.#end; at++) {
        const code = bytes[at] as number;
        if (code < ZERO || code > NINE) break;
      }
      this.#at = at;
    }
    if (bytes[this.#at] !== QUOTE || bytes[this.#at + 1] !== CLOSE) return false;
    this.#at += 2;
    return true;
  }
}
