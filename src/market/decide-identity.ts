import type { AssetClass, Instrument } from '../domain/instrument.ts';
import type { Price } from '../domain/units.ts';
import type { PriceRange, RegistryAsset } from './registry/asset.ts';
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
  /** What says so, where that is less than the registry. */
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
  const name = inner?.name ?? instrument.ticker;
  const onVenue = registry.onVenue(instrument.venue, name);
  if (onVenue !== undefined) return assigned(onVenue, 'venue_name');
  const stated = statedClass(instrument.assetClass, inner?.assetClass);
  const fallback = registry.defaultClass(instrument.venue);
  const curated = registry.named(name);
  const agreeing = narrowByClass(curated, stated);
  const choice =
    agreeing.length > 0
      ? chooseCandidate(agreeing, stated, fallback, mark)
      : chooseCandidate(notOverruled(curated, stated), undefined, fallback, mark);
  if (choice !== undefined) return choice;
  const assetClass = stated ?? fallback;
  return {
    canonicalId: `${assetClass}:${slugOf(name)}`,
    ticker: name,
    assetClass,
    basis: stated === undefined ? 'default' : 'metadata',
  };
}

/**
 * What says that a contract is what it was found to be. Nothing but its name does where that has a multiplier by rule, or a
 * number that is in no table. What an operator or the curated name of the venue says is not doubted.
 */
export function standingOf(
  registry: Registry,
  instrument: Instrument,
  { basis, canonicalId }: Assignment,
): Standing | undefined {
  const isCurated = registry.byId(canonicalId) !== undefined;
  const isDoubted = basis !== 'operator' && basis !== 'venue_name';
  if (isDoubted && isByNameAlone(instrument, isCurated)) return 'name';
  return isCurated && basis !== 'default' && basis !== 'metadata' ? undefined : 'rule';
}

const isByNameAlone = ({ nameReading }: Instrument, isCurated: boolean): boolean =>
  nameReading === 'ruled_multiplier' || (nameReading !== undefined && !isCurated);

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
  const plain = stated !== undefined || first.priceRange === undefined || first.soleName === true;
  if (candidates.length === 1 && plain) return assigned(first, 'registry');
  const ranged = candidates.some((asset) => asset.priceRange !== undefined);
  if (ranged && mark === undefined) return 'needs_price';
  const fitting = candidates.filter((asset) => fits(asset.priceRange, mark));
  const [only] = fitting;
  if (only === undefined) return undefined;
  if (fitting.length === 1) return assigned(only, 'price');
  // Levels overlap: what the venue mostly lists decides.
  const likely = fitting.find((asset) => (asset.assetClass === 'crypto') === (fallback === 'crypto')) ?? only;
  return assigned(likely, 'default');
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

/** Whether a mark lies within an asset's range; true where either is not known. */
export function fits(range: PriceRange | undefined, mark: number | undefined): boolean {
  return range === undefined || mark === undefined || (mark >= range[0] && mark < range[1]);
}

/** Separators of ids are not part of a slug. */
export function slugOf(name: string): string {
  return name.toUpperCase().replace(/[\s:~/?#]+/g, '');
}
