import type { AssetClass } from '../../domain/instrument.ts';

/** Lowest and highest plausible price in quote currency per unit; ends wide apart, only to tell levels apart. */
export type PriceRange = readonly [low: number, high: number];

/** One curated asset. */
export interface RegistryAsset {
  /** `<asset_class>:<SLUG>`; the slug is the ticker unless two assets of a class share it. */
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  readonly name?: string;
  /** Further tickers under which venues list the same asset. */
  readonly aliases: readonly string[];
  /** Given where another asset goes by one of these names. */
  readonly priceRange?: PriceRange;
  /** True: no other asset has these names, whatever class a venue states. False: one has, of another side. */
  readonly soleName?: boolean;
  /** The evidence for this entry. */
  readonly evidence: string;
}

/** A name that means a certain asset on one venue only. `hyperliquid-*` stands for all sub-venues. */
export interface VenueName {
  readonly venue: string;
  readonly name: string;
  readonly canonicalId: string;
  readonly evidence: string;
}

/** A venue's decoration of an asset's base name; its groups, joined, are the name. */
export interface NameForm {
  readonly venue: string;
  readonly form: RegExp;
  /** The class that the decoration stands for. */
  readonly assetClass: AssetClass;
  readonly evidence: string;
}
