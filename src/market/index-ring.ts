import type { VenueId } from '../domain/venue.ts';
import type { MarketRow } from './view.ts';

/** One second after another, oldest first; NaN where no index was known. */
export type IndexSeries = Float64Array;

/** Ten minutes. */
const SECONDS = 600;

/** The last index values of a few assets on every venue, one a second. */
export class IndexRing {
  readonly #assets: readonly string[];
  readonly #values = new Map<VenueId, Map<string, Float64Array>>();
  /** Columns filled since start. */
  #count = 0;

  /** @param assets canonical ids of what is followed */
  constructor(assets: readonly string[]) {
    this.#assets = assets;
  }

  /** Takes the index of every fresh row of the assets as the value of this second. */
  record(rowsOf: (canonicalId: string) => readonly MarketRow[]): void {
    const at = this.#count % SECONDS;
    this.#count += 1;
    for (const venue of this.#values.values()) for (const ring of venue.values()) ring[at] = Number.NaN;
    for (const asset of this.#assets) {
      for (const { venue, indexPrice, fresh } of rowsOf(asset)) {
        if (fresh && indexPrice !== undefined) this.#ringOf(venue, asset)[at] = indexPrice;
      }
    }
  }

  /** All series by venue and asset, aligned with each other. */
  series(): ReadonlyMap<VenueId, ReadonlyMap<string, IndexSeries>> {
    const length = Math.min(this.#count, SECONDS);
    const head = this.#count % SECONDS;
    const straight = (ring: Float64Array): IndexSeries => {
      if (this.#count <= SECONDS) return ring.slice(0, length);
      const out = new Float64Array(SECONDS);
      out.set(ring.subarray(head));
      out.set(ring.subarray(0, head), SECONDS - head);
      return out;
    };
    return new Map(
      [...this.#values].map(([venue, rings]) => [
        venue,
        new Map([...rings].map(([asset, ring]) => [asset, straight(ring)])),
      ]),
    );
  }

  #ringOf(venue: VenueId, asset: string): Float64Array {
    const rings = this.#values.get(venue) ?? new Map<string, Float64Array>();
    this.#values.set(venue, rings);
    const ring = rings.get(asset) ?? new Float64Array(SECONDS).fill(Number.NaN);
    rings.set(asset, ring);
    return ring;
  }
}
