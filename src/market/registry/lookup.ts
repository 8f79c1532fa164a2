import type { AssetClass } from '../../domain/instrument.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { AssetBlock, AssetEntry, RegistryAsset } from './asset.ts';
import { CRYPTO_ASSETS } from './crypto.ts';
import { FURTHER_CRYPTO_ASSETS } from './crypto-further.ts';
import { EQUITY_ASSETS } from './equities.ts';
import { FURTHER_EQUITY_ASSETS } from './equities-further.ts';
import { MARKET_ASSETS } from './markets.ts';
import { createRenames, type Rename, type Renames, tickerOf } from './renames.ts';
import { SHARED_NAMES } from './shared-names.ts';
import { DEFAULT_CLASSES, NAME_FORMS, VENUE_NAMES } from './venue-names.ts';

/** What is left of a base without its venue's decoration. */
export interface UndecoratedName {
  readonly name: string;
  /** What the decoration says of the asset, where it does. */
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
  readonly assets: readonly RegistryAsset[];
  readonly renames: Renames;
}

const ASSETS: readonly AssetBlock[] = [
  ...CRYPTO_ASSETS,
  ...FURTHER_CRYPTO_ASSETS,
  ...EQUITY_ASSETS,
  ...FURTHER_EQUITY_ASSETS,
  ...MARKET_ASSETS,
  ...SHARED_NAMES,
];

const words = (text: string | undefined): string[] => text?.trim().split(/\s+/).filter(Boolean) ?? [];

function expand(block: AssetBlock): RegistryAsset[] {
  const plain: AssetEntry[] = words(block.tickers).map((ticker) => [ticker]);
  return [...plain, ...(block.entries ?? [])].map(([ticker, detail = {}]) => ({
    canonicalId: `${block.assetClass}:${detail.slug ?? ticker}`,
    ticker,
    assetClass: block.assetClass,
    aliases: words(detail.aliases),
    evidence: detail.evidence ?? block.evidence,
    ...(detail.name === undefined ? {} : { name: detail.name }),
    ...(detail.range === undefined ? {} : { priceRange: detail.range }),
    ...(detail.soleName === undefined ? {} : { soleName: detail.soleName }),
  }));
}

function venueMatches(pattern: string, venue: VenueId): boolean {
  return pattern.endsWith('*') ? venue.startsWith(pattern.slice(0, -1)) : venue === pattern;
}

/**
 * Assets with the names that they had before: where both names are one asset in one unit, a contract of the old name is
 * the asset. An asset of a rename that no block curates is added.
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

/** Builds the lookups over the data files. */
export function createRegistry(
  blocks: readonly AssetBlock[] = ASSETS,
  renames: Renames = createRenames(),
): Registry {
  const assets = withFormerNames(blocks.flatMap(expand), renames);
  const byId = new Map(assets.map((asset) => [asset.canonicalId, asset]));
  const names = new Map<string, RegistryAsset[]>();
  for (const asset of assets) {
    for (const name of new Set([asset.ticker, ...asset.aliases])) {
      const list = names.get(name);
      if (list === undefined) names.set(name, [asset]);
      else list.push(asset);
    }
  }
  return {
    assets,
    renames,
    named: (name) => names.get(name) ?? [],
    byId: (canonicalId) => byId.get(canonicalId),
    onVenue: (venue, name) => {
      const entry = VENUE_NAMES.find((it) => it.name === name && venueMatches(it.venue, venue));
      return entry && byId.get(entry.canonicalId);
    },
    undecorated: (venue, base) => {
      for (const { venue: pattern, form, assetClass } of NAME_FORMS) {
        if (!venueMatches(pattern, venue)) continue;
        const name = form.exec(base)?.slice(1).join('');
        if (name !== undefined) return assetClass === undefined ? { name } : { name, assetClass };
      }
      return undefined;
    },
    defaultClass: (venue) =>
      DEFAULT_CLASSES.find(([pattern]) => venueMatches(pattern, venue))?.[1] ?? 'crypto',
  };
}
