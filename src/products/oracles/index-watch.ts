import type { VenueId } from '../../domain/venue.ts';
import { IndexRing } from '../../market/index-ring.ts';
import type { MarketView } from '../../market/view.ts';
import { type IndexMoves, measureIndexMoves } from './index-moves.ts';

/** Assets that nearly every venue lists, and whose index moves every second. */
const ASSETS = ['crypto:BTC', 'crypto:ETH', 'crypto:SOL'];
/** Ticks between measurements: each takes some milliseconds. */
const MEASURE_EVERY = 30;

/** Follows the index values of all venues and measures now and then how they move beside each other. */
export class IndexWatch {
  readonly #view: MarketView;
  readonly #ring = new IndexRing(ASSETS);
  #ticks = 0;
  #moves: ReadonlyMap<VenueId, IndexMoves> = new Map();

  constructor(view: MarketView) {
    this.#view = view;
  }

  /** Takes the values of this second. To be called once a second. */
  tick(): void {
    this.#ring.record((canonicalId) => this.#view.rowsOf(canonicalId));
    this.#ticks += 1;
    if (this.#ticks % MEASURE_EVERY !== 0) return;
    const familyOf = (venue: VenueId): string | undefined => this.#view.venue(venue)?.info.index.family;
    this.#moves = measureIndexMoves(this.#ring.series(), familyOf);
  }

  /** The last measurement; empty in the first minutes. */
  get moves(): ReadonlyMap<VenueId, IndexMoves> {
    return this.#moves;
  }
}
