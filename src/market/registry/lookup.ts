import { otherNamesOf } from '../../domain/base-names.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { NameForm, RegistryAsset } from './asset.ts';
import type { VenueNames } from './read-venue-names.ts';
import { type RegistryData, registryData } from './registry-data.ts';
import type { Rename } from './rename.ts';
import { createRenames, type Renames, tickerOf } from './renames.ts';

/** A base without its venue's decoration. */
export interface UndecoratedName {
  readonly name: string;
  /** The asset class that the decoration implies, if any. */
  readonly assetClass?: AssetClass;
}

/** Read side of the curated registry. */
export interface Registry {
  /** Assets that go by this name (ticker or alias, upper case) somewhere. */
  named(name: string): readonly RegistryAsset[];
  byId(canonicalId: string): RegistryAsset | undefined;
  /** The asset this name means on this venue alone. */
  onVenue(venue: VenueId, name: string): RegistryAsset | undefined;
  /** The name inside a decorated base (`AAPLx` on Kraken), or undefined where the base is plain. */
  undecorated(venue: VenueId, base: string): UndecoratedName | undefined;
  /** Class of a contract of which neither registry nor venue says anything. */
  defaultClass(venue: VenueId): AssetClass;
  isCurrency(code: string): boolean;
  /** True if the name of a share may end in this currency. */
  isBehindShares(code: string): boolean;
  readonly assets: readonly RegistryAsset[];
  readonly renames: Renames;
}

function venueMatches(pattern: string, venue: VenueId): boolean {
  return pattern.endsWith('*') ? venue.startsWith(pattern.slice(0, -1)) : venue === pattern;
}

/**
 * Assets with the names that they had before: where both names are one asset in one unit, a contract of the old name is
 * the asset. An asset of a rename that no file curates is added.
 */
function withFormerNames(curated: readonly RegistryAsset[], renames: Renames): readonly RegistryAsset[] {
  const former = new Map<string, string[]>();
  const evidence = new Map<string, Rename>();
  for (const rename of renames.list) {
    if (rename.state !== 'done') continue;
    const present = renames.presentOf(rename.from)?.canonicalId;
    if (present !== undefined) former.set(present, [...(former.get(present) ?? []), tickerOf(rename.from)]);
    evidence.set(rename.to, rename);
  }
  const known = new Set(curated.map(({ canonicalId }) => canonicalId));
  const added = [...evidence].flatMap(([canonicalId, rename]): RegistryAsset[] => {
    if (known.has(canonicalId)) return [];
    return [
      {
        canonicalId,
        ticker: tickerOf(canonicalId),
        assetClass: canonicalId.slice(0, canonicalId.indexOf(':')) as AssetClass,
        aliases: [],
        evidence: rename.evidence,
      },
    ];
  });
  return [...curated, ...added].map((asset) => {
    const names = former.get(asset.canonicalId);
    return names === undefined ? asset : { ...asset, aliases: [...asset.aliases, ...names] };
  });
}

/** Assets with the names that any venue may call them by. */
function withOtherNames(assets: readonly RegistryAsset[]): readonly RegistryAsset[] {
  return assets.map((asset) => {
    const names = asset.assetClass === 'crypto' ? otherNamesOf(asset.ticker) : [];
    return names.length === 0 ? asset : { ...asset, aliases: [...asset.aliases, ...names] };
  });
}

/** Builds the lookups over what the data files say. */
export function createRegistry(
  data: RegistryData = registryData(),
  renames: Renames = createRenames(data.renames),
): Registry {
  const assets = withFormerNames(withOtherNames(data.assets), renames);
  const byId = new Map(assets.map((asset) => [asset.canonicalId, asset]));
  const names = byName(assets);
  const currencies = new Map(data.currencies.map((currency) => [currency.code, currency]));
  return {
    assets,
    renames,
    named: (name) => names.get(name) ?? [],
    byId: (canonicalId) => byId.get(canonicalId),
    onVenue: (venue, name) => {
      const entry = data.names.find((it) => it.name === name && venueMatches(it.venue, venue));
      return entry && byId.get(entry.canonicalId);
    },
    undecorated: (venue, base) => undecorated(data.forms, venue, base),
    defaultClass: (venue) => defaultClass(data.defaultClasses, venue),
    isCurrency: (code) => currencies.has(code),
    isBehindShares: (code) => currencies.get(code)?.behindShares === true,
  };
}

function byName(assets: readonly RegistryAsset[]): ReadonlyMap<string, readonly RegistryAsset[]> {
  const names = new Map<string, RegistryAsset[]>();
  for (const asset of assets) {
    for (const name of new Set([asset.ticker, ...asset.aliases])) {
      const list = names.get(name);
      if (list === undefined) names.set(name, [asset]);
      else list.push(asset);
    }
  }
  return names;
}

/** The first form of a venue that a base has says its name. */
function undecorated(forms: readonly NameForm[], venue: VenueId, base: string): UndecoratedName | undefined {
  for (const { venue: pattern, form, assetClass } of forms) {
    if (!venueMatches(pattern, venue)) continue;
    const name = form.exec(base)?.slice(1).join('');
    if (name !== undefined) return assetClass === undefined ? { name } : { name, assetClass };
  }
  return undefined;
}

/** A venue's own entry precedes one for all names with the same beginning. */
function defaultClass(classes: VenueNames['defaultClasses'], venue: VenueId): AssetClass {
  const own = classes.get(venue);
  if (own !== undefined) return own;
  for (const [pattern, assetClass] of classes) if (venueMatches(pattern, venue)) return assetClass;
  return 'crypto';
}
