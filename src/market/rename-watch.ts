import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS } from '../runtime/duration.ts';
import type { Registry } from './registry/lookup.ts';
import type { MarketRow, MarketView } from './view.ts';

/** A contract that ended and one that appears so long before or after it may be one coin. */
const APART_MS = 7 * DAY_MS;
/** Smaller contracts come and go each day. */
const LARGE_USD = 1_000_000;
/** A coin keeps at least this share of its volume or open interest through a change of its name. */
const KEPT_SHARE = 0.25;

/** A contract of a known asset that ended, and one of an unknown name that came in its place. */
export interface PossibleRename {
  readonly venue: VenueId;
  readonly ended: MarketRow;
  readonly appeared: MarketRow;
  /** The last mark of the one over the mark of the other: about 1, or the factor of a new unit. */
  readonly priceRatio: number | undefined;
}

interface Seen {
  readonly row: MarketRow;
  readonly at: UnixMs;
}

const sizeOf = ({ openInterestUsd, volume24hUsd }: MarketRow): number =>
  Math.max(openInterestUsd ?? 0, volume24hUsd ?? 0);
const keyOf = ({ venue, canonicalId }: MarketRow): string => `${venue}\t${canonicalId}`;

type Looked = Pick<MarketView, 'rows' | 'lists' | 'venue'>;

/**
 * Sees where a large contract of an unknown name appears on a venue as one of a known asset ends there: that is how a
 * rename that nobody has noted looks. A venue's first list is what it lists, and nothing new.
 */
export class RenameWatch {
  readonly #registry: Registry;
  /** The last row of each asset on each venue. */
  readonly #last = new Map<string, MarketRow>();
  readonly #venues = new Set<VenueId>();
  readonly #ended = new Map<string, Seen>();
  readonly #appeared = new Map<string, Seen>();
  readonly #told = new Map<string, Seen>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Pairs of the last seven days. */
  get count(): number {
    return this.#told.size;
  }

  /** Looks at the table; reports each find once. */
  look(view: Looked, now: UnixMs): readonly PossibleRename[] {
    this.#forget(now);
    this.#noteEnded(view, now);
    const rows = view.rows();
    for (const row of rows) {
      const key = keyOf(row);
      const isNew = !this.#last.has(key) && this.#venues.has(row.venue) && !this.#isKnown(row);
      if (isNew || this.#appeared.has(key))
        this.#appeared.set(key, { row, at: this.#appeared.get(key)?.at ?? now });
      this.#last.set(key, row);
    }
    for (const { venue } of rows) this.#venues.add(venue);
    return this.#pairs(now);
  }

  #isKnown({ canonicalId }: MarketRow): boolean {
    const { renames } = this.#registry;
    const isNoted = renames.list.some(({ from, to }) => from === canonicalId || to === canonicalId);
    return isNoted || this.#registry.byId(canonicalId) !== undefined;
  }

  #noteEnded(view: Looked, now: UnixMs): void {
    for (const [key, row] of this.#last) {
      const { venue, canonicalId } = row;
      // A venue that is gone as a whole has ended no contract.
      if (view.lists(venue, canonicalId) || (view.venue(venue)?.trackedSymbols ?? 0) === 0) continue;
      this.#last.delete(key);
      if (this.#isKnown(row) && sizeOf(row) >= LARGE_USD) this.#ended.set(key, { row, at: now });
    }
  }

  #pairs(now: UnixMs): readonly PossibleRename[] {
    const found: PossibleRename[] = [];
    for (const [from, { row: ended }] of this.#ended) {
      for (const [to, { row: appeared }] of this.#appeared) {
        const key = `${from}\t${to}`;
        if (ended.venue !== appeared.venue || this.#told.has(key)) continue;
        if (sizeOf(appeared) < KEPT_SHARE * sizeOf(ended)) continue;
        this.#told.set(key, { row: appeared, at: now });
        const before = ended.markPrice;
        const after = appeared.markPrice;
        const priceRatio = before === undefined || after === undefined ? undefined : before / after;
        found.push({ venue: ended.venue, ended, appeared, priceRatio });
      }
    }
    return found;
  }

  #forget(now: UnixMs): void {
    for (const seen of [this.#ended, this.#appeared, this.#told])
      for (const [key, { at }] of seen) if (now - at > APART_MS) seen.delete(key);
  }
}
