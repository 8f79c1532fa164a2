import { upperAscii } from '../domain/ascii-case.ts';
import type { Candidate } from '../domain/errors.ts';
import type { AssetClass, Instrument } from '../domain/instrument.ts';
import type { VenueId } from '../domain/venue.ts';

/** An asset on a venue, with every name it goes by there. */
export interface NamedListing {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  /** Tickers of the venue's contracts and curated aliases, upper case. */
  readonly names: readonly string[];
  /** The venue's contracts of the asset. */
  readonly contracts: readonly Pick<Instrument, 'symbol' | 'base' | 'ticker' | 'quote' | 'settle'>[];
}

/** One contract, in the venue's own spelling. */
export interface NamedContract {
  readonly canonicalId: string;
  readonly symbol: string;
}

/** A contract named by what it trades: `DOGE/USDC:USDC`, `DOGEUSDC`. Upper case. */
export interface QuotedPair {
  readonly base: string;
  readonly quote: string;
  readonly settle?: string | undefined;
}

type Lookup<T> = Map<string, T[]>;

/** Names to identities, over what one venue lists now. All keys are upper case. */
export class VenueNames {
  readonly named: Lookup<string> = new Map();
  readonly based: Lookup<string> = new Map();
  readonly symbols: Lookup<NamedContract> = new Map();
  readonly pairs: Lookup<NamedContract> = new Map();
  /** Canonical ids in their own spelling. */
  readonly spelled = new Map<string, string>();
  readonly assets = new Map<string, Pick<NamedListing, 'ticker' | 'assetClass'>>();

  constructor(listings: Iterable<NamedListing>) {
    const variants: NamedContract[] = [];
    for (const { canonicalId: id, ticker, assetClass, names, contracts } of listings) {
      this.spelled.set(upperAscii(id), id);
      this.assets.set(id, { ticker, assetClass });
      for (const name of new Set([ticker, ...names].map(upperAscii))) push(this.named, name, id);
      for (const { symbol, base, ticker: traded, quote, settle } of contracts) {
        const contract = { canonicalId: id, symbol };
        if (isCaseVariant({ base, ticker: traded })) {
          variants.push(contract);
          continue;
        }
        push(this.symbols, upperAscii(symbol), contract);
        const bases = this.based.get(upperAscii(base));
        if (bases?.includes(id) !== true) push(this.based, upperAscii(base), id);
        for (const name of new Set([upperAscii(base), upperAscii(traded)])) {
          push(this.pairs, pairKey({ base: name, quote, settle }), contract);
          push(this.pairs, pairKey({ base: name, quote }), contract);
        }
      }
    }
    for (const variant of variants) {
      const symbol = upperAscii(variant.symbol);
      if (!this.symbols.has(symbol)) push(this.symbols, symbol, variant);
    }
  }
}

/**
 * True if a contract's base is its ticker but for its case: that is a name of its own, and none by which the
 * asset of that ticker goes.
 */
export const isCaseVariant = ({ base, ticker }: Pick<Instrument, 'base' | 'ticker'>): boolean =>
  base !== ticker && upperAscii(base) === ticker;

/** The same over all venues. */
export class NameIndex {
  readonly #venues: ReadonlyMap<VenueId, VenueNames>;

  constructor(venues: ReadonlyMap<VenueId, VenueNames>) {
    this.#venues = venues;
  }

  /** Identities behind a ticker or alias, sorted. With a venue: those that it lists. */
  named(name: string, venue?: VenueId): readonly string[] {
    return this.#idsOf(venue, ({ named }) => named.get(name));
  }

  /** Identities behind a base name with its multiplier: `1000PEPE`. */
  base(name: string, venue?: VenueId): readonly string[] {
    return this.#idsOf(venue, ({ based }) => based.get(name));
  }

  /** The canonical id in its own spelling, where something lists it. */
  canonical(id: string, venue?: VenueId): string | undefined {
    for (const { spelled } of this.#in(venue)) {
      const found = spelled.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Contracts of a venue that go by a symbol of its own. */
  symbol(name: string, venue: VenueId): readonly NamedContract[] {
    return this.#venues.get(venue)?.symbols.get(name) ?? [];
  }

  /** Contracts of a venue by base or ticker and quote, and by settlement where that is named. */
  quoted(pair: QuotedPair, venue: VenueId): readonly NamedContract[] {
    return this.#venues.get(venue)?.pairs.get(pairKey(pair)) ?? [];
  }

  tickerOf(canonicalId: string): string {
    return this.#asset(canonicalId)?.ticker ?? canonicalId.slice(canonicalId.indexOf(':') + 1);
  }

  candidate(canonicalId: string): Candidate {
    const listing = [...this.#venues].filter(([, { assets }]) => assets.has(canonicalId));
    return {
      canonical_id: canonicalId,
      asset_class: this.#asset(canonicalId)?.assetClass ?? 'unknown',
      venues: listing.map(([venue]) => venue).sort(),
    };
  }

  #asset(canonicalId: string): Pick<NamedListing, 'ticker' | 'assetClass'> | undefined {
    for (const { assets } of this.#venues.values()) {
      const asset = assets.get(canonicalId);
      if (asset !== undefined) return asset;
    }
    return undefined;
  }

  #idsOf(venue: VenueId | undefined, read: (names: VenueNames) => string[] | undefined): readonly string[] {
    const found = new Set<string>();
    for (const names of this.#in(venue)) for (const id of read(names) ?? []) found.add(id);
    return [...found].sort();
  }

  /** One venue, or all where none is named. */
  #in(venue: VenueId | undefined): Iterable<VenueNames> {
    if (venue === undefined) return this.#venues.values();
    const names = this.#venues.get(venue);
    return names === undefined ? [] : [names];
  }
}

function push<T>(lookup: Lookup<T>, key: string, value: T): void {
  const list = lookup.get(key);
  if (list === undefined) lookup.set(key, [value]);
  else list.push(value);
}

function pairKey({ base, quote, settle }: QuotedPair): string {
  return `${base}/${upperAscii(quote)}${settle === undefined ? '' : `:${upperAscii(settle)}`}`;
}
