import { lowerAscii, upperAscii } from '../../domain/ascii-case.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketView, Resolution } from '../../market/view.ts';
import { groupBy } from '../../runtime/group-by.ts';
import assetNames from './asset-names.json' with { type: 'json' };

/** An asset as venues list it. */
export interface ListedAsset {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  /** Names that people say. */
  readonly names: readonly string[];
  readonly aliases: readonly string[];
  readonly venues: readonly VenueId[];
}

/**
 * All assets that a venue lists, those on most venues first. A name that people say belongs to the asset of its ticker that is on
 * most venues.
 */
export function listedAssets(
  market: Pick<MarketView, 'listings' | 'aliasesOf' | 'resolve'>,
): readonly ListedAsset[] {
  const assets = [...groupBy(market.listings({}), ({ canonicalId }) => canonicalId).values()]
    .map((contracts) => ({
      canonicalId: contracts[0]?.canonicalId ?? '',
      ticker: contracts[0]?.ticker ?? '',
      assetClass: contracts[0]?.assetClass ?? ('unknown' as const),
      venues: [...new Set(contracts.map(({ venue }) => venue))],
    }))
    .sort((a, b) => b.venues.length - a.venues.length || (a.canonicalId < b.canonicalId ? -1 : 1));
  const names = groupBy(
    Object.entries(assetNames).map(([name, ticker]) => {
      const ids = meantIds(market.resolve(ticker));
      return { name, id: assets.find(({ canonicalId }) => ids.includes(canonicalId))?.canonicalId };
    }),
    ({ id }) => id,
  );
  return assets.map((asset) => ({
    ...asset,
    names: (names.get(asset.canonicalId) ?? []).map(({ name }) => name),
    aliases: market.aliasesOf(asset.canonicalId),
  }));
}

function meantIds(resolved: Resolution): readonly string[] {
  if (resolved.kind === 'one') return [resolved.canonicalId];
  return resolved.kind === 'ambiguous' ? resolved.candidates.map((candidate) => candidate.canonical_id) : [];
}

/**
 * The assets that a text means: those that a request would find by it (`BTCUSDT`, `1000PEPE`), those that people call so
 * (`gold`), then those of which a name begins with it.
 */
export function meantAssets(
  market: Pick<MarketView, 'resolve'>,
  assets: readonly ListedAsset[],
  typed: string,
): readonly ListedAsset[] {
  const upper = upperAscii(typed.trim());
  const lower = lowerAscii(typed.trim()).replace(/[-_]/g, ' ');
  const ids = meantIds(market.resolve(typed));
  const byName = assets.filter(({ names }) => names.includes(lower));
  const begins = ({ ticker, names, aliases }: ListedAsset): boolean =>
    [ticker, ...aliases].some((name) => name.startsWith(upper)) ||
    names.some((name) => name.startsWith(lower));
  return [
    ...new Set([
      ...assets.filter(({ canonicalId }) => ids.includes(canonicalId)),
      ...byName,
      ...assets.filter(begins),
    ]),
  ];
}
