import { upperAscii } from '../domain/ascii-case.ts';
import type { VenueId } from '../domain/venue.ts';
import type { NamedContract, NameIndex, QuotedPair } from './name-index.ts';
import type { Resolution } from './view.ts';

export interface ResolveOptions {
  readonly venue?: VenueId;
  readonly canonicalId?: string;
}

/** The name in upper case, or the id, that an old one leads to. */
export type LeadOf = (name: string) => string | undefined;

const PERP_SUFFIX = /[-_/]?PERP$/;
/** ccxt's unified symbol: `DOGE/USDC:USDC`, `DOGE/USDC`. */
const UNIFIED = /^([^/:]+)\/([A-Z0-9]+)(?::([A-Z0-9]+))?$/;
/** Base and quote in one word, as most venues spell them: `DOGEUSDC`, `DOGE-USDC`, `DOGE_USDC-SWAP`. */
const WORD = /^(.+?)[-_]?(USDT|USDC|USDE|FDUSD|USD1|USD)(?:[-_](?:PERP|SWAP))?$/;

/**
 * Resolves a request's name of an asset, without regard to the case of ASCII letters. The first of these that
 * finds something decides: ticker or alias, canonical_id, the venue's own symbol (where a venue is given),
 * ccxt's unified symbol or base and quote in one word, a perp suffix stripped (`BTC-PERP`, `BTC_PERP`,
 * `BTCPERP`), a base with its multiplier (`1000PEPE`). A name that says a quote means, with a venue, the
 * venue's contract in that quote and no other; it is unknown where there is none. With a venue, its own
 * listings are asked first; an asset that it does not list is still resolved, so that the caller can say
 * `not_listed`. `canonicalId` chooses between the identities of the name and contradicts when it is none of
 * them. A name without a match is read as the one that a rename leads to.
 */
export function resolveName(
  index: NameIndex,
  name: string,
  options: ResolveOptions = {},
  leadOf: LeadOf = () => undefined,
): Resolution {
  const names = ledNames(upperAscii(name.trim()), leadOf);
  const { venue, canonicalId } = options;
  const found = (scope: VenueId | undefined): readonly Found[] => {
    for (const wanted of names) {
      const ids = identities(index, wanted, venue, scope);
      if (ids.length > 0) return ids;
    }
    return [];
  };
  return chosen(index, found, venue, canonicalId === undefined ? undefined : ledNames(canonicalId, leadOf));
}

function chosen(
  index: NameIndex,
  find: (scope: VenueId | undefined) => readonly Found[],
  venue: VenueId | undefined,
  ids: readonly string[] | undefined,
): Resolution {
  const everywhere = find(undefined);
  if (ids !== undefined) return disambiguate(index, everywhere, ids);
  const here = venue === undefined ? [] : find(venue);
  const found = here.length > 0 ? here : everywhere;
  const [first] = found;
  if (first === undefined) return { kind: 'unknown' };
  // Nothing to choose between when the venue lists none of them.
  if (idsOf(found).length === 1 || (venue !== undefined && here.length === 0))
    return one(index, found, first);
  return { kind: 'ambiguous', candidates: idsOf(found).map((id) => index.candidate(id)) };
}

/** A name, and what renames make of it one after the other: the name itself first. All in upper case. */
function ledNames(name: string, leadOf: LeadOf): readonly string[] {
  const names = [upperAscii(name.trim())];
  for (let last = names[0]; last !== undefined; ) {
    const next = ledName(last, leadOf);
    last = next === undefined || names.includes(next) ? undefined : next;
    if (last !== undefined) names.push(last);
  }
  return names;
}

/** A name whose asset is called otherwise, with the same perp suffix or quote; undefined where no rename leads on. */
function ledName(name: string, leadOf: LeadOf): string | undefined {
  const exact = leadOf(name) ?? leadOf(name.replace(PERP_SUFFIX, ''));
  if (exact !== undefined) return exact;
  const pair = readPair(name);
  const base = pair && leadOf(pair.base);
  if (pair === undefined || base === undefined) return undefined;
  return `${base}/${pair.quote}${pair.settle === undefined ? '' : `:${pair.settle}`}`;
}

/** The names in upper case that a written name may mean: itself, without a perp suffix, and its base. */
export function bareNames(name: string): readonly string[] {
  const wanted = upperAscii(name.trim());
  const base = readPair(wanted)?.base;
  return [...new Set([wanted, wanted.replace(PERP_SUFFIX, ''), ...(base === undefined ? [] : [base])])];
}

/** An asset, and the contract where the name says which. */
interface Found {
  readonly canonicalId: string;
  readonly symbol?: string;
}

const idsOf = (found: readonly Found[]): readonly string[] => [
  ...new Set(found.map(({ canonicalId }) => canonicalId)),
];

/** @param wanted the id in upper case, and what renames make of it */
function disambiguate(index: NameIndex, found: readonly Found[], wanted: readonly string[]): Resolution {
  if (found.length === 0) return { kind: 'unknown' };
  const match = wanted.flatMap((id) => found.find((it) => upperAscii(it.canonicalId) === id) ?? [])[0];
  if (match !== undefined) return one(index, found, match);
  return { kind: 'contradiction', candidates: idsOf(found).map((id) => index.candidate(id)) };
}

/** @param scope only what this venue lists; undefined = everything (`venue` still lends its symbols) */
function identities(
  index: NameIndex,
  wanted: string,
  venue: VenueId | undefined,
  scope: VenueId | undefined,
): readonly Found[] {
  const symbol = venue === undefined ? [] : index.symbol(wanted, venue);
  // Where a venue's symbols are tickers, such a name means the contract too.
  const named = assets(index.named(wanted, scope)).map(
    (asset) => symbol.find(({ canonicalId }) => canonicalId === asset.canonicalId) ?? asset,
  );
  if (named.length > 0) return named;
  const canonical = index.canonical(wanted, scope);
  if (canonical !== undefined) return [{ canonicalId: canonical }];
  if (symbol.length > 0) return symbol;
  const quoted = byQuote(index, wanted, venue);
  if (quoted !== undefined) return quoted;
  const stripped = wanted.replace(PERP_SUFFIX, '');
  if (stripped !== wanted && stripped !== '') {
    const bare = assets(index.named(stripped, scope));
    if (bare.length > 0) return bare;
  }
  return assets(index.base(wanted, scope));
}

const assets = (ids: readonly string[]): readonly Found[] => ids.map((canonicalId) => ({ canonicalId }));

/** Resolves a name that states a quote; undefined where it states none, or where its base is no known name. */
function byQuote(
  index: NameIndex,
  wanted: string,
  venue: VenueId | undefined,
): readonly (Found | NamedContract)[] | undefined {
  const pair = readPair(wanted);
  if (pair === undefined) return undefined;
  const anywhere = [...index.named(pair.base), ...index.base(pair.base)];
  if (anywhere.length === 0) return undefined;
  return venue === undefined ? assets([...new Set(anywhere)]) : index.quoted(pair, venue);
}

function readPair(wanted: string): QuotedPair | undefined {
  const [, base, quote, settle] = UNIFIED.exec(wanted) ?? WORD.exec(wanted) ?? [];
  return base === undefined || quote === undefined ? undefined : { base, quote, settle };
}

/** The result has a symbol only where the name leaves one contract. */
function one(index: NameIndex, found: readonly Found[], { canonicalId }: Found): Resolution {
  const symbols = found.flatMap((it) => (it.canonicalId === canonicalId ? (it.symbol ?? []) : []));
  const [symbol] = symbols;
  const contract = symbol !== undefined && symbols.length === 1 ? { symbol } : {};
  return { kind: 'one', canonicalId, ticker: index.tickerOf(canonicalId), ...contract };
}
