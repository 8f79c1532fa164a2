import type { PlacedBlock } from './read-segment.ts';
import type { Gap } from './record.ts';
import type { IndexedBlock, SegmentFooter } from './segment-format.ts';

/** Adds up blocks to the footer of their segment. */
export class FooterTally {
  readonly #venues = new Map<string, number>();
  readonly #places = new Map<string, number>();
  readonly #blocks: IndexedBlock[] = [];
  readonly #gaps: Gap[] = [];
  #records = 0;
  #rawBytes = 0;
  #disconnects = 0;

  add({ offset, summary }: PlacedBlock): void {
    const { from, to, records, rawBytes, venues, gaps, disconnects } = summary;
    for (const [venue, count] of venues) {
      this.#venues.set(venue, (this.#venues.get(venue) ?? 0) + count);
      if (!this.#places.has(venue)) this.#places.set(venue, this.#places.size);
    }
    const places = [...venues.keys()].map((venue) => this.#places.get(venue) ?? 0);
    this.#blocks.push([offset, from, to, places]);
    this.#gaps.push(...gaps);
    this.#records += records;
    this.#rawBytes += rawBytes;
    this.#disconnects += disconnects;
  }

  footer(reason: SegmentFooter['reason'], cutBytes = 0): SegmentFooter {
    return {
      reason,
      from: this.#blocks[0]?.[1] ?? 0,
      to: this.#blocks.at(-1)?.[2] ?? 0,
      records: this.#records,
      rawBytes: this.#rawBytes,
      disconnects: this.#disconnects,
      gaps: this.#gaps,
      cutBytes,
      venues: [...this.#venues],
      blocks: this.#blocks,
    };
  }
}
