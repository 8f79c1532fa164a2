import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { UNNUMBERED } from '../../src/venues/book-continuity.ts';
import { BookRig } from './book-rig.ts';
import type { PlainLevels } from './plain-book.ts';
import { describeRecorded, readLines, readPayload } from './sessions.ts';

// Frames of 2022 have no numbers, and a checksum over the best levels as text: it proves how changes are applied.

type Row = readonly [price: string, size: string, ...rest: string[]];

interface Rows {
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
}

export interface Frame {
  readonly action: string;
  readonly arg: { readonly instId: string };
  readonly data: readonly [Rows & { readonly checksum: number }];
}

/** Levels of a side that the checksum covers. */
const CHECKED = 25;

const numbers = (rows: readonly Row[] = []) => rows.map((row) => [Number(row[0]), Number(row[1])] as const);

/** The plainest book in the venue's own words. */
export class TextBook {
  readonly #bids = new Map<number, Row>();
  readonly #asks = new Map<number, Row>();

  /** Returns whether the frame's checksum is that of the book after it. */
  take({ action, data: [rows] }: Frame): boolean {
    change(this.#bids, rows.bids, action === 'snapshot');
    change(this.#asks, rows.asks, action === 'snapshot');
    return this.#checksum() === rows.checksum;
  }

  levels(): PlainLevels {
    const { bids, asks } = this.#rows();
    return { bids: numbers(bids), asks: numbers(asks) };
  }

  #rows(): Rows {
    const ascending = (side: ReadonlyMap<number, Row>) => [...side].sort(([a], [b]) => a - b);
    const rows = (side: readonly (readonly [number, Row])[]) => side.map(([, row]) => row);
    return { bids: rows(ascending(this.#bids).reverse()), asks: rows(ascending(this.#asks)) };
  }

  /** CRC-32, signed, over bid and ask of each rank in turn, joined with colons; a shorter side is passed over. */
  #checksum(): number {
    const { bids, asks } = this.#rows();
    const ranks = Array.from({ length: CHECKED }, (_, rank) => [bids[rank], asks[rank]]);
    const texts = ranks.flat().flatMap((row) => row?.slice(0, 2) ?? []);
    return crc32(texts.join(':')) | 0;
  }
}

function change(side: Map<number, Row>, rows: readonly Row[], isWhole: boolean): void {
  if (isWhole) side.clear();
  for (const row of rows) {
    if (Number(row[1]) === 0) side.delete(Number(row[0]));
    else side.set(Number(row[0]), row);
  }
}

/** The venue's own reading of its frames, taken in the order in which they come. */
export function unnumberedRig({ books }: VenueAdapter, ...symbols: readonly string[]): BookRig {
  if (books === undefined) throw new Error('no books');
  const rig = new BookRig({ ...books, initialSnapshot: 'stream', continuity: UNNUMBERED });
  rig.follow(...symbols);
  return rig;
}

interface Entry {
  readonly file: string;
  readonly expected?: { readonly derived_by_replay?: Rows };
}

/** A suite on recorded frames of one contract. @param file with an entry in the index of the recordings */
export function describeChecksums(adapter: VenueAdapter, file: string, symbol: string): void {
  describeRecorded('samples', `recorded ${adapter.id} books with checksums`, () => {
    it('agree after each of 60 frames, and end where the index says', () => {
      const rig = unnumberedRig(adapter, symbol);
      const texts = readLines('samples', `${adapter.id}/${file}`);
      const book = new TextBook();
      expect(texts).toHaveLength(60);
      for (const text of texts) {
        rig.push(text);
        expect(book.take(JSON.parse(text))).toBe(true);
        expect(rig.levels(symbol)).toEqual(book.levels());
      }
      const entries = readPayload('samples', `${adapter.id}/index.json`) as readonly Entry[];
      const stated = entries.find((entry) => entry.file === file)?.expected?.derived_by_replay;
      expect(rig.levels(symbol)?.bids.slice(0, 3)).toEqual(numbers(stated?.bids));
      expect(rig.levels(symbol)?.asks.slice(0, 3)).toEqual(numbers(stated?.asks));
    });

    it('disagree without one of the frames', () => {
      const frames = readLines('samples', `${adapter.id}/${file}`).map((text): Frame => JSON.parse(text));
      const left = frames.filter((_, i) => i % 5 === 3);
      const found = left.filter((missing) => {
        const book = new TextBook();
        return frames.some((frame) => frame !== missing && !book.take(frame));
      });
      // A loss that a later frame makes good, or that lies deeper, does not show.
      expect(found.length).toBeGreaterThan(left.length / 2);
    });
  });
}
