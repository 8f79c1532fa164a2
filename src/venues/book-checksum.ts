import type { LevelTexts } from './book-frame.ts';

const TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** CRC-32 (IEEE 802.3) of a text of single-byte characters, as a signed number. */
export function crc32(text: string): number {
  let c = -1;
  for (let i = 0; i < text.length; i++) {
    c = (c >>> 8) ^ (TABLE[(c ^ text.charCodeAt(i)) & 0xff] as number);
  }
  return ~c;
}

interface TextLevel {
  readonly key: number;
  readonly text: string;
}

/** One side as the venue wrote it, best first. */
class TextSide {
  readonly #sign: 1 | -1;
  #levels: TextLevel[] = [];

  /** @param sign 1 where the highest price is the best */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  clear(): void {
    this.#levels = [];
  }

  apply(levels: LevelTexts): void {
    for (const [price, size] of levels) this.#set(-this.#sign * Number(price), price, size);
  }

  /** `price:size` of the level at this rank; undefined where the side is shorter. */
  at(rank: number): string | undefined {
    return this.#levels[rank]?.text;
  }

  #set(key: number, price: string, size: string): void {
    const levels = this.#levels;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((levels[middle]?.key ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    const found = levels[low]?.key === key ? 1 : 0;
    if (Number(size) === 0) levels.splice(low, found);
    else levels.splice(low, found, { key, text: `${price}:${size}` });
  }
}

/** A book as the venue wrote it, for checksums that are taken over the text of the best levels. */
export interface BookTexts {
  /** `price:size` of the bid or ask at this rank, the best at 0. */
  bid(rank: number): string | undefined;
  ask(rank: number): string | undefined;
}

/** The checksum that a venue's messages must carry after they are applied; signed 32 bits. */
export type Checksum = (book: BookTexts) => number;

/**
 * CRC-32 over the best levels, bid and ask of each rank in turn, joined with colons; a side that is shorter is
 * passed over. OKX (until 2026-06) and Bitget state it for 25 levels.
 */
export function interleavedCrc32(levels: number): Checksum {
  return (book) => {
    const parts: string[] = [];
    for (let rank = 0; rank < levels; rank++) {
      const bid = book.bid(rank);
      const ask = book.ask(rank);
      if (bid !== undefined) parts.push(bid);
      if (ask !== undefined) parts.push(ask);
      if (bid === undefined && ask === undefined) break;
    }
    return crc32(parts.join(':'));
  };
}

/** What is checked of one message. */
export interface CheckedMessage {
  readonly whole: boolean;
  readonly checksum: number;
  readonly bidTexts: LevelTexts | undefined;
  readonly askTexts: LevelTexts | undefined;
}

/** Follows a book as text and holds each message against the checksum that it carries. */
export class ChecksumProof implements BookTexts {
  readonly #sum: Checksum;
  readonly #bids = new TextSide(1);
  readonly #asks = new TextSide(-1);

  constructor(sum: Checksum) {
    this.#sum = sum;
  }

  bid(rank: number): string | undefined {
    return this.#bids.at(rank);
  }

  ask(rank: number): string | undefined {
    return this.#asks.at(rank);
  }

  /**
   * Takes a message over. False where it contradicts its checksum, or has levels without their text. No checksum,
   * or 0, states nothing: venues that stop using it send that.
   */
  take(message: CheckedMessage): boolean {
    const { whole, checksum, bidTexts, askTexts } = message;
    if (bidTexts === undefined || askTexts === undefined) return false;
    if (whole) {
      this.#bids.clear();
      this.#asks.clear();
    }
    this.#bids.apply(bidTexts);
    this.#asks.apply(askTexts);
    if (Number.isNaN(checksum) || checksum === 0) return true;
    return this.#sum(this) === (checksum | 0);
  }
}
