import { upperAscii } from '../domain/ascii-case.ts';
import type { AssetClass, Instrument } from '../domain/instrument.ts';
import type { Price } from '../domain/units.ts';
import { looksCurated } from './look-alike.ts';
import type { PriceRange, RegistryAsset } from './registry/asset.ts';
import { gluedQuoteClass } from './registry/glued-quote.ts';
import type { Registry } from './registry/lookup.ts';
import type { IdentityBasis } from './stores.ts';

/** The asset a contract is about. */
export interface Assignment {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  readonly basis: IdentityBasis;
  /** Curated plausible range; a mark outside makes the identity uncertain. */
  readonly priceRange?: PriceRange;
  /** The grounds of the decision, where they are less than the registry. */
  readonly standing?: Standing;
}

/** A rule, or nothing but a name that a rule has read: that counts where prices of other contracts agree. */
export type Standing = 'rule' | 'name';

/** `needs_price`: curated assets share the name and only the first mark can tell them apart. */
export type Decision = Assignment | 'needs_price';

/**
 * Rules of identity, in this order: the curated name on this venue; the curated assets of that name, told apart by
 * the venue's class, then by price range; what stands of them against a class that contradicts them all
 * (`notOverruled`); the venue's own class; the venue's default class. Names are read without the venue's decoration
 * (`AAPLx`). A stated class `unknown` says that the asset is no coin, and no more.
 */
export function decideIdentity(registry: Registry, instrument: Instrument, mark?: Price): Decision {
  const inner = registry.undecorated(instrument.venue, instrument.base);
  const name = inner?.name ?? nameOf(instrument);
  const onVenue = registry.onVenue(instrument.venue, name);
  if (onVenue !== undefined) return assigned(onVenue, 'venue_name');
  const fallback = registry.defaultClass(instrument.venue);
  const curated = registry.named(name);
  const glued = curated.length > 0 ? undefined : gluedQuoteClass(registry, name, instrument.assetClass);
  const stated = statedClass(glued ?? instrument.assetClass, inner?.assetClass);
  const agreeing = narrowByClass(curated, stated);
  const choice =
    agreeing.length > 0
      ? chooseCandidate(agreeing, stated, fallback, mark)
      : chooseCandidate(notOverruled(curated, stated), undefined, fallback, mark);
  if (choice !== undefined) return choice;
  return byRule(registry, name, stated, fallback);
}

/** The asset of a name by rule. Where that is a curated asset whose price the mark is not, the price range goes with it. */
function byRule(
  registry: Registry,
  name: string,
  stated: AssetClass | undefined,
  fallback: AssetClass,
): Assignment {
  const assetClass = stated ?? fallback;
  const basis = stated === undefined ? 'default' : 'metadata';
  const slug = slugOf(name);
  const canonicalId = `${assetClass}:${slug}`;
  const curated = registry.byId(canonicalId);
  return curated === undefined ? { canonicalId, ticker: slug, assetClass, basis } : assigned(curated, basis);
}

/** The ticker, in the venue's own spelling where that differs from it in case alone: another name until somebody has looked. */
const nameOf = ({ base, ticker }: Instrument): string => (upperAscii(base) === ticker ? base : ticker);

/**
 * The grounds on which a contract is the asset that it was found to be. Nothing but its name does where that
 * has a multiplier by rule, or a number that is in no table, where it looks like a curated name and is another,
 * and where it is a share's, a commodity's or an index's on a venue of coins that says nothing of the class,
 * and no price range tells. A decision of an operator or a curated name of the venue is not doubted.
 */
export function standingOf(
  registry: Registry,
  instrument: Instrument,
  { basis, canonicalId }: Assignment,
): Standing | undefined {
  const curated = registry.byId(canonicalId);
  const isDoubted = basis !== 'operator' && basis !== 'venue_name';
  if (isDoubted && isByNameAlone(registry, instrument, curated)) return 'name';
  return curated !== undefined && basis !== 'default' && basis !== 'metadata' ? undefined : 'rule';
}

function isByNameAlone(
  registry: Registry,
  instrument: Instrument,
  curated: RegistryAsset | undefined,
): boolean {
  const { venue, base, nameReading } = instrument;
  if (nameReading === 'ruled_multiplier') return true;
  if (curated === undefined) return nameReading !== undefined || looksCurated(registry, nameOf(instrument));
  const { assetClass, priceRange } = curated;
  if (priceRange !== undefined || instrument.assetClass !== undefined) return false;
  if (assetClass === 'crypto' || assetClass === 'prelaunch') return false;
  return (
    registry.defaultClass(venue) === 'crypto' && registry.undecorated(venue, base)?.assetClass === undefined
  );
}

/** The class that the venue states; where it says no more than that the asset is no coin, what the name adds. */
function statedClass(
  byVenue: AssetClass | undefined,
  byName: AssetClass | undefined,
): AssetClass | undefined {
  return byVenue === undefined || byVenue === 'unknown' ? (byName ?? byVenue) : byVenue;
}

function chooseCandidate(
  candidates: readonly RegistryAsset[],
  stated: AssetClass | undefined,
  fallback: AssetClass,
  mark: Price | undefined,
): Decision | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  const range = (asset: RegistryAsset) => asset.priceRange ?? presumedRange(asset, stated, fallback);
  const plain = stated !== undefined || range(first) === undefined || first.soleName === true;
  if (candidates.length === 1 && plain) return assigned(first, 'registry');
  const ranged = candidates.some((asset) => range(asset) !== undefined);
  if (ranged && mark === undefined) return 'needs_price';
  const fitting = candidates.filter((asset) => fits(range(asset), mark));
  const [only] = fitting;
  if (only === undefined) return undefined;
  if (fitting.length === 1) return assigned(only, 'price');
  // Levels overlap: what the venue mostly lists decides.
  const likely = fitting.find((asset) => (asset.assetClass === 'crypto') === (fallback === 'crypto')) ?? only;
  return assigned(likely, 'default');
}

/** Exchanges delist a share below one dollar; hardly one costs more than this but for class A of Berkshire Hathaway. */
const SHARE_RANGE: PriceRange = [1, 20_000];

/** Of a share or fund whose ticker is all that is known, on a venue of coins: a token can have taken the name. */
function presumedRange(
  { assetClass }: RegistryAsset,
  stated: AssetClass | undefined,
  fallback: AssetClass,
): PriceRange | undefined {
  const isShare = assetClass === 'equity' || assetClass === 'etf';
  return isShare && stated === undefined && fallback === 'crypto' ? SHARE_RANGE : undefined;
}

function assigned(asset: RegistryAsset, basis: IdentityBasis): Assignment {
  return {
    canonicalId: asset.canonicalId,
    ticker: asset.ticker,
    assetClass: asset.assetClass,
    basis,
    ...(asset.priceRange === undefined ? {} : { priceRange: asset.priceRange }),
  };
}

/**
 * Candidates that a stated class allows: those of exactly this class, else those on the same side. Venues agree on
 * crypto or not, but call one fund a share, a fund or an index; what is not launched may be either.
 */
function narrowByClass(
  assets: readonly RegistryAsset[],
  stated: AssetClass | undefined,
): readonly RegistryAsset[] {
  if (stated === undefined) return assets;
  const exact = assets.filter((asset) => asset.assetClass === stated);
  if (exact.length > 0) return exact;
  return assets.filter((asset) => sameSide(asset.assetClass, stated));
}

/**
 * Curated assets that a contradicting label does not overrule. A name that is known to be no other asset's stands at
 * once, one with a price range if the mark is in it. Between a coin and a commodity or currency the registry stands
 * as well: it lists those, and venues file gold tokens and stablecoins under them. The tickers of shares, funds and
 * coins are open lists, where the label may well be the only sign of another asset.
 */
function notOverruled(
  assets: readonly RegistryAsset[],
  stated: AssetClass | undefined,
): readonly RegistryAsset[] {
  const listed = (assetClass: AssetClass | undefined) => assetClass === 'commodity' || assetClass === 'fx';
  return assets.filter(
    (asset) =>
      asset.soleName ?? (asset.priceRange !== undefined || listed(stated) || listed(asset.assetClass)),
  );
}

function sameSide(a: AssetClass, b: AssetClass): boolean {
  return a === 'prelaunch' || b === 'prelaunch' || (a === 'crypto') === (b === 'crypto');
}

/** True if a mark lies within an asset's range, or where either is not known. */
export function fits(range: PriceRange | undefined, mark: number | undefined): boolean {
  return range === undefined || mark === undefined || (mark >= range[0] && mark < range[1]);
}

/**
 * Characters that have a meaning in ids and addresses, and those that differ from another name only in case.
 */
const ESCAPED = /[\s:~/?#a-z]/g;

/**
 * The part of an id that says a name. Another name never has the same slug: what cannot stand in an id is written as its
 * code (`B/TC` is `B!2F!TC`), with a sign that is in no name.
 */
export function slugOf(name: string): string {
  return name.replace(ESCAPED, (sign) => `!${sign.charCodeAt(0).toString(16).toUpperCase()}!`);
}
