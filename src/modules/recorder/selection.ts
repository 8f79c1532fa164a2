import type { WireKind, WireLine } from '../../collect/wire.ts';
import { VENUES } from '../../venues/registry.ts';

const KINDS: readonly WireKind[] = ['books', 'tickers', 'instruments', 'history'];
export const isKind = (word: string): word is WireKind => KINDS.some((kind) => kind === word);

/** The venues and kinds that are recorded; of none named, all. */
export class Selection {
  readonly text: string;
  readonly #kinds: ReadonlySet<WireKind>;
  readonly #venues: ReadonlySet<string>;

  /** @param words `all`, kinds and venues */
  constructor(words: readonly string[]) {
    this.text = words.join(',');
    this.#kinds = new Set(words.filter(isKind));
    this.#venues = new Set(words.filter((word) => word !== 'all' && !isKind(word)));
  }

  has({ venue, kind }: WireLine): boolean {
    return (this.#kinds.size === 0 || this.#kinds.has(kind)) && this.hasVenue(venue);
  }

  /** A sub-venue, as `hyperliquid-xyz`, belongs to the venue that lists it. */
  hasVenue(venue: string): boolean {
    if (this.#venues.size === 0 || this.#venues.has(venue)) return true;
    const [parent = ''] = venue.split('-');
    return this.#venues.has(parent) && !isNative(venue);
  }
}

const isNative = (venue: string): boolean => VENUES.some(({ id }) => id === venue);

/** Words of the setting that name nothing. */
export const unknownWords = (words: readonly string[]): readonly string[] =>
  words.filter((word) => word !== 'all' && !isKind(word) && !isNative(word));
