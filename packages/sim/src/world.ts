import type { AssetClass } from '../../../src/domain/instrument.ts';

/** An asset of the simulated world. */
export interface SimAsset {
  /** Identity: two assets may share a ticker (a planted collision). */
  readonly id: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  /** 0 = the most traded. */
  readonly rank: number;
}

export type ContractKind = 'perp' | 'dated' | 'inverse' | 'spot';
export type ContractStatus = 'live' | 'delisted' | 'prelisting';

/** One contract as a simulated venue lists it. Values asked of the world are in ticker units, per ticker unit. */
export interface SimContract {
  readonly venue: string;
  /** `size` of the venue's listing. */
  readonly venueSize?: number;
  readonly symbol: string;
  readonly asset: SimAsset;
  /** Base as this venue names it (`1000PEPE`), and the ticker units in one of it. */
  readonly base: string;
  readonly multiplier: number;
  /** Base units (as named) in one contract. */
  readonly contractSize: number;
  readonly quote: string;
  readonly settle: string;
  readonly kind: ContractKind;
  readonly status: ContractStatus;
  readonly intervalHours: number;
  /** Price increment in venue price units, and size increment in contracts. */
  readonly tick: number;
  readonly lot: number;
  /** Planted: the venue does not state the interval of this contract; its renderer leaves the field out. */
  readonly intervalUnknown?: true;
  /** Planted: nobody trades it; volume 0 and the mark frozen. */
  readonly dead?: true;
}

/** A venue's list of the world's assets. */
export interface SimListing {
  readonly venue: string;
  /** Open interest and volume against the largest venue's, 0..1; a small venue's where absent. */
  readonly size?: number;
  readonly quotes: readonly string[];
  /** The number of live perpetuals in the first quote; fewer in the others. */
  readonly count: number;
  readonly classes: readonly AssetClass[];
  /** Tickers, or asset ids (`index:SPX`), that must be listed, whatever their rank; and those that must not. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Tickers that the venue files under another class than their asset's. */
  readonly labels?: Readonly<Record<string, AssetClass>>;
  /** Name and multiplier under which a low-priced asset is listed; default: none (multiplier 1). */
  readonly baseName?: (
    ticker: string,
    price: number,
  ) => { readonly base: string; readonly multiplier: number };
  readonly contractSize?: (ticker: string, price: number) => number;
  readonly intervalHours: (rank: number) => number;
  readonly symbol: (base: string, quote: string) => string;
  /** Out-of-scope and dead rows to add, by symbol spelling. */
  readonly dated?: (base: string, quote: string) => string;
  readonly inverse?: (base: string) => string;
  readonly delisted?: number;
  /** Announced contracts that do not trade yet. */
  readonly prelisting?: number;
  /** Settlement currency of a quote; the quote itself by default. */
  readonly settle?: (quote: string) => string;
}

/** Book of a contract: [price per ticker unit, size in ticker units], best first. */
export interface SimBook {
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

/** Two assets that share a ticker, at unrelated price levels. */
export interface PlantedCollision {
  readonly ticker: string;
  readonly assets: readonly [SimAsset, SimAsset];
}

/** Special cases put into the world on purpose, so that tests know where they are. */
export interface Planted {
  readonly collisions: readonly PlantedCollision[];
  /** The contract of this asset at this venue has no volume and a frozen mark. */
  readonly dead: { readonly venue: string; readonly asset: SimAsset };
  /** This venue does not state the funding interval of its contract on this asset. */
  readonly unknownInterval: { readonly venue: string; readonly asset: SimAsset };
}

/** The one world. Every value is a pure function of seed and time, so that past and present agree. */
export interface World {
  readonly seed: number;
  readonly assets: readonly SimAsset[];
  readonly planted: Planted;
  /** All contracts of a listing: live perpetuals by rank, then out-of-scope and dead rows. Cached by venue. */
  contracts(listing: SimListing): readonly SimContract[];
  /** Spot price of the asset in USD. */
  spot(asset: SimAsset, t: number): number;
  index(contract: SimContract, t: number): number;
  mark(contract: SimContract, t: number): number;
  /** Rate that will be charged at the next settlement, fraction per interval of the contract. */
  fundingRate(contract: SimContract, t: number): number;
  /** Rate settled at a settlement time. */
  settledRate(contract: SimContract, settlement: number): number;
  /** The settlement after t, strictly later; settlements lie on whole multiples of the interval since 0 UTC. */
  nextFunding(contract: SimContract, t: number): number;
  /** Open interest, one side, ticker units. */
  openInterest(contract: SimContract, t: number): number;
  /** Rolling 24 h volume, ticker units: what was traded between t - 24 h and t. */
  volume24h(contract: SimContract, t: number): number;
  /** Volume traded in [from, to), ticker units; for candles and history. */
  volumeBetween(contract: SimContract, from: number, to: number): number;
  book(contract: SimContract, t: number, depth: number): SimBook;
}
