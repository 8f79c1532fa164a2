import { upperAscii } from '../domain/ascii-case.ts';
import type { Candidate } from '../domain/errors.ts';
import type { AssetClass, Instrument } from '../domain/instrument.ts';
import type { VenueId } from '../domain/venue.ts';

/** An asset on a venue, with every name it goes by there. */
export interface NamedListing {
  readonly venue: VenueId;
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  /** Tickers of the venue's contracts and curated aliases, upper case. */
  readonly names: readonly string[];
  /** The venue's contracts of the asset. */
  readonly contracts: readonly Pick<Instrument, 'symbol' | 'base' | 'ticker' | 'quote' | 'settle'>[];
}

/** Names to identities, over what is listed now. All keys are upper case. */
export interface NameIndex {
  /** Identities behind a ticker or alias, sorted. With a venue: those that it lists. */
  named(name: string, venue?: VenueId): readonly string[];
  /** The canonical id in its own spelling, where something lists it. */
  canonical(id: string, venue?: VenueId): string | undefined;
  /** Contracts of a venue that go by a symbol of its own. */
  symbol(name: string, venue: VenueId): readonly NamedContract[];
  /** Contracts of a venue by base or ticker and quote, and by settlement where that is named. */
  quoted(pair: QuotedPair, venue: VenueId): readonly NamedContract[];
  /** Identities behind a base name with its multiplier: `1000PEPE`. */
  base(name: string, venue?: VenueId): readonly string[];
  tickerOf(canonicalId: string): string;
  candidate(canonicalId: string): Candidate;
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

type Lookup = Map<string, Set<string>>;
type Contracts = Map<string, NamedContract[]>;

interface Asset {
  readonly ticker: string;
  readonly assetClass: AssetClass;
  readonly venues: Set<VenueId>;
}

export function buildNameIndex(listings: Iterable<NamedListing>): NameIndex {
  const names: Lookup = new Map();
  const bases: Lookup = new Map();
  const symbols: Contracts = new Map();
  const pairs: Contracts = new Map();
  const spelled = new Map<string, string>();
  const assets = new Map<string, Asset>();
  for (const it of listings) {
    const id = it.canonicalId;
    spelled.set(upperAscii(id), id);
    const asset = assets.get(id) ?? { ticker: it.ticker, assetClass: it.assetClass, venues: new Set() };
    asset.venues.add(it.venue);
    assets.set(id, asset);
    for (const name of [it.ticker, ...it.names]) addBoth(names, name, it.venue, id);
    for (const { symbol, base, ticker, quote, settle } of it.contracts) {
      addBoth(bases, base, it.venue, id);
      const contract = { canonicalId: id, symbol };
      push(symbols, keyOf(upperAscii(symbol), it.venue), contract);
      for (const name of new Set([upperAscii(base), upperAscii(ticker)])) {
        push(pairs, pairKey({ base: name, quote, settle }, it.venue), contract);
        push(pairs, pairKey({ base: name, quote }, it.venue), contract);
      }
    }
  }
  const list = (lookup: Lookup, name: string, venue?: VenueId) =>
    [...(lookup.get(keyOf(name, venue)) ?? [])].sort();
  return {
    named: (name, venue) => list(names, name, venue),
    base: (name, venue) => list(bases, name, venue),
    symbol: (name, venue) => symbols.get(keyOf(name, venue)) ?? [],
    quoted: (pair, venue) => pairs.get(pairKey(pair, venue)) ?? [],
    canonical(id, venue) {
      const found = spelled.get(id);
      if (found === undefined || venue === undefined) return found;
      return assets.get(found)?.venues.has(venue) ? found : undefined;
    },
    tickerOf: (id) => assets.get(id)?.ticker ?? id.slice(id.indexOf(':') + 1),
    candidate(id) {
      const asset = assets.get(id);
      return {
        canonical_id: id,
        asset_class: asset?.assetClass ?? 'unknown',
        venues: [...(asset?.venues ?? [])].sort(),
      };
    },
  };
}

function addBoth(lookup: Lookup, name: string, venue: VenueId, id: string): void {
  const upper = upperAscii(name);
  add(lookup, keyOf(upper), id);
  add(lookup, keyOf(upper, venue), id);
}

function add(lookup: Lookup, key: string, id: string): void {
  const set = lookup.get(key);
  if (set === undefined) lookup.set(key, new Set([id]));
  else set.add(id);
}

function push(lookup: Contracts, key: string, contract: NamedContract): void {
  const list = lookup.get(key);
  if (list === undefined) lookup.set(key, [contract]);
  else list.push(contract);
}

function pairKey({ base, quote, settle }: QuotedPair, venue: VenueId): string {
  return `${venue}\n${base}/${upperAscii(quote)}${settle === undefined ? '' : `:${upperAscii(settle)}`}`;
}

/** Names hold no line feed, so the two kinds of key never meet. */
function keyOf(name: string, venue?: VenueId): string {
  return venue === undefined ? name : `${venue}\n${name}`;
}
