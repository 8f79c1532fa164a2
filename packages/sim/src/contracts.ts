import type { AssetClass } from '../../../src/domain/instrument.ts';
import type { PricedAsset } from './assets.ts';
import { lotOf, tickOf } from './increments.ts';
import { keyOf, uniform } from './noise.ts';
import { plantedAssets, plantedFlags } from './planted.ts';
import type { ContractKind, ContractStatus, SimAsset, SimContract, SimListing } from './world.ts';

/** Share of assets behind the first ones that a venue happens not to list. */
const GAPS = 0.12;
/** Every venue lists the most traded assets. */
const EVERYWHERE = 40;
/** Second quotes list this share of the first. */
const SECOND_QUOTE_SHARE = 8;
const DATED = 2;
const INVERSE = 5;

/** Lists a venue: live perpetuals by rank, second quotes, then dated, inverse, delisted and announced rows. */
export function listContracts(
  seed: number,
  assets: readonly PricedAsset[],
  listing: SimListing,
): readonly SimContract[] {
  const rows = new Rows(listing);
  const [first = 'USDT', ...others] = listing.quotes;
  const { chosen, left } = choose(seed, assets, listing);
  for (const asset of chosen) rows.perp(asset, first, 'live');
  const majors = chosen.filter((asset) => asset.assetClass === 'crypto');
  for (const quote of others) {
    for (const asset of majors.slice(0, Math.ceil(listing.count / SECOND_QUOTE_SHARE))) {
      rows.perp(asset, quote, 'live');
    }
  }
  const { dated, inverse } = listing;
  if (dated !== undefined) {
    for (const asset of majors.slice(0, DATED))
      rows.outOfScope(asset, first, 'dated', (base) => dated(base, first));
  }
  if (inverse !== undefined) {
    for (const asset of majors.slice(0, INVERSE)) rows.outOfScope(asset, 'USD', 'inverse', inverse);
  }
  rows.fill(left, first, 'delisted', listing.delisted ?? 0);
  rows.fill(left, first, 'prelisting', listing.prelisting ?? 0);
  return rows.all;
}

/** The class under which a venue files an asset. */
export function labelOf(listing: SimListing, { ticker, assetClass }: SimAsset): AssetClass {
  return listing.labels?.[ticker] ?? assetClass;
}

/** Splits the assets of the listing's classes in those listed and those left for dead and announced rows. */
function choose(seed: number, assets: readonly PricedAsset[], listing: SimListing) {
  const named = (asset: PricedAsset, names: readonly string[]) =>
    names.includes(asset.ticker) || names.includes(asset.id);
  const exclude = listing.exclude ?? [];
  const required = [...(listing.include ?? []), ...plantedAssets(listing.venue)];
  const key = keyOf(seed, `listing:${listing.venue}`);
  const eligible = assets.filter(
    (asset) => listing.classes.includes(asset.assetClass) && !named(asset, exclude),
  );
  const must = oneByTicker(
    eligible.filter((asset) => named(asset, required)),
    listing,
    key,
  );
  const taken = new Set(must.map((asset) => asset.ticker));
  const rest = oneByTicker(eligible, listing, key).filter((asset) => !taken.has(asset.ticker));
  const wanted = rest.filter((asset, i) => i < EVERYWHERE || uniform(key, asset.rank) >= GAPS);
  const room = Math.max(0, listing.count - must.length);
  const chosen = [...must, ...wanted.slice(0, room)].sort((a, b) => a.rank - b.rank);
  const left = wanted.slice(room).concat(rest.filter((asset) => !wanted.includes(asset)));
  return { chosen, left };
}

/** Share of ticker collisions in which a venue lists the less likely asset. */
const UNLIKELY = 0.2;

/**
 * Of two assets with one ticker a venue lists one: the one its listing names by id, else mostly the crypto asset,
 * then the more traded one.
 */
function oneByTicker(
  assets: readonly PricedAsset[],
  listing: SimListing,
  key: number,
): readonly PricedAsset[] {
  const byTicker = new Map<string, PricedAsset>();
  for (const asset of assets) {
    const other = byTicker.get(asset.ticker);
    if (other === undefined || yields(other, asset, listing, key)) byTicker.set(asset.ticker, asset);
  }
  return assets.filter((asset) => byTicker.get(asset.ticker) === asset);
}

/** True if the more traded `other` gives the ticker to `asset`. */
function yields(other: PricedAsset, asset: PricedAsset, listing: SimListing, key: number): boolean {
  if (listing.include?.includes(other.id) === true) return false;
  if (listing.include?.includes(asset.id) === true) return true;
  const likely = asset.assetClass === 'crypto' && other.assetClass !== 'crypto';
  const unlikely = uniform(key, keyOf(0, asset.ticker)) < UNLIKELY;
  return likely !== unlikely;
}

/** Collects rows and keeps symbols unique. */
class Rows {
  readonly all: SimContract[] = [];
  readonly #symbols = new Set<string>();
  readonly #listing: SimListing;

  constructor(listing: SimListing) {
    this.#listing = listing;
  }

  perp(asset: PricedAsset, quote: string, status: ContractStatus): boolean {
    return this.#add(asset, quote, 'perp', status, (base) => this.#listing.symbol(base, quote));
  }

  outOfScope(asset: PricedAsset, quote: string, kind: ContractKind, spell: (base: string) => string): void {
    this.#add(asset, quote, kind, 'live', spell);
  }

  /** Adds `count` rows of a status, from assets that are not listed yet. */
  fill(assets: readonly PricedAsset[], quote: string, status: ContractStatus, count: number): void {
    let added = 0;
    for (const asset of assets) {
      if (added === count) return;
      if (this.perp(asset, quote, status)) added += 1;
    }
  }

  #add(
    asset: PricedAsset,
    quote: string,
    kind: ContractKind,
    status: ContractStatus,
    spell: (base: string) => string,
  ): boolean {
    const listing = this.#listing;
    const name = listing.baseName?.(asset.ticker, asset.level) ?? { base: asset.ticker, multiplier: 1 };
    const symbol = spell(name.base);
    if (this.#symbols.has(symbol)) return false;
    this.#symbols.add(symbol);
    const contractSize = listing.contractSize?.(asset.ticker, asset.level) ?? 1;
    const price = asset.level * name.multiplier;
    const settle = kind === 'inverse' ? name.base : (listing.settle?.(quote) ?? quote);
    const { id, ticker, assetClass, rank } = asset;
    this.all.push({
      venue: listing.venue,
      ...(listing.size !== undefined && { venueSize: listing.size }),
      symbol,
      asset: { id, ticker, assetClass, rank },
      base: name.base,
      multiplier: name.multiplier,
      contractSize,
      quote,
      settle,
      kind,
      status,
      intervalHours: listing.intervalHours(rank),
      tick: tickOf(price, rank),
      lot: listing.contractSize === undefined ? lotOf(price) : 1,
      ...(kind === 'perp' && status === 'live' ? plantedFlags(listing.venue, id) : {}),
    });
    return true;
  }
}
