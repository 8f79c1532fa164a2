import type { LevelList } from './book-frame.ts';

const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const OPEN = 91;
const CLOSE = 93;

/** Powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);
/** Largest number of digits that a double holds exactly whatever they are. */
const EXACT_DIGITS = 15;
/** Longest number that is read here. */
const MOST_DIGITS = 40;
/** Names remembered by one table; a venue lists fewer contracts. */
const MOST_NAMES = 8192;
const LONGEST_NAME = 64;

/** Bounds of a plausible level, the same as of the decoders. */
const PRICE_BELOW = 1e15;
const SIZE_BELOW = 1e24;

/** Text of its own: a slice of a frame would keep the whole frame alive. */
function ownText(text: string): string {
  return [...text].join('');
}

/** Whether a string of a frame stands for itself: no escape, no control character. */
function isPlain(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) < 32) return false;
  return !name.includes('\\');
}

/** The names that stand in frames, each held once: reading a known one leaves no garbage. */
class NameTable {
  #slots: (string | undefined)[] = new Array<string | undefined>(256).fill(undefined);
  #count = 0;

  /** The name that stands in `text` from `from` to before `to`; '' where it is not plain. */
  intern(text: string, from: number, to: number): string {
    const mask = this.#slots.length - 1;
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot];
      if (known === undefined) return this.#add(text.slice(from, to), slot);
      if (known.length === to - from && text.startsWith(known, from)) return known;
    }
  }

  #add(name: string, slot: number): string {
    if (!isPlain(name)) return '';
    if (this.#count >= MOST_NAMES) return name;
    const own = ownText(name);
    this.#slots[slot] = own;
    this.#count++;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return own;
  }

  #grow(): void {
    const names = this.#slots.filter((name) => name !== undefined);
    this.#slots = new Array<string | undefined>(this.#slots.length * 4).fill(undefined);
    this.#count = 0;
    for (const name of names) this.intern(name, 0, name.length);
  }
}

/**
 * Reads the frame shapes that come most, character by character, where the order of keys is known. It accepts
 * less than JSON: what it does not accept is for the JSON parser to judge. It never accepts what JSON would not.
 */
export class FrameScanner {
  readonly #names = new NameTable();
  #text = '';
  #at = 0;

  /** Begins to read a frame. */
  begin(text: string): void {
    this.#text = text;
    this.#at = 0;
  }

  /** Moves over this text if it stands here. */
  skip(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.#at)) return false;
    this.#at += literal.length;
    return true;
  }

  /** Whether the frame ends here. */
  ended(): boolean {
    return this.#at === this.#text.length;
  }

  /** A name up to the quote that ends it, which is not taken; '' where there is no plain one. */
  name(): string {
    const from = this.#at;
    const end = this.#text.indexOf('"', from);
    if (end < 0 || end - from > LONGEST_NAME) return '';
    this.#at = end;
    return this.#names.intern(this.#text, from, end);
  }

  /** A number without sign and exponent, as JSON writes it; NaN where none stands. */
  number(): number {
    const text = this.#text;
    const from = this.#at;
    let at = from;
    let mantissa = 0;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= NINE) {
      mantissa = mantissa * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    let digits = at - from;
    if (digits === 0 || (digits > 1 && text.charCodeAt(from) === ZERO)) return Number.NaN;
    if (code !== POINT) {
      this.#at = at;
      if (digits <= EXACT_DIGITS) return mantissa;
      return digits <= MOST_DIGITS ? Number(text.slice(from, at)) : Number.NaN;
    }
    const point = at;
    code = text.charCodeAt(++at);
    while (code >= ZERO && code <= NINE) {
      mantissa = mantissa * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    const decimals = at - point - 1;
    if (decimals === 0) return Number.NaN;
    digits += decimals;
    this.#at = at;
    // Both are exact, so their quotient is the nearest double: what the JSON parser gives.
    if (digits <= EXACT_DIGITS) return mantissa / (POWERS[decimals] as number);
    return digits <= MOST_DIGITS ? Number(text.slice(from, at)) : Number.NaN;
  }

  /**
   * Adds the levels `[["price","size"],…]`; further strings of a level are passed over. False where anything else
   * stands, or a level that is not plausible.
   */
  quotedLevels(into: LevelList): boolean {
    const text = this.#text;
    if (text.charCodeAt(this.#at) !== OPEN) return false;
    if (text.charCodeAt(this.#at + 1) === CLOSE) {
      this.#at += 2;
      return true;
    }
    for (;;) {
      // At the bracket or comma before a level.
      if (text.charCodeAt(this.#at + 1) !== OPEN || text.charCodeAt(this.#at + 2) !== QUOTE) return false;
      this.#at += 3;
      const price = this.number();
      if (!(price > 0 && price < PRICE_BELOW) || !this.#between()) return false;
      const size = this.number();
      if (!(size >= 0 && size < SIZE_BELOW) || !this.#levelEnd()) return false;
      into.add(price, size);
      const code = text.charCodeAt(this.#at);
      if (code === COMMA) continue;
      this.#at++;
      return code === CLOSE;
    }
  }

  /** `","` between two strings. */
  #between(): boolean {
    const text = this.#text;
    const at = this.#at;
    if (text.charCodeAt(at) !== QUOTE || text.charCodeAt(at + 1) !== COMMA) return false;
    if (text.charCodeAt(at + 2) !== QUOTE) return false;
    this.#at = at + 3;
    return true;
  }

  /** `"]` at the end of a level, with further strings of digits before it where the venue adds some. */
  #levelEnd(): boolean {
    const text = this.#text;
    while (text.charCodeAt(this.#at + 1) === COMMA) {
      if (!this.#between()) return false;
      let code = text.charCodeAt(this.#at);
      while (code >= ZERO && code <= NINE) code = text.charCodeAt(++this.#at);
    }
    if (text.charCodeAt(this.#at) !== QUOTE || text.charCodeAt(this.#at + 1) !== CLOSE) return false;
    this.#at += 2;
    return true;
  }
}
