import type { PricedAsset } from './assets.ts';
import type { Planted, PlantedCollision, SimContract } from './world.ts';

/** The dead market is an asset that few venues list, at a venue with a long tail. */
const DEAD = { venue: 'mexc', asset: 'crypto:FTT' };
/** The interval is left out at a venue whose field for it is known to be absent at times. */
const UNKNOWN_INTERVAL = { venue: 'whitebit', asset: 'crypto:LDO' };

/** Premiums that stand apart from all other venues' by so much that one payment covers the fees of the pair. */
const APART: readonly { readonly venue: string; readonly asset: string; readonly premium: number }[] = [
  { venue: 'binance', asset: 'crypto:WIF', premium: 0.0045 },
  { venue: 'bybit', asset: 'crypto:FARTCOIN', premium: 0.005 },
  { venue: 'okx', asset: 'crypto:TRUMP', premium: -0.0045 },
];
/** Funding of this asset changes its sign every day or two, on all venues. */
const SWINGS = 'crypto:ENA';

/** Added to a contract's premium over the index, as a fraction. */
export function plantedPremium(venue: string, assetId: string): number {
  return APART.find((place) => place.venue === venue && place.asset === assetId)?.premium ?? 0;
}

/** True if the premium swings about the point at which the rate is zero. */
export const changesSign = (assetId: string): boolean => assetId === SWINGS;

/** Finds the planted cases among the assets. */
export function plantedOf(assets: readonly PricedAsset[]): Planted {
  return {
    collisions: collisionsOf(assets),
    dead: { venue: DEAD.venue, asset: byId(assets, DEAD.asset) },
    unknownInterval: { venue: UNKNOWN_INTERVAL.venue, asset: byId(assets, UNKNOWN_INTERVAL.asset) },
  };
}

/** Marks that a contract carries because it is planted. */
export function plantedFlags(venue: string, assetId: string): Pick<SimContract, 'dead' | 'intervalUnknown'> {
  return {
    ...(venue === DEAD.venue && assetId === DEAD.asset ? { dead: true as const } : {}),
    ...(venue === UNKNOWN_INTERVAL.venue && assetId === UNKNOWN_INTERVAL.asset
      ? { intervalUnknown: true as const }
      : {}),
  };
}

/** Assets that a venue lists whatever its rank and count, because something is planted there. */
export function plantedAssets(venue: string): readonly string[] {
  return [DEAD, UNKNOWN_INTERVAL].filter((place) => place.venue === venue).map((place) => place.asset);
}

function collisionsOf(assets: readonly PricedAsset[]): PlantedCollision[] {
  const first = new Map<string, PricedAsset>();
  const collisions: PlantedCollision[] = [];
  for (const asset of assets) {
    const other = first.get(asset.ticker);
    if (other === undefined) first.set(asset.ticker, asset);
    else collisions.push({ ticker: asset.ticker, assets: [other, asset] });
  }
  return collisions;
}

function byId(assets: readonly PricedAsset[], id: string): PricedAsset {
  const found = assets.find((asset) => asset.id === id);
  if (found === undefined) throw new Error(`planted asset ${id} is not in the table`);
  return found;
}
